import { createRequire } from 'node:module';
import { join } from 'node:path';
import { MachineError } from '../../../harness/lib/errors.js';

/** @import { Addon } from './types.ts' */

/** What the package carries that `packages/package-lock.json` pins. */
const ADA_VERSION = '2.7.4';

const require = createRequire(import.meta.url);

/**
 * Loads the addon that the build made.
 * @type {(buildPath: string) => Addon}
 * @throws {MachineError} when it cannot be loaded, or would call another Ada than the pinned one
 */
export function openAddon(buildPath) {
  const path = join(buildPath, 'url-bridge.node');
  try {
    return requireAda(require(path), ADA_VERSION);
  } catch (cause) {
    const [reason] = String(/** @type {Error} */ (cause).message ?? cause).split('\n');
    throw new MachineError(`cannot load ${path}: ${reason}`, {
      cause,
      remedy: 'remove that directory to build the addon again',
    });
  }
}

/**
 * @type {(addon: Addon, version: string) => Addon} the same
 * @throws {Error} when its Ada is of another version
 */
export function requireAda(addon, version) {
  if (addon.adaVersion === version) return addon;
  throw new Error(`it holds Ada ${addon.adaVersion} instead of ${version}`);
}

/**
 * The error of Node's own URL.
 * @type {(input: string) => TypeError & { code: string, input: string }}
 */
export function makeInvalidUrlError(input) {
  return Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input });
}
