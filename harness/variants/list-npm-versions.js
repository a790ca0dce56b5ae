import { MachineError } from '../lib/errors.js';
import { NpmError, runNpm } from './run-npm.js';

const TIMEOUT_MS = 60_000;

/**
 * All published versions of a package, in the order of the registry.
 *
 * @param {string} packageName
 * @returns {Promise<string[] | null>} null where there is no such package
 * @throws {MachineError} when the registry cannot be asked
 */
export async function listNpmVersions(packageName) {
  try {
    const stdout = await runNpm(['view', packageName, 'versions'], { timeoutMs: TIMEOUT_MS });
    // Of a package with a single version, npm prints no list.
    return [JSON.parse(stdout)].flat();
  } catch (cause) {
    if (!(cause instanceof NpmError)) throw cause;
    if (cause.code === 'E404') return null;
    throw new MachineError(`npm could not list the versions of ${packageName}: ${cause.message}`, {
      cause,
      remedy:
        'check the network and the registry that npm is set to; what was used before is still there by its exact version',
    });
  }
}
