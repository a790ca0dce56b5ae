import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { FormatError, MachineError } from './errors.js';
import { PROJECT } from './project.js';
import { PROGRAM } from './program.js';

/**
 * Names what a file belongs to, for error messages.
 *
 * @typedef {object} ErrorContext
 * @property {string} name `the run`
 * @property {string} resume how to resume it: `resume it with: just compare --resume RUN`
 */

/** @type {Readonly<ErrorContext>} */
export const RUN = Object.freeze({
  name: 'the run',
  resume: `resume it with: ${PROGRAM} compare --resume RUN`,
});

/** A run without a manifest cannot be resumed. @type {Readonly<ErrorContext>} */
export const NEW_RUN = Object.freeze({ name: 'the run', resume: 'start it again' });

/** By the error code of the file system. @type {Record<string, (context: ErrorContext) => string>} */
const REMEDIES = {
  ENOSPC: freeSpace,
  EDQUOT: freeSpace,
  EFBIG: ({ resume }) => `raise the limit (ulimit -f), then ${resume}`,
  ENOENT: ({ name }) =>
    `the directory of ${name} was removed or moved; look for it, or start again`,
  EROFS: ({ name, resume }) => `copy ${name} to a writable file system, then ${resume}`,
  ENOTDIR: ({ name }) => `a file has replaced the directory of ${name}; start again`,
};

/**
 * Replaces a file: after a crash or a power failure it has the old content or the new, never a part.
 *
 * @param {string} file absolute path
 * @param {string} text
 * @param {ErrorContext} [context] of the errors; without it they are those of `node:fs`
 * @throws {MachineError} when it cannot be written
 */
export function writeAtomic(file, text, context) {
  const write = () => {
    const temporary = `${file}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, text, { flush: true });
      renameSync(temporary, file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  };
  if (context === undefined) write();
  else wrapIoError(file, context, write);
}

/**
 * Turns an error of the file system into one with a remedy.
 *
 * @param {string} path
 * @param {ErrorContext} context
 * @param {() => void} write
 * @throws {MachineError} when `write` throws
 */
export function wrapIoError(path, context, write) {
  try {
    write();
  } catch (error) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new MachineError(`cannot write '${basename(path)}' of ${context.name}: ${message}`, {
      cause: error,
      remedy: (REMEDIES[code] ?? checkPermissions)(context),
    });
  }
}

/** @param {ErrorContext} context */
function freeSpace({ resume }) {
  return `free some space, then ${resume}`;
}

/** @param {ErrorContext} context */
function checkPermissions({ resume }) {
  return `check the permissions, then ${resume}`;
}

/** Why a file cannot be read, by error code. */
const READ_REASONS = new Map([
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'permission denied'],
  ['ENOENT', 'it no longer exists'],
  ['ERR_STRING_TOO_LONG', 'it is too long'],
]);

/**
 * Reads a text file that is expected to exist.
 *
 * @param {string} file absolute path
 * @param {string} where its name in messages
 * @param {string} remedy
 * @returns {string}
 * @throws {FormatError} when it cannot be read
 */
export function readText(file, where, remedy) {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw explainReadError(cause, where, remedy);
  }
}

/** @type {(cause: unknown, where: string, remedy: string) => FormatError} */
function explainReadError(cause, where, remedy) {
  const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (cause);
  const reason = READ_REASONS.get(code) ?? message;
  return new FormatError(`${where} cannot be read: ${reason}`, { cause, remedy });
}

const CHUNK_BYTES = 2 ** 20;

/**
 * Reads a text file of any size line by line, without a last line that has no end.
 *
 * @param {string} file absolute path
 * @param {string} where its name in messages
 * @param {string} remedy
 * @returns {Generator<string>} lines without their ends
 * @throws {FormatError} when it cannot be read
 */
export function* readLines(file, where, remedy) {
  const descriptor = readOr(() => openSync(file, 'r'));
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for (;;) {
      const length = readOr(() => readSync(descriptor, chunk));
      if (length === 0) return;
      const lines = readOr(() => (rest + decoder.write(chunk.subarray(0, length))).split('\n'));
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    closeSync(descriptor);
  }

  /** @template T @param {() => T} read @returns {T} */
  function readOr(read) {
    try {
      return read();
    } catch (cause) {
      throw explainReadError(cause, where, remedy);
    }
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
 * @param {unknown} json a parsed value, or its text
 * @param {string} where the name of its source in messages
 * @param {string} remedy
 * @returns {Record<string, unknown>}
 * @throws {FormatError} when the text is not JSON or the value not an object
 */
export function readJsonObject(json, where, remedy) {
  const value = typeof json === 'string' ? parseJson(json, where, remedy) : json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new FormatError(`${where} is not a JSON object`, { remedy });
  }
  return /** @type {Record<string, unknown>} */ (value);
}

/**
 * Creates a directory and its parents.
 *
 * @param {string} path absolute
 * @param {string} remedy for the error, unless a file is in the way
 * @returns {string} the path
 * @throws {MachineError} when it cannot be created
 */
export function makeDirectory(path, remedy) {
  try {
    makeWithParents(path);
    return path;
  } catch (cause) {
    throw explainNoDirectory(path, cause, remedy);
  }
}

/** @type {(path: string, cause: unknown, remedy: string) => MachineError} */
function explainNoDirectory(path, cause, remedy) {
  const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (cause);
  const isFile = ['EEXIST', 'ENOTDIR'].includes(code);
  return new MachineError(`cannot create '${path}': ${message}`, {
    cause,
    remedy: isFile ? 'a file is in its place: name a directory' : remedy,
  });
}

/**
 * Creates a directory that was not there, of which no other process thinks the same.
 *
 * @param {string} parent absolute; created, too
 * @param {string} name a number is added to it if it is taken
 * @param {string} remedy for the error, unless a file is in the way
 * @returns {string} its path
 * @throws {MachineError} when it cannot be created
 */
export function makeNewDirectory(parent, name, remedy) {
  makeDirectory(parent, remedy);
  for (let number = 1; ; number++) {
    const path = join(parent, number === 1 ? name : `${name}-${number}`);
    try {
      mkdirSync(path);
      return path;
    } catch (cause) {
      if (/** @type {NodeJS.ErrnoException} */ (cause).code === 'EEXIST') continue;
      throw explainNoDirectory(path, cause, remedy);
    }
  }
}

/**
 * Creates a directory below the cache.
 *
 * @param {string} path absolute
 * @returns {string} the path
 * @throws {MachineError} when it cannot be created
 */
export function makeCacheDirectory(path) {
  return makeDirectory(path, CACHE_REMEDY);
}

/** Folder of a project for its runs and caches. */
const STATE_FOLDER = '.assay';

/**
 * On a read-only file system `mkdirSync` with `recursive` fails with ENOENT; this throws the true
 * reason.
 *
 * @param {string} path absolute
 */
function makeWithParents(path) {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (path !== dirname(path)) makeWithParents(dirname(path));
  try {
    mkdirSync(path);
    // A checkout would otherwise seem to have uncommitted changes.
    if (basename(path) === STATE_FOLDER) {
      writeFileSync(join(path, '.gitignore'), '# Runs and caches of Assay.\n*\n');
    }
  } catch (error) {
    // Another process may have created it.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/**
 * Creates a temporary directory, which the caller removes.
 *
 * @param {string} purpose one word, for its name: `check`
 * @returns {string} absolute path
 * @throws {MachineError} when it cannot be created
 */
export function makeTemporaryDirectory(purpose) {
  try {
    return mkdtempSync(join(tmpdir(), `assay-${purpose}-`));
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new MachineError(`cannot create a temporary directory: ${message}`, {
      cause,
      remedy: 'set TMPDIR to an existing, writable directory with free space',
    });
  }
}

/** Refusals that have nothing to do with the file itself. */
const REFUSALS = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT']);

export const CACHE_REMEDY = 'free some space, or set ASSAY_CACHE_DIRECTORY to a writable directory';
const OTHER_REMEDY =
  'free some space, check the permissions, or name another directory (--out for what is measured)';

/**
 * Turns the refusal of a file system to write any file into an error with a remedy, since it is no
 * defect of Assay.
 * @type {(error: unknown) => MachineError | null} null for any other error
 */
export function explainFileError(error) {
  const { code, path, syscall, message } = /** @type {NodeJS.ErrnoException} */ (error ?? {});
  if (path === undefined || syscall === undefined || !REFUSALS.has(code ?? '')) return null;
  if (syscall.startsWith('spawn')) return null;
  const isInCache = [PROJECT.statePath, PROJECT.treesPath].some((place) =>
    path.startsWith(place + sep),
  );
  return new MachineError(`cannot write '${path}': ${message}`, {
    cause: error,
    remedy: isInCache ? CACHE_REMEDY : OTHER_REMEDY,
  });
}
