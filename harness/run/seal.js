/**
 * A seal is what a process has written to a journal: its number of bytes and their digest. The end of a session records
 * one for each journal, so that a later reader notices lines that were changed, added or removed. It is no signature:
 * whoever may write to the files can also write another seal.
 */

import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/** @import { JournalSeal } from '../formats/types.ts' */

const CHUNK_BYTES = 1 << 20;

/**
 * @typedef {object} RunningSeal
 * @property {(text: string) => void} add text that was appended to the file
 * @property {() => JournalSeal} take
 */

/**
 * Begins a seal with what a file holds.
 * @type {(file: string) => RunningSeal}
 */
export function openSeal(file) {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const chunk of readChunks(file, Infinity)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return {
    add(text) {
      hash.update(text);
      bytes += Buffer.byteLength(text);
    },
    take: () => ({ bytes, digest: `sha256:${hash.copy().digest('hex')}` }),
  };
}

/**
 * Compares a file with its seal.
 *
 * @param {string} file absolute path; one that does not exist is empty
 * @param {JournalSeal} seal
 * @param {{ mayGrow: boolean }} options whether more may follow
 * @returns {'changed' | 'added' | 'removed' | null} what happened to its lines
 */
export function findBreak(file, { bytes, digest }, { mayGrow }) {
  const hash = createHash('sha256');
  let seen = 0;
  for (const chunk of readChunks(file, bytes)) {
    hash.update(chunk);
    seen += chunk.length;
  }
  if (seen < bytes) return 'removed';
  if (`sha256:${hash.digest('hex')}` !== digest) return 'changed';
  if (mayGrow) return null;
  for (const _ of readChunks(file, 1, bytes)) return 'added';
  return null;
}

/** @type {(file: string, maxBytes: number, from?: number) => Iterable<Buffer>} */
function* readChunks(file, maxBytes, from = 0) {
  const descriptor = openIfExists(file);
  if (descriptor === null) return;
  try {
    for (let left = maxBytes, position = from; left > 0;) {
      const chunk = Buffer.alloc(Math.min(left, CHUNK_BYTES));
      const length = readSync(descriptor, chunk, 0, chunk.length, position);
      if (length === 0) return;
      yield chunk.subarray(0, length);
      left -= length;
      position += length;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** @type {(file: string) => number | null} */
function openIfExists(file) {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
}
