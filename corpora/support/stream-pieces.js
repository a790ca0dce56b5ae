import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Small enough to be no burden, large enough that reads cost nothing. */
const CHUNK_BYTES = 2 ** 20;

/**
 * Reads a file from front to end without holding more than a chunk, or one piece where that is
 * longer.
 *
 * @param {string} path
 * @param {(bytes: Buffer, start: number) => number} findEnd offset behind the piece that starts at
 *   `start`; −1 when its end is not among the bytes
 * @returns {Generator<Buffer>} the pieces, and last whatever has no end. Each is a view of memory
 *   that nothing is written to afterwards.
 */
export function* streamPieces(path, findEnd) {
  /** @type {Buffer} */
  let rest = Buffer.alloc(0);
  for (const chunk of streamChunks(path, () => rest.length)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    while (start < bytes.length) {
      const end = findEnd(bytes, start);
      if (end === -1) break;
      yield bytes.subarray(start, end);
      start = end;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield rest;
}

/**
 * @param {string} path
 * @param {() => number} [countPending] bytes that the reader could not use yet. A chunk is at least
 *   as long, so that a long piece is put together in few steps.
 * @returns {Generator<Buffer>} chunks, each of its own memory, none empty
 */
export function* streamChunks(path, countPending = () => 0) {
  const descriptor = openSync(path, 'r');
  try {
    const chunkBytes = Math.min(CHUNK_BYTES, fstatSync(descriptor).size);
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(Math.max(1, chunkBytes, countPending()));
      const length = readSync(descriptor, chunk, 0, chunk.length, null);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}
