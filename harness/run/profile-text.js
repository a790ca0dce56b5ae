import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../lib/errors.js';
import { quoteWords } from '../lib/words.js';
import { writeWhole } from '../lib/files.js';

/** Relative to the directory of a profile or a run. */
const PROFILES = join('artefacts', 'profiles');
const TEXT = 'profile.txt';
const OWNER = { name: 'the profile', resume: 'record it again with: just profile VARIANT' };

/**
 * Keeps what `just profile` prints, which its directory holds nothing else to make it from.
 *
 * @param {string} path of its directory
 * @param {string} text
 * @throws {import('../lib/errors.js').MachineError} when it cannot be written
 */
export function keepProfileText(path, text) {
  writeWhole(join(path, TEXT), text, OWNER);
}

/**
 * @param {string} path absolute
 * @returns {boolean} whether `just profile` made this directory; a run has a manifest before it has
 *   profiles
 */
export function isProfile(path) {
  return existsSync(join(path, PROFILES)) && !existsSync(join(path, 'manifest.json'));
}

/**
 * @param {string} path directory of a profile
 * @returns {string} what was printed
 * @throws {UsageError} when that was not kept
 */
export function readProfileText(path) {
  const file = join(path, TEXT);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  throw new UsageError(`'${path}' is a profile without its text, ${TEXT}`, {
    remedy: `its files are in '${join(path, PROFILES)}'; ${OWNER.resume}`,
  });
}

/**
 * Refuses the directory of a profile where a comparison is wanted.
 *
 * @param {string} path absolute
 * @param {string} problem what keeps it from being used: `no run of compare`
 * @throws {UsageError}
 */
export function refuseProfile(path, problem) {
  if (!isProfile(path)) return;
  throw new UsageError(`'${path}' is a profile, and ${problem}`, {
    remedy: `see it with: just report ${quoteWords([path])}`,
  });
}
