import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MachineError } from '../errors.js';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
/** By itself npm tries again for more than a minute where there is no network. */
const FLAGS = ['--json', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];

/**
 * All published versions of a package, in the order of the registry.
 *
 * @param {string} packageName
 * @returns {Promise<string[] | null>} null where there is no such package
 * @throws {MachineError} when the registry cannot be asked
 */
export async function listNpmVersions(packageName) {
  try {
    const { stdout } = await run('npm', ['view', packageName, 'versions', ...FLAGS], {
      timeout: TIMEOUT_MS,
    });
    // Of a package with a single version, npm prints no list.
    return [JSON.parse(stdout)].flat();
  } catch (cause) {
    const { code, summary } = readNpmError(cause);
    if (code === 'E404') return null;
    throw new MachineError(`npm could not list the versions of ${packageName}: ${summary}`, {
      cause,
      remedy:
        'check the network and the registry that npm is set to; what was used before is still there by its exact version',
    });
  }
}

/**
 * @param {unknown} error
 * @returns {{ code?: string, summary: string }} what npm itself says, where it got that far
 */
function readNpmError(error) {
  const { stdout, killed, message } = /** @type {Error & { stdout?: string, killed?: boolean }} */ (
    error
  );
  if (killed === true) return { summary: `no answer within ${TIMEOUT_MS / 1000} s` };
  try {
    return JSON.parse(String(stdout)).error;
  } catch {
    return { summary: message };
  }
}
