import { indexDocument } from './pool.js';

/** @import { Problem } from './examine.js' */
/** @import { Handling } from './mutate.js' */

/** @typedef {{ bytes: Buffer, handling: Handling, problem: Problem }} Shrunk */
/** @typedef {(bytes: Buffer, handling?: Handling) => boolean} Keep whether the problem stays */

/** Maximum number of documents to try; each takes a few microseconds. */
const MAX_TRIALS = 4_000;
const SIZE_BYTES = 4;
/** Bytes that are already simple: a type byte, a size or a character. */
const PLAINEST = 0;

/**
 * Shrinks a document while it shows a problem of the same kind: fewer options, elements and bytes,
 * more zeros.
 * @param {Buffer} bytes
 * @param {Handling} handling
 * @param {Problem} seen its problem; a document whose problem does not recur is returned unchanged
 * @param {(bytes: Buffer, handling: Handling) => Problem | null} examine
 * @returns {Shrunk}
 */
export function shrinkDocument(bytes, handling, seen, examine) {
  /** @type {Shrunk} */
  let best = { bytes: Buffer.from(bytes), handling, problem: seen };
  let trials = 0;

  /** @type {Keep} */
  function keepIfSame(smaller, plainer = best.handling) {
    if (trials++ >= MAX_TRIALS) return false;
    const problem = examine(smaller, plainer);
    if (problem === null || problem.kind !== seen.kind) return false;
    best = { bytes: smaller, handling: plainer, problem };
    return true;
  }

  freeFromOptions(best, keepIfSame);
  while (listWithoutElement(best.bytes).some((smaller) => keepIfSame(smaller)));
  for (let count = best.bytes.length >> 1; count >= 1; count >>= 1) {
    for (let at = 0; at + count <= best.bytes.length;) {
      if (!listWithout(best.bytes, at, count).some((cut) => keepIfSame(cut))) at += count;
    }
  }
  for (let at = SIZE_BYTES; at < best.bytes.length; at++) {
    if (best.bytes[at] === PLAINEST) continue;
    const plainer = Buffer.from(best.bytes);
    plainer[at] = PLAINEST;
    keepIfSame(plainer);
  }
  return best;
}

/**
 * Tries the document without options and without the bytes around it.
 * @param {Shrunk} first
 * @param {Keep} keepIfSame
 */
function freeFromOptions({ bytes, handling }, keepIfSame) {
  const { readOptions, writeOptions } = handling;
  const { index, ...rest } = readOptions;
  delete rest['allowObjectSmallerThanBufferSize'];
  const alone = index > 0 ? cutOut(bytes, index) : bytes;
  for (const document of [alone, bytes]) {
    for (const options of [{}, rest, readOptions]) {
      if (keepIfSame(document, { readOptions: options, writeOptions: {} })) return;
      if (keepIfSame(document, { readOptions: options, writeOptions })) return;
    }
  }
}

/** @type {(bytes: Buffer, index: number) => Buffer} the document at that offset, possibly truncated */
function cutOut(bytes, index) {
  const sizeBytes = index + SIZE_BYTES <= bytes.length ? bytes.readInt32LE(index) : 0;
  return Buffer.from(bytes.subarray(index, index + Math.max(0, sizeBytes)));
}

/** @type {(bytes: Buffer) => Buffer[]} without one element each, the sizes around it corrected */
function listWithoutElement(bytes) {
  return indexDocument(bytes).elements.map(function removeElement({ start, end, around }) {
    const copy = Buffer.from(bytes);
    for (const offset of around) {
      if (offset + SIZE_BYTES <= copy.length) {
        copy.writeInt32LE((copy.readInt32LE(offset) - (end - start)) | 0, offset);
      }
    }
    return Buffer.concat([copy.subarray(0, start), copy.subarray(end)]);
  });
}

/**
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} count
 * @returns {Buffer[]} without a range, the root's size corrected in the first
 */
function listWithout(bytes, at, count) {
  const cut = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);
  if (cut.length < SIZE_BYTES) return [cut];
  const settled = Buffer.from(cut);
  settled.writeInt32LE(cut.length, 0);
  return [settled, cut];
}
