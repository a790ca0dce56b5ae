import { mkdirSync } from 'node:fs';
import { MachineError } from './errors.js';

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
    mkdirSync(path, { recursive: true });
    return path;
  } catch (cause) {
    throw new MachineError(`cannot make '${path}': ${/** @type {Error} */ (cause).message}`, {
      cause,
      remedy,
    });
  }
}
