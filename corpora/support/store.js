import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { serialize } from 'bson';
import { FormatError, UsageError } from '../../harness/lib/errors.js';
import { makeCacheDirectory, writeAtomic } from '../../harness/lib/files.js';
import { countOf } from '../../harness/lib/numbers.js';
import { streamChunks } from './document-files.js';

/** @import { Corpus } from '../../harness/formats/types.ts' */
/** @import { CorpusModule } from './registry.js' */

/** @typedef {{ folder: string, text: string, canonical: string }} StoredPaths */

/** `textDigest` of documents with derived text; increment when the derivation changes. */
export const DERIVED_TEXT = 'derived 1';

/**
 * Creates the folder for documents with these digests. The path depends on the content, so a file
 * never changes while a run reads it.
 * @param {string} directory of all corpora
 * @param {string} digest `sha256:…` of the canonical BSON
 * @param {string} textDigest `sha256:…` of the Extended JSON, or `DERIVED_TEXT`
 * @returns {StoredPaths} absolute when `directory` is; the folder exists
 */
export function openStoreFolder(directory, digest, textDigest) {
  const key = createHash('sha256').update(`${digest}\n${textDigest}`).digest('hex').slice(0, 24);
  const folder = join(directory, 'store', key);
  makeCacheDirectory(folder);
  return {
    folder,
    text: join(folder, 'documents.ejson'),
    canonical: join(folder, 'canonical.bson'),
  };
}

/** Limit for the canonical BSON of one corpus: 4 GiB. */
const MAX_STORED_BYTES = 4 * 2 ** 30;

/**
 * Writes a generated corpus to disk, one document at a time, unless an intact file exists.
 *
 * Only the default count has a pinned digest. For another count, the documents that both have in
 * common are checked against it, and the digest of the whole is the seal of the file. A corpus without
 * a pinned digest is generated each time.
 * @param {{ module: CorpusModule, corpus: Corpus }} found
 * @param {number | null} count of documents; null for the default
 * @param {string} directory of all corpora
 * @returns {{ digest: string, paths: StoredPaths }} `digest` is `sha256:…` of the canonical BSON
 * @throws {FormatError} when the documents do not match the pinned digest
 * @throws {UsageError} when there are too many
 */
export function storeDefined({ module, corpus }, count, directory) {
  if (corpus.digest === undefined) return storeUnpinned(corpus, count, directory);
  const isDefault = count === null || count === corpus.defaultCount;
  const key = isDefault ? corpus.digest : `${corpus.digest}, ${count} documents`;
  const paths = openStoreFolder(directory, key, DERIVED_TEXT);
  const hex = ensureSealedFile(paths.canonical, () =>
    encodeDocuments(corpus, count ?? corpus.defaultCount, module.path),
  );
  return { digest: `sha256:${hex}`, paths };
}

/** @type {(corpus: Corpus, count: number | null, directory: string) => { digest: string, paths: StoredPaths }} */
function storeUnpinned(corpus, count, directory) {
  const writer = new SealedFileWriter(join(directory, 'store'));
  try {
    for (const bytes of encodeUnpinned(corpus, count ?? corpus.defaultCount)) writer.write(bytes);
  } catch (error) {
    writer.discard();
    throw error;
  }
  const hex = writer.finish();
  const digest = `sha256:${hex}`;
  const paths = openStoreFolder(directory, digest, DERIVED_TEXT);
  writer.moveTo(paths.canonical, hex);
  return { digest, paths };
}

/** @type {(corpus: Corpus, count: number | undefined) => Generator<Uint8Array>} */
function* encodeUnpinned({ name, documents }, count) {
  let index = 0;
  let sizeBytes = 0;
  for (const document of documents(count)) {
    const bytes = serialize(document);
    sizeBytes += bytes.length;
    if (sizeBytes > MAX_STORED_BYTES) throw tooLarge(name, index);
    yield bytes;
    index += 1;
    if (index === count) return;
  }
  if (index > 0 && count === undefined) return;
  throw new FormatError(
    `corpus '${name}' ends after ${index} of ${countOf(count ?? 1, 'document')}`,
    {
      remedy: 'Make documents() yield the requested number.',
    },
  );
}

/**
 * Always generates at least the pinned number of documents, to check the digest.
 * @param {Corpus} corpus
 * @param {number | undefined} count of documents to yield; all where the corpus takes no count
 * @param {string} path of its file
 * @returns {Generator<Uint8Array>}
 */
function* encodeDocuments(corpus, count = Infinity, path) {
  const { name, defaultCount: pinnedCount = Infinity } = corpus;
  const hash = createHash('sha256');
  let index = 0;
  let sizeBytes = 0;
  for (const document of generateAtLeast(corpus, count)) {
    const bytes = serialize(document);
    if (index < pinnedCount) hash.update(bytes);
    if (index < count) {
      sizeBytes += bytes.length;
      if (sizeBytes > MAX_STORED_BYTES) throw tooLarge(name, index);
      yield bytes;
    }
    index++;
    if (index === pinnedCount) requirePinned(hash.copy().digest('hex'), corpus, path);
  }
  if (pinnedCount === Infinity) requirePinned(hash.digest('hex'), corpus, path);
  else if (index < count) {
    throw new FormatError(`corpus '${name}' ends after ${index} of ${countOf(count, 'document')}`, {
      remedy: `Make documents() in ${path} yield the requested number.`,
    });
  }
}

/**
 * @param {Corpus} corpus
 * @param {number} count Infinity where it takes none
 */
function generateAtLeast({ documents, defaultCount }, count) {
  return defaultCount === undefined ? documents() : documents(Math.max(count, defaultCount));
}

/** @param {string} hex @param {Corpus} corpus @param {string} path */
function requirePinned(hex, { name, digest: pinned }, path) {
  const digest = `sha256:${hex}`;
  if (digest === pinned) return;
  throw new FormatError(
    `corpus '${name}' generates ${digest}, but its pinned digest is '${pinned}'`,
    {
      remedy:
        'Results with other documents cannot be compared with earlier ones. ' +
        `If the change is intended, pin the new digest in ${path}.`,
    },
  );
}

/** @param {string} name @param {number} index */
function tooLarge(name, index) {
  return new UsageError(
    `corpus '${name}' reaches the limit of ${MAX_STORED_BYTES} bytes after ${countOf(index, 'document')}`,
    { remedy: `Ask for fewer: ${name}:${index}.` },
  );
}

/** Size of a write. A system call for each small document would cost more than hashing. */
const BUFFER_BYTES = 2 ** 18;

/**
 * Writes a temporary file and moves it into place when complete, with a seal (its SHA-256) in a second
 * file. Readers never see a partial file, and several processes may write the same content at the same
 * time.
 */
export class SealedFileWriter {
  #hash = createHash('sha256');
  /** @type {string} */
  #asidePath;
  /** @type {number} */
  #descriptor;
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = 0;
  #isFinished = false;

  /** @param {string} folder on the same file system as the final path; created if missing */
  constructor(folder) {
    makeCacheDirectory(folder);
    this.#asidePath = join(folder, `${randomUUID()}.tmp`);
    this.#descriptor = openSync(this.#asidePath, 'wx');
  }

  /** @param {string | Uint8Array} chunk */
  write(chunk) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#buffered + bytes.length > BUFFER_BYTES) this.#flush();
    if (bytes.length > BUFFER_BYTES) {
      this.#writeOut(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  /** @returns {string} hexadecimal SHA-256 of the content; ends the file */
  finish() {
    this.#flush();
    closeSync(this.#descriptor);
    this.#isFinished = true;
    return this.#hash.digest('hex');
  }

  /**
   * @param {string} path final place, in an existing folder
   * @param {string} digest what `finish` returned
   */
  moveTo(path, digest) {
    renameSync(this.#asidePath, path);
    writeAtomic(sealPath(path), digest);
  }

  /** Removes the temporary file, unless it was moved. */
  discard() {
    if (!this.#isFinished) closeSync(this.#descriptor);
    rmSync(this.#asidePath, { force: true });
  }

  #flush() {
    this.#writeOut(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  /** @param {Uint8Array} bytes */
  #writeOut(bytes) {
    this.#hash.update(bytes);
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
  }
}

/**
 * Writes a file unless it exists and matches its seal.
 * @param {string} path
 * @param {() => Iterable<string | Uint8Array>} produce called only if the file must be written
 * @returns {string} SHA-256 of the file, hexadecimal
 */
export function ensureSealedFile(path, produce) {
  const sealed = readSeal(path);
  if (sealed !== null) return sealed;
  const folder = dirname(path);
  const writer = new SealedFileWriter(folder);
  try {
    for (const chunk of produce()) writer.write(chunk);
  } catch (error) {
    writer.discard();
    throw error;
  }
  const digest = writer.finish();
  writer.moveTo(path, digest);
  return digest;
}

/**
 * @param {string} path
 * @returns {string | null} SHA-256 of the file, hexadecimal; null if the file or its seal is
 *   missing or they do not match
 * @throws {UsageError} when the path is not a file
 */
export function readSeal(path) {
  if (!isFile(path) || !isFile(sealPath(path))) return null;
  const hash = createHash('sha256');
  for (const chunk of streamChunks(path)) hash.update(chunk);
  const digest = hash.digest('hex');
  return readFileSync(sealPath(path), 'utf8') === digest ? digest : null;
}

/**
 * @type {(path: string) => boolean} whether there is a file
 * @throws {UsageError} when the path is not a file
 */
function isFile(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined || status.isFile()) return status !== undefined;
  throw new UsageError(`'${path}' in the corpus store is not a file`, {
    remedy: 'Remove it to generate it again.',
  });
}

/** @param {string} path */
function sealPath(path) {
  return `${path}.sha256`;
}
