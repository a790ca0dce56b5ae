import { FormatError } from '../../harness/lib/errors.js';
import { streamPieces } from './json-documents.js';

/** Length and closing NUL. */
const MIN_DOCUMENT_BYTES = 5;

/**
 * The documents of a file of concatenated BSON, without reading what is in them.
 *
 * @param {Buffer} bytes whole documents, one after the other
 * @returns {Generator<Buffer>} views of `bytes`
 */
export function* splitBsonDocuments(bytes) {
  let offset = 0;
  while (offset < bytes.length) {
    const end = offset + bytes.readInt32LE(offset);
    yield bytes.subarray(offset, end);
    offset = end;
  }
}

/**
 * The same for a file that is too large to hold: reads on as the documents are taken.
 *
 * @param {string} path
 * @returns {Generator<Buffer>} views of a chunk of the file, which stays as long as one of them
 *   does: copy what you keep
 * @throws {FormatError} when the file ends within a document or a length is impossible
 */
export function* streamBsonDocuments(path) {
  let offset = 0;
  for (const bytes of streamPieces(path, findDocumentEnd)) {
    if (bytes.length < MIN_DOCUMENT_BYTES || bytes.readInt32LE(0) !== bytes.length) {
      throw new FormatError(`${path} has no whole document at byte ${offset}`, {
        remedy:
          'Remove the file, and it is made again; import the corpus again if it was imported.',
      });
    }
    yield bytes;
    offset += bytes.length;
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @returns {number}
 */
function findDocumentEnd(bytes, start) {
  if (bytes.length - start < 4) return -1;
  const length = bytes.readInt32LE(start);
  if (length < MIN_DOCUMENT_BYTES) return bytes.length;
  return start + length <= bytes.length ? start + length : -1;
}
