import { readInt32 } from './numbers.js';
import { readText } from './read-string.js';
import { BSONError, DBRef } from './values.js';

/** @import { Reader } from './reader.js' */

/** Size and terminator. */
const SMALLEST_DOCUMENT_BYTES = 5;
/** Total size, string size, empty string with terminator, scope size. */
const SMALLEST_SCOPE_BYTES = 13;

/**
 * Reads and checks the size of an embedded document or array.
 * @param {Reader} reader positioned before the size, afterwards after it
 * @returns {number} index at which the document ends
 * @throws {BSONError}
 */
export function openDocument(reader) {
  const start = reader.index;
  const sizeBytes = readInt32(reader.bytes, start);
  if (sizeBytes < SMALLEST_DOCUMENT_BYTES || sizeBytes > reader.bytes.length - start) {
    throw new BSONError(`the embedded document at byte ${start} has a wrong size: ${sizeBytes}`);
  }
  reader.index = start + 4;
  return start + sizeBytes;
}

/**
 * Takes an embedded document as bytes.
 * @param {Reader} reader positioned before the document, afterwards after it
 * @returns {Buffer} a view, not a copy
 * @throws {BSONError}
 */
export function readRawDocument(reader) {
  const start = reader.index;
  reader.index = openDocument(reader);
  return reader.bytes.subarray(start, reader.index);
}

/**
 * Reads the source of a Code with scope and checks that all its sizes agree.
 * @param {Reader} reader afterwards positioned before the scope document
 * @param {boolean} validate whether invalid UTF-8 in the source is an error
 * @returns {string}
 * @throws {BSONError}
 */
export function readScopeSource(reader, validate) {
  const start = reader.index;
  const sizeBytes = readInt32(reader.bytes, start);
  if (sizeBytes < SMALLEST_SCOPE_BYTES) {
    throw new BSONError(`the code with scope at byte ${start} says ${sizeBytes} bytes, below 13`);
  }
  reader.index += 4;
  const source = readText(reader, validate);
  const needed = reader.index - start + readInt32(reader.bytes, reader.index);
  if (sizeBytes !== needed) {
    throw new BSONError(
      `the code with scope at byte ${start} says ${sizeBytes} bytes, its parts have ${needed}`,
    );
  }
  return source;
}

/**
 * Checks that the terminator is at the end given by the document's size.
 * @param {Reader} reader positioned after the terminator
 * @param {number} end index at which the document ends
 * @throws {BSONError}
 */
export function checkTerminator(reader, end) {
  if (reader.index !== end) {
    throw new BSONError(
      `a document's terminator stands at byte ${reader.index - 1}, by its size it should at ${end - 1}`,
    );
  }
}

/**
 * Assigns a field. The key `__proto__` becomes a property like any other.
 * @param {any} target object or array
 * @param {string | number} name
 * @param {unknown} value
 */
export function assignField(target, name, value) {
  if (name === '__proto__') {
    Object.defineProperty(target, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    target[name] = value;
  }
}

/**
 * Whether a `$` key may occur in a DBRef. A document with any other is not one.
 * @type {(name: string) => boolean}
 */
export function isDbRefKey(name) {
  return name === '$ref' || name === '$id' || name === '$db';
}

/**
 * Converts a document with the fields of a DBRef to one. Other documents are returned unchanged.
 * @type {(document: any) => any}
 */
export function promoteDbRef(document) {
  const { $ref, $id, $db, ...fields } = document;
  if ($id == null || typeof $ref !== 'string') return document;
  if ('$db' in document && typeof $db !== 'string') return document;
  return new DBRef($ref, $id, $db, fields);
}
