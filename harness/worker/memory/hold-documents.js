import { pathToFileURL } from 'node:url';
import { streamBsonDocuments } from '../../../corpora/support/document-files.js';

/** @import { CorpusMemoryJob } from '../../formats/types.ts' */

/** Read and dropped before any is kept, so that compilation and hidden classes of the reader are not
 * counted. */
const WARM_UP_DOCUMENTS = 10_000;
const WARM_UP_BYTES = 8 * 2 ** 20;

/** Holds the list of documents: a heap snapshot finds it by the name of this class
 * (`heap-snapshot/held.js`), and nothing else keeps it alive. */
class AssayHeldDocuments {
  /** @param {unknown[]} documents */
  constructor(documents) {
    this.documents = documents;
  }
}

/**
 * A slab of Node's buffer pool: its size, and how much of it was used before; nothing if the slab before it was full.
 *
 * @typedef {{ slabBytes: number, usedBytes: number }} PoolSlab
 */

/**
 * Reads documents with the variant and keeps all of them.
 *
 * @param {object} module of the variant
 * @param {CorpusMemoryJob} job
 * @param {(held: number) => Promise<void>} [onHeld] awaited after each number of documents in `stops`
 * @param {number[]} [stops] ascending
 * @returns {Promise<PoolSlab>} the last one that the reader allocated small buffers in
 */
export async function holdDocuments(module, job, onHeld, stops = []) {
  const url = pathToFileURL(`${job.familyPath}/retain.js`);
  const { openDocumentReader } = await import(url.href);
  /** @type {(bytes: Uint8Array) => unknown} */
  const readDocument = openDocumentReader(module);
  const count = job.documentCount;
  // The list has its full length from the start, so that it does not affect the slope.
  const documents = new Array(count);
  Reflect.set(globalThis, 'assayHeldDocuments', new AssayHeldDocuments(documents));
  const stopAt = new Set(stops);
  readAndDrop(readDocument, job.corpus.files.bytes);
  fillBufferPool();
  const source = repeatDocuments(job.corpus.files.bytes);
  for (let held = 0; held < count;) {
    documents[held++] = readDocument(ownBytes(/** @type {Uint8Array} */ (source.next().value)));
    if (stopAt.has(held)) await onHeld?.(held);
  }
  source.return(undefined);
  const lastSlab = fillBufferPool();
  Buffer.allocUnsafe(1);
  return lastSlab;
}

/** @param {(bytes: Uint8Array) => unknown} readDocument @param {string} path of BSON documents */
function readAndDrop(readDocument, path) {
  let bytesRead = 0;
  let documentsRead = 0;
  for (const bytes of repeatDocuments(path)) {
    readDocument(ownBytes(bytes));
    bytesRead += bytes.length;
    if (++documentsRead >= WARM_UP_DOCUMENTS || bytesRead >= WARM_UP_BYTES) return;
  }
}

/** @param {string} path of BSON documents @returns {Generator<Uint8Array, void>} without an end */
function* repeatDocuments(path) {
  for (;;) yield* streamBsonDocuments(path);
}

/**
 * Copies the bytes of a document; otherwise a variant that returns views would seem to hold the whole
 * file.
 *
 * @param {Uint8Array} bytes
 */
function ownBytes(bytes) {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/**
 * Exhausts the pool that Node allocates small buffers from, so that held documents do not share a slab
 * with earlier or later buffers.
 * @type {() => PoolSlab} the slab that it began in
 */
function fillBufferPool() {
  const unit = 8;
  const first = Buffer.allocUnsafe(unit).buffer;
  let leftBytes = unit;
  // Where a slab begins, which some versions of Node align, is only seen of a new one.
  let start = NaN;
  for (let left = (2 * Buffer.poolSize) / unit; left > 0; left--) {
    const { buffer, byteOffset } = Buffer.allocUnsafe(unit);
    if (buffer === first) leftBytes += unit;
    else if (Number.isNaN(start)) start = byteOffset;
    if (byteOffset + unit >= start + Buffer.poolSize) break;
  }
  const slabBytes = first.byteLength;
  // Some runtimes have no pool.
  return { slabBytes, usedBytes: slabBytes < Buffer.poolSize ? 0 : Buffer.poolSize - leftBytes };
}
