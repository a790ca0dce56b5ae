import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { MachineError } from './errors.js';

/**
 * What a directory of files is of, for messages.
 *
 * @typedef {object} Owner
 * @property {string} name `the run`
 * @property {string} resume what goes on with it: `go on with: just compare --resume RUN`
 */

/** @type {Readonly<Owner>} */
export const RUN = Object.freeze({
  name: 'the run',
  resume: 'go on with: just compare --resume RUN',
});

/** What helps where a file cannot be written, by what the file system says. @type {Record<string, (owner: Owner) => string>} */
const REMEDIES = {
  ENOSPC: freeSpace,
  EDQUOT: freeSpace,
  EFBIG: ({ resume }) => `raise the limit (ulimit -f), then ${resume}`,
  ENOENT: ({ name }) =>
    `the directory of ${name} was removed or moved; what it held lies where it lies now`,
  EROFS: ({ name, resume }) =>
    `copy ${name} to a file system that can be written to, then ${resume}`,
  ENOTDIR: ({ name }) => `something else is in the place of the directory of ${name}; start again`,
};

/**
 * Writes a file whole or not at all.
 *
 * @param {string} file absolute path
 * @param {string} text
 * @param {Owner} owner
 * @throws {MachineError} when it cannot be written
 */
export function writeWhole(file, text, owner) {
  guardDisk(file, owner, () => {
    const temporary = `${file}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, text);
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/**
 * Turns what the file system says into one sentence with the remedy.
 *
 * @param {string} path
 * @param {Owner} owner
 * @param {() => void} write
 * @throws {MachineError} when it fails
 */
export function guardDisk(path, owner, write) {
  try {
    write();
  } catch (error) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new MachineError(`cannot write '${basename(path)}' of ${owner.name}: ${message}`, {
      cause: error,
      remedy: (REMEDIES[code] ?? checkPermissions)(owner),
    });
  }
}

/** @param {Owner} owner */
function freeSpace({ resume }) {
  return `free some space, then ${resume}`;
}

/** @param {Owner} owner */
function checkPermissions({ resume }) {
  return `check the permissions, then ${resume}`;
}
