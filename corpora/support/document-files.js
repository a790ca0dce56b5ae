import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { FormatError } from '../../harness/lib/errors.js';

/**
 * One document of a file of Extended JSON.
 * @typedef {object} JsonDocument
 * @property {string} text the user's text on one line; parsing and formatting it would lose the
 *   difference between 5.0 and 5, and precision beyond a double
 * @property {string} where `document 3, which starts on line 17`, counted from 1, for messages
 */

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Splits a file into its documents: one document, an array of documents, or documents one after the
 * other, on one or several lines each. Works on bytes, one document at a time, because all of them may
 * not fit into memory as objects.
 * @param {Buffer} bytes UTF-8
 * @returns {Generator<JsonDocument>} valid JSON objects
 * @throws {FormatError} with the document and its line
 */
export function* splitJsonDocuments(bytes) {
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const cursor = new Cursor(bytes, hasMark ? BYTE_ORDER_MARK.length : 0);
  const isArray = cursor.skip(OPEN_BRACKET);
  for (let index = 0; ; index++) {
    cursor.skipSpace();
    if (cursor.atEnd() || (isArray && cursor.peek() === CLOSE_BRACKET)) break;
    const where = `document ${index + 1}, which starts on line ${cursor.line},`;
    yield { text: readDocument(cursor.takeObject(where), where), where };
    if (isArray && !cursor.skip(COMMA)) break;
  }
  if (isArray && !cursor.skip(CLOSE_BRACKET)) {
    throw new FormatError(`the array of documents is not closed properly on line ${cursor.line}`, {
      remedy: 'Put a comma between documents and a ] after the last.',
    });
  }
  cursor.skipSpace();
  if (!cursor.atEnd()) {
    throw new FormatError(`unexpected text after the array of documents on line ${cursor.line}`, {
      remedy: 'A file contains either one array of documents, or documents without an array.',
    });
  }
}

/** A position in the bytes with its line number. */
class Cursor {
  line = 1;
  #bytes;
  #offset;

  /**
   * @param {Buffer} bytes
   * @param {number} offset
   */
  constructor(bytes, offset) {
    this.#bytes = bytes;
    this.#offset = offset;
  }

  atEnd() {
    return this.#offset >= this.#bytes.length;
  }

  peek() {
    return this.#bytes[this.#offset];
  }

  skipSpace() {
    for (; !this.atEnd(); this.#offset++) {
      const byte = this.peek();
      if (byte === NEWLINE) this.line++;
      else if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return;
    }
  }

  /** @param {number} byte skipped, with the space before it, if it comes next */
  skip(byte) {
    this.skipSpace();
    const found = this.peek() === byte;
    if (found) this.#offset++;
    return found;
  }

  /**
   * @type {(where: string) => Buffer} from the opening brace to the closing one
   * @throws {FormatError}
   */
  takeObject(where) {
    if (this.peek() !== OPEN_BRACE) {
      throw new FormatError(`${where} is not an object: it does not begin with {`, {
        remedy: 'Every document of a corpus must be an object.',
      });
    }
    const start = this.#offset;
    const end = findObjectEnd(this.#bytes, start);
    if (end === -1) {
      throw new FormatError(`${where} has no end: a brace or a quote is missing`, {
        remedy: 'Check that the file is complete and fix the document.',
      });
    }
    for (; this.#offset < end; this.#offset++) if (this.peek() === NEWLINE) this.line++;
    return this.#bytes.subarray(start, end);
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} start of an opening brace
 * @returns {number} offset after the matching brace, −1 if there is none
 */
function findObjectEnd(bytes, start) {
  let depth = 0;
  let inString = false;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACE) depth++;
    else if (byte === CLOSE_BRACE && --depth === 0) return i + 1;
  }
  return -1;
}

/** @type {(bytes: Buffer, where: string) => string} */
function readDocument(bytes, where) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    JSON.parse(text);
    // In valid JSON, line breaks and the space around them occur only between tokens.
    return text.replace(/\s*[\r\n]\s*/g, ' ');
  } catch (cause) {
    const call = findShellSyntax(bytes.toString());
    if (call !== null) {
      throw new FormatError(`${where} is in the syntax of the mongo shell: ${call}(…)`, {
        remedy: SHELL_REMEDY,
        cause,
      });
    }
    const reason = cause instanceof SyntaxError ? cause.message : 'it is not UTF-8';
    throw new FormatError(`${where} is not valid JSON: ${reason}`, {
      remedy: 'Fix the document, or leave it out.',
      cause,
    });
  }
}

const SHELL_CALL =
  /[:[,(]\s*(?:new\s+)?(ObjectId|ISODate|Date|Number(?:Long|Int|Decimal)|BinData|UUID|Timestamp|DBRef|MinKey|MaxKey)\s*\(/;
export const SHELL_REMEDY =
  'Export Extended JSON: mongoexport --jsonFormat canonical --db DB --collection COLLECTION, or in mongosh: EJSON.stringify(db.COLLECTION.find().toArray())';

/**
 * @param {string} text that is no JSON
 * @returns {string | null} the first function of the mongo shell that it calls: `ObjectId`
 */
export function findShellSyntax(text) {
  return SHELL_CALL.exec(text)?.[1] ?? null;
}

/**
 * Decodes one line at a time, because a file can be longer than V8's longest string.
 * @param {string} path of a UTF-8 file
 * @returns {Generator<string>} lines without their ends
 */
export function* streamLines(path) {
  for (const line of streamPieces(path, findLineEnd)) {
    const length = line.at(-1) === NEWLINE ? line.length - 1 : line.length;
    yield line.toString('utf8', 0, length);
  }
}

/** @type {(bytes: Buffer, start: number) => number} */
function findLineEnd(bytes, start) {
  const found = bytes.indexOf(NEWLINE, start);
  return found === -1 ? -1 : found + 1;
}

/** Large enough that the cost of reads is negligible. */
const CHUNK_BYTES = 2 ** 20;

/**
 * Reads a file sequentially, with one chunk in memory, or one piece if that is longer.
 * @param {string} path
 * @param {(bytes: Buffer, start: number) => number} findEnd offset after the piece that starts at
 *   `start`; −1 if its end is not in the bytes
 * @returns {Generator<Buffer>} the pieces, and last a piece without an end. The memory of each is
 *   not reused.
 */
function* streamPieces(path, findEnd) {
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
 *   as long, so that a long piece needs few reads.
 * @returns {Generator<Buffer>} chunks, each in its own memory, none empty
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

/** Length and closing NUL. */
const MIN_DOCUMENT_BYTES = 5;

/**
 * Splits concatenated BSON into documents without parsing them.
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
 * Reads the documents of a file of concatenated BSON one by one.
 * @param {string} path
 * @returns {Generator<Buffer>} views of a chunk of the file, which stays in memory as long as
 *   one of them does; copy what you keep
 * @throws {FormatError} when the file ends within a document or a length is impossible
 */
export function* streamBsonDocuments(path) {
  let offset = 0;
  for (const bytes of streamPieces(path, findDocumentEnd)) {
    if (bytes.length < MIN_DOCUMENT_BYTES || bytes.readInt32LE(0) !== bytes.length) {
      throw new FormatError(`${path} has no whole document at byte ${offset}`, {
        remedy: 'Remove the file to generate it again; import the corpus again if it was imported.',
      });
    }
    yield bytes;
    offset += bytes.length;
  }
}

/** @type {(bytes: Buffer, start: number) => number} */
function findDocumentEnd(bytes, start) {
  if (bytes.length - start < 4) return -1;
  const length = bytes.readInt32LE(start);
  if (length < MIN_DOCUMENT_BYTES) return bytes.length;
  return start + length <= bytes.length ? start + length : -1;
}
