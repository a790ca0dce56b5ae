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
import { UsageError } from '../../harness/lib/errors.js';
import { makeCacheDirectory } from '../../harness/lib/files.js';
import { streamChunks } from './stream-pieces.js';

/** What is written at once: a system call for each small document would cost more than hashing. */
const BUFFER_BYTES = 2 ** 18;

/**
 * A file that is written aside and moved into place when whole, with a seal (its SHA-256) beside
 * it. Readers never see half a file, and processes that write the same content at the same time do
 * each other no harm.
 */
export class SealedFileWriter {
  #hash = createHash('sha256');
  /** @type {string} */
  #asidePath;
  /** @type {number} */
  #descriptor;
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = 0;

  /** @param {string} folder on the same disk as the final path; made when missing */
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

  /** @returns {string} SHA-256 of all that was written, hexadecimal; nothing can follow */
  finish() {
    this.#flush();
    closeSync(this.#descriptor);
    return this.#hash.digest('hex');
  }

  /**
   * @param {string} path final place, in an existing folder
   * @param {string} digest what `finish` returned
   */
  moveTo(path, digest) {
    renameSync(this.#asidePath, path);
    writeFileWhole(sealPath(path), digest);
  }

  /** Leaves nothing behind; for a writer that is not finished. */
  discard() {
    closeSync(this.#descriptor);
    rmSync(this.#asidePath);
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
 * Makes sure that a file is there whole: kept when its seal fits, written anew otherwise.
 *
 * @param {string} path
 * @param {() => Iterable<string | Uint8Array>} produce called only when the file must be written
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
 * @returns {string | null} SHA-256 of the file, hexadecimal; null when the file or its seal is
 *   missing or the file is not what was sealed
 * @throws {UsageError} when something else lies there
 */
export function readSeal(path) {
  if (!isFile(path) || !isFile(sealPath(path))) return null;
  const hash = createHash('sha256');
  for (const chunk of streamChunks(path)) hash.update(chunk);
  const digest = hash.digest('hex');
  return readFileSync(sealPath(path), 'utf8') === digest ? digest : null;
}

/**
 * Writes a small file so that its path holds the old content or the new, never a part.
 *
 * @param {string} path
 * @param {string} content
 */
export function writeFileWhole(path, content) {
  const asidePath = `${path}.${randomUUID()}.tmp`;
  const descriptor = openSync(asidePath, 'wx');
  writeSync(descriptor, content);
  closeSync(descriptor);
  renameSync(asidePath, path);
}

/**
 * @param {string} path
 * @returns {boolean} whether there is a file
 * @throws {UsageError} when there is something else, which cannot be written over
 */
function isFile(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined || status.isFile()) return status !== undefined;
  throw new UsageError(`'${path}' in the store of corpora is no file`, {
    remedy: 'Remove it, and it is made again.',
  });
}

/** @param {string} path */
function sealPath(path) {
  return `${path}.sha256`;
}
