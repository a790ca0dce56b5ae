import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { FormatError, MachineError } from './errors.js';
import { PROJECT } from './project.js';

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

/** Why a file cannot be read, by error code. */
const READ_REASONS = new Map([
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'there is no permission to'],
  ['ENOENT', 'it is not there any more'],
  ['ERR_STRING_TOO_LONG', 'it is too long'],
]);

/**
 * Reads a text file that is expected to exist.
 *
 * @param {string} file absolute path
 * @param {string} where the name of the file in messages
 * @param {string} remedy
 * @returns {string}
 * @throws {FormatError} when it cannot be read
 */
export function readText(file, where, remedy) {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (cause);
    const reason = READ_REASONS.get(code) ?? message;
    throw new FormatError(`${where} cannot be read: ${reason}`, { cause, remedy });
  }
}

/**
 * @param {string} text
 * @param {string} where the name of its source in messages
 * @param {string} remedy
 * @returns {unknown}
 * @throws {FormatError} when it is not JSON
 */
export function parseJson(text, where, remedy) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new FormatError(`${where} is not valid JSON: ${message}`, { cause, remedy });
  }
}

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

/**
 * Makes a directory for what is of no use afterwards; whoever asks removes it.
 *
 * @param {string} purpose one word, for its name: `check`
 * @returns {string} absolute path
 * @throws {MachineError} when there is no place for it
 */
export function makeTemporaryDirectory(purpose) {
  try {
    return mkdtempSync(join(tmpdir(), `assay-${purpose}-`));
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new MachineError(`cannot make a temporary directory: ${message}`, {
      cause,
      remedy: 'let TMPDIR name a directory that is there, is writable and has some room',
    });
  }
}

/** Where a file system takes no file, whoever wants to write it. */
const CODES = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT']);

export const CACHE_REMEDY =
  'free some space, or set ASSAY_CACHE_DIRECTORY to a directory that can be written to';
const OTHER_REMEDY =
  'free some space, check the permissions, or name another directory (--out for what is measured)';

/**
 * What a file system refuses is no defect of Assay, whichever file it is about.
 *
 * @param {unknown} error
 * @returns {MachineError | null} null for any other error
 */
export function explainFileError(error) {
  const { code, path, syscall, message } = /** @type {NodeJS.ErrnoException} */ (error ?? {});
  if (path === undefined || syscall === undefined || !CODES.has(code ?? '')) return null;
  if (syscall.startsWith('spawn')) return null;
  const isInCache = path.startsWith(PROJECT.statePath + sep);
  return new MachineError(`cannot write '${path}': ${message}`, {
    cause: error,
    remedy: isInCache ? CACHE_REMEDY : OTHER_REMEDY,
  });
}
