import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeCacheDirectory } from '../lib/make-directory.js';

/**
 * Makes a directory of the cache unless it is there: aside first, then moved into place, so that
 * nobody sees half of it and two runs at once do not disturb each other.
 *
 * @param {string} home absolute path of the directory
 * @param {(staging: string) => Promise<void>} fill puts into an empty directory what belongs there
 * @throws {import('../lib/errors.js').MachineError} when there is no place for it
 */
export async function makeOnce(home, fill) {
  if (existsSync(home)) return;
  const parent = makeCacheDirectory(dirname(home));
  const staging = mkdtempSync(join(parent, '.staging-'));
  try {
    await fill(staging);
    moveIntoPlace(staging, home);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * @param {string} staging
 * @param {string} home
 */
function moveIntoPlace(staging, home) {
  try {
    renameSync(staging, home);
  } catch (error) {
    // Another run was quicker, with the same thing.
    if (!existsSync(home)) throw error;
  }
}
