import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { FormatError } from '../lib/errors.js';
import { makeCacheDirectory } from '../lib/files.js';

/**
 * Where variants are fetched and built, and who is told.
 *
 * @typedef {object} Places
 * @property {string} cachePath
 * @property {AbortSignal | undefined} [signal] cancels a download or a build
 * @property {((text: string) => void) | undefined} [onNote] called with progress of slow steps
 */

/**
 * Creates a cache entry unless it exists. It is filled in a staging directory and renamed, so it is never
 * visible half-filled, and concurrent runs do not interfere.
 *
 * @param {string} home absolute path of the entry
 * @param {(staging: string) => Promise<void>} fill fills an empty directory
 * @throws {import('../lib/errors.js').MachineError} when the directory cannot be created
 */
export async function getOrCreate(home, fill) {
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

/** @param {string} staging @param {string} home */
function moveIntoPlace(staging, home) {
  try {
    renameSync(staging, home);
  } catch (error) {
    // Another run created the same entry first.
    if (!existsSync(home)) throw error;
  }
}

/**
 * Reads a JSON file of a cache entry. Entries are created atomically, so an unreadable one was damaged.
 *
 * @template T
 * @param {string} home absolute path of the entry, which is recreated if removed
 * @param {string} fileName within it
 * @param {(content: any) => T | undefined} take selects the result; undefined for invalid content
 * @returns {T}
 * @throws {FormatError} when the file is missing or invalid
 */
export function readCached(home, fileName, take) {
  const file = join(home, fileName);
  const remedy = `remove '${home}'; it will be recreated`;
  let content;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new FormatError(
      `'${file}' of the cache cannot be read: ${/** @type {Error} */ (cause).message}`,
      { cause, remedy },
    );
  }
  const taken = Object(content) === content ? take(content) : undefined;
  if (taken === undefined) {
    throw new FormatError(`'${file}' of the cache has invalid content`, { remedy });
  }
  return taken;
}

/** @param {string} file @returns {string} `sha256:…` of its content */
export function digestFile(file) {
  return `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
}

/**
 * Digest of the JavaScript sources and patches below a directory, without tests, and of other files that are built:
 * names and contents, sorted by name.
 *
 * @param {string} path
 * @param {string[]} [others] files and folders below it that are included entirely
 * @returns {string} `sha256:…`
 */
export function digestSources(path, others = []) {
  const sources = listFiles(path).filter((file) => isSource(relative(path, file)));
  return digestFiles(path, [...sources, ...listNamed(path, others)]);
}

/**
 * Digest of the JavaScript sources and patches below several directories, without tests: names and contents,
 * sorted by name.
 *
 * @param {string} path
 * @param {string[]} directories absolute paths; names are relative to `path`
 * @returns {string} `sha256:…`
 */
export function digestDirectories(path, directories) {
  return digestFiles(path, directories.flatMap(listFiles).filter(isSource));
}

/**
 * Digest of the given files and folders: names and contents, sorted by name.
 *
 * @param {string} path
 * @param {string[]} names of files and folders below it
 * @returns {string} `sha256:…`
 */
export function digestNamed(path, names) {
  return digestFiles(path, listNamed(path, names));
}

/**
 * @param {string} path
 * @param {string[]} files absolute paths below it; duplicates are ignored
 * @returns {string} `sha256:…`
 */
function digestFiles(path, files) {
  const hash = createHash('sha256');
  for (const file of [...new Set(files)].sort()) {
    hash.update(`${relative(path, file).split(sep).join('/')}\0`);
    hash.update(readFileSync(file)).update('\0');
  }
  return `sha256:${hash.digest('hex')}`;
}

/**
 * @param {string} path
 * @param {string[]} names of files and folders below it
 * @returns {string[]} absolute paths of the files
 */
function listNamed(path, names) {
  return names.flatMap((name) => {
    const place = join(path, name);
    return statSync(place).isDirectory() ? listFiles(place) : [place];
  });
}

/** @param {string} path @returns {string[]} absolute paths of the files below it */
export function listFiles(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** @param {string} file relative to the family */
function isSource(file) {
  return /(?<!\.test)\.(js|patch)$/.test(file) && !file.includes('test-support');
}
