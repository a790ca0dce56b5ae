import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { MachineError } from './errors.js';
import { CACHE_REMEDY } from './explain-file-error.js';

/**
 * Makes a directory and those that it lies in.
 *
 * @param {string} path absolute
 * @param {string} remedy what a user can do where that fails
 * @returns {string} the path
 * @throws {MachineError} when it cannot be made
 */
export function makeDirectory(path, remedy) {
  try {
    makeWithParents(path);
    return path;
  } catch (cause) {
    throw new MachineError(`cannot make '${path}': ${/** @type {Error} */ (cause).message}`, {
      cause,
      remedy,
    });
  }
}

/**
 * Makes a directory of what Assay keeps from run to run.
 *
 * @param {string} path absolute
 * @returns {string} the path
 * @throws {MachineError} when it cannot be made
 */
export function makeCacheDirectory(path) {
  return makeDirectory(path, CACHE_REMEDY);
}

/**
 * Unlike `mkdirSync` with `recursive`, which says ENOENT where the file system is read-only, this
 * throws the true reason.
 *
 * @param {string} path absolute
 */
function makeWithParents(path) {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (path !== dirname(path)) makeWithParents(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process was quicker.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
