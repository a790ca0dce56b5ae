import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { FormatError } from '../lib/errors.js';
import { makeCacheDirectory, writeAtomic } from '../lib/files.js';
import { countOf } from '../lib/numbers.js';

/**
 * Where variants are fetched and built, and who is told.
 *
 * @typedef {object} Places
 * @property {string} cachePath
 * @property {string} [treesPath] where trees of other projects are built; by default in the cache
 * @property {AbortSignal | undefined} [signal] cancels a download or a build
 * @property {((text: string) => void) | undefined} [onNote] called with progress of slow steps
 */

/**
 * An entry of the cache whose files are not those that it was made with.
 *
 * @typedef {object} Changed
 * @property {string} path absolute
 * @property {ReadonlySet<string>} files that were changed, added or removed, relative to it
 */

/**
 * @typedef {object} EntryOptions
 * @property {((text: string) => void) | undefined} [onNote] told of a changed file
 * @property {(file: string, home: string) => boolean} [isVerified] whether a file or a directory, with a path relative
 *   to the entry, is verified; by default all are
 */

/**
 * Creates a cache entry unless it exists, and creates it again if its files were changed. It is filled in a staging
 * directory and renamed, so it is never visible half-filled, and concurrent runs do not interfere.
 *
 * @param {string} home absolute path of the entry
 * @param {(staging: string, changed: Changed | null) => Promise<void>} fill fills an empty directory; `changed` is the
 *   entry that it replaces
 * @param {EntryOptions} [options]
 * @throws {import('../lib/errors.js').MachineError} when the directory cannot be created
 */
export async function getOrCreate(home, fill, { onNote, isVerified = () => true } = {}) {
  const found = inspect(home, isVerified);
  if (found === 'whole') return;
  const { changed, identity } = found;
  if (changed !== null) onNote?.(describeChanged(changed));
  const parent = makeCacheDirectory(dirname(home));
  const staging = mkdtempSync(join(parent, '.staging-'));
  try {
    await fill(staging, changed);
    writeFileSync(join(staging, LIST), JSON.stringify(makeList(staging, isVerified)));
    // Another process may have made it again meanwhile, and use it.
    if (changed !== null && identify(home) === identity) removeEntry(home, staging);
    moveIntoPlace(staging, home);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Looks whether an entry has the files that it was made with.
 * @type {(home: string, isVerified: IsVerified) => 'whole' | { changed: Changed | null, identity: string }} `changed` is
 *   null if there is no entry
 */
function inspect(home, isVerified) {
  for (let identity = identify(home); identity !== ''; identity = identify(home)) {
    try {
      const changed = findChanged(home, isVerified);
      return changed === null ? 'whole' : { changed, identity };
    } catch (error) {
      // Another process replaces it.
      if (codeOf(error) !== 'ENOENT' || identify(home) === identity) throw error;
    }
  }
  return { changed: null, identity: '' };
}

/** @type {(home: string) => string} which directory is there now; empty if there is none */
function identify(home) {
  const stat = statSync(home, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino} ${stat.birthtimeMs}`;
}

/** @param {string} staging @param {string} home */
function moveIntoPlace(staging, home) {
  try {
    renameSync(staging, home);
  } catch (error) {
    // Another run created the same entry first.
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error;
  }
}

/** @param {string} home @param {string} staging whose name is unique */
function removeEntry(home, staging) {
  const removed = `${staging}-removed`;
  try {
    renameSync(home, removed);
  } catch (error) {
    // Another process has just removed it.
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  rmSync(removed, { recursive: true, force: true });
}

/** @param {unknown} error of the file system @returns {string} `ENOENT` */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code ?? '';
}

/** The list of the files of an entry. */
const LIST = '.files.json';

/**
 * What the files of an entry were when it was made: of each the digest of its content. The stamp covers sizes and times
 * of change, which the kernel sets at every change, and nobody else can. If it is as before, no content is read.
 *
 * @typedef {{ stamp: string, digests: Record<string, string> }} FileList
 */

/** @typedef {NonNullable<EntryOptions['isVerified']>} IsVerified */

/** @type {(home: string, isVerified: IsVerified) => Changed | null} null if its files are those that it was made with */
function findChanged(home, isVerified) {
  const list = readList(home);
  const files = listEntry(home, isVerified);
  if (stampFiles(home, files) === list?.stamp) return null;
  const now = makeList(home, isVerified);
  // Without a list, an earlier version of Assay made it, and it is verified from now on.
  const before = list ?? now;
  const changed = Object.keys({ ...before.digests, ...now.digests }).filter(
    (file) => now.digests[file] !== before.digests[file],
  );
  if (changed.length > 0) return { path: home, files: new Set(changed.sort()) };
  try {
    // A copy of the cache has other times.
    writeAtomic(join(home, LIST), JSON.stringify(now));
  } catch {
    // The cache may be read-only. Then contents are read at every use.
  }
  return null;
}

/** @type {(home: string) => FileList | null} null if there is none; one without files if it was damaged */
function readList(home) {
  const path = join(home, LIST);
  if (!existsSync(path)) return null;
  try {
    const { stamp, digests } = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof stamp === 'string' && Object(digests) === digests) return { stamp, digests };
  } catch {
    // It is no JSON.
  }
  return { stamp: '', digests: {} };
}

/** @type {(home: string, isVerified: IsVerified) => FileList} */
function makeList(home, isVerified) {
  const files = listEntry(home, isVerified);
  return { stamp: stampFiles(home, files), digests: digestEach(home, files) };
}

/**
 * @param {string} home
 * @param {IsVerified} isVerified
 * @param {string} [folder] below it
 * @returns {string[]} relative paths of files and symbolic links, sorted
 */
function listEntry(home, isVerified, folder = '') {
  const entries = readdirSync(join(home, folder), { withFileTypes: true });
  const files = entries.flatMap((entry) => {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (file === LIST || !isVerified(file, home)) return [];
    return entry.isDirectory() ? listEntry(home, isVerified, file) : [file];
  });
  return folder === '' ? files.sort() : files;
}

/** @type {(home: string, files: string[]) => string} */
function stampFiles(home, files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, ctimeMs } = lstatSync(join(home, file));
    hash.update(`${file}\0${size} ${ctimeMs}\0`);
  }
  return hash.digest('hex');
}

/** @type {(home: string, files: string[]) => Record<string, string>} */
function digestEach(home, files) {
  return Object.fromEntries(
    files.map((file) => {
      const path = join(home, file);
      const isLink = lstatSync(path).isSymbolicLink();
      const content = isLink ? `link to ${readlinkSync(path)}` : readFileSync(path);
      return [file, createHash('sha256').update(content).digest('hex')];
    }),
  );
}

/** @type {(changed: Changed) => string} */
function describeChanged({ path, files }) {
  const entry = `${basename(dirname(path))}/${basename(path)}`;
  const [first] = files;
  const others = files.size === 1 ? '' : ` and ${countOf(files.size - 1, 'other file')}`;
  return `'${first}'${others} of '${entry}' in the cache changed since it was made; it is made again`;
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

/** @param {string | Uint8Array} content @returns {string} `sha256:…` */
export function digestContent(content) {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** @param {string} file @returns {string} `sha256:…` of its content */
export function digestFile(file) {
  return digestContent(readFileSync(file));
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
