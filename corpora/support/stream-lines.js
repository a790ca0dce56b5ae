import { streamPieces } from './stream-pieces.js';

const NEWLINE = 0x0a;

/**
 * Lines are decoded one at a time: the whole file may be longer than V8's longest string.
 *
 * @param {string} path of a UTF-8 file
 * @returns {Generator<string>} lines without their ends
 */
export function* streamLines(path) {
  for (const line of streamPieces(path, findLineEnd)) {
    const length = line.at(-1) === NEWLINE ? line.length - 1 : line.length;
    yield line.toString('utf8', 0, length);
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @returns {number}
 */
function findLineEnd(bytes, start) {
  const found = bytes.indexOf(NEWLINE, start);
  return found === -1 ? -1 : found + 1;
}
