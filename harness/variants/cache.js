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
 * Makes a directory of the cache unless it is there: aside first, then moved into place, so that
 * nobody sees half of it and two runs at once do not disturb each other.
 *
 * @param {string} home absolute path of the directory
 * @param {(staging: string) => Promise<void>} fill puts into an empty directory what belongs there
 * @throws {import('../lib/errors.js').MachineError} when there is no place for it
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

/**
 * Reads a small JSON file that lies beside something in the cache. An entry is moved into place
 * whole, so one that cannot be read was damaged since.
 *
 * @template T
 * @param {string} home absolute path of the entry, which is made again when it is gone
 * @param {string} fileName within it
 * @param {(content: any) => T | undefined} take what is wanted; undefined where the content is none
 * @returns {T}
 * @throws {FormatError} when the file is missing or broken
 */
export function readCached(home, fileName, take) {
  const file = join(home, fileName);
  const remedy = `remove '${home}', and it is made again`;
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
    throw new FormatError(`'${file}' of the cache lacks what it should hold`, { remedy });
  }
  return taken;
}

/**
 * @param {string} file
 * @returns {string} `sha256:…` of its content
 */
export function digestFile(file) {
  return `sha256:${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
}

/**
 * Digest over the JavaScript sources below a directory, tests left out, and over what else is built:
 * names and contents, in the order of the names.
 *
 * @param {string} path
 * @param {string[]} [others] files and folders below it that count whole, whatever their language
 * @returns {string} `sha256:…`
 */
export function digestSources(path, others = []) {
  const sources = listFiles(path).filter((file) => isSource(relative(path, file)));
  return digestFiles(path, [...sources, ...listNamed(path, others)]);
}

/**
 * Digest over some files and folders alone: names and contents, in the order of the names.
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
 * @param {string[]} files absolute paths below it, each of which counts once
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

/**
 * @param {string} path
 * @returns {string[]} absolute paths of the files below it
 */
function listFiles(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** @param {string} file relative to the family */
function isSource(file) {
  return file.endsWith('.js') && !file.endsWith('.test.js') && !file.includes('test-support');
}
