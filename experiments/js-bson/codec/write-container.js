import { END_OF_DOCUMENT } from './element-types.js';
import { isAnyArrayBuffer, isDate, isRegExp, isUint8Array } from './kinds.js';
import { writeInt32 } from './numbers.js';
import { BSONError } from './values.js';

/**
 * The options for a document and everything in it.
 * @typedef {object} Rules
 * @property {boolean} checkKeys
 * @property {boolean} ignoreUndefined
 * @property {boolean} serializeFunctions
 */

/** Returned for an object, array or Map, which the traversal enters. */
export const ENTER_DOCUMENT = -1;
/** Returned for a Code whose scope the traversal enters. */
export const ENTER_SCOPE = -2;
/** Returned for a DBRef, whose fields the traversal enters. */
export const ENTER_DBREF = -3;
/** Offset of the code-with-scope size for a document that is not a scope. */
export const NO_SCOPE = -1;

/** Bytes of a document's size field. */
export const SIZE_BYTES = 4;

/**
 * Rejects values that cannot be a whole document.
 * @param {any} root neither null nor undefined
 * @throws {BSONError}
 */
export function checkRoot(root) {
  if (Array.isArray(root)) {
    throw new BSONError('a BSON document cannot be an array; put the array into a field');
  }
  if (typeof root !== 'object') {
    throw new BSONError(`a BSON document must be an object, found ${typeof root}`);
  }
  if ('_bsontype' in root && typeof root._bsontype === 'string') {
    throw new BSONError(
      `a BSON document cannot be a value of type ${root._bsontype}; put the value into a field`,
    );
  }
  if (isDate(root) || isRegExp(root) || isUint8Array(root) || isAnyArrayBuffer(root)) {
    throw new BSONError(
      'a BSON document cannot be a date, regular expression or bytes; put it into a field',
    );
  }
}

/**
 * Calls toBSON of a document. For objects in fields `resolveValue` has called it before; bson also
 * calls it twice.
 * @param {any} document neither array nor Map
 * @returns {any} the object whose keys are written
 * @throws {BSONError} if toBSON does not return an object
 */
export function resolveDocument(document) {
  if (typeof document.toBSON !== 'function') return document;
  const replacement = document.toBSON();
  if (replacement != null && typeof replacement !== 'object') {
    throw new BSONError(`toBSON of a document must return an object, found ${typeof replacement}`);
  }
  return replacement;
}

/** Calls toBSON of the value of a field. @type {(value: any) => any} */
export function resolveValue(value) {
  return typeof value?.toBSON === 'function' ? value.toBSON() : value;
}

/**
 * Adds a document to the path of open documents.
 * @param {Set<object>} path the documents that enclose it
 * @param {object} document
 * @throws {BSONError} if the document contains itself
 */
export function enterPath(path, document) {
  if (path.has(document)) {
    throw new BSONError('the document contains itself; BSON cannot hold circular structures');
  }
  path.add(document);
}

/**
 * Ends a document: terminator and sizes.
 * @param {Buffer} bytes
 * @param {number} offset
 * @param {number} sizeOffset where the document began
 * @param {number} scopeOffset where the enclosing code with scope began, or `NO_SCOPE`
 * @returns {number} offset after the document
 */
export function closeDocument(bytes, offset, sizeOffset, scopeOffset) {
  bytes[offset] = END_OF_DOCUMENT;
  const end = offset + 1;
  writeInt32(bytes, sizeOffset, end - sizeOffset);
  if (scopeOffset !== NO_SCOPE) writeInt32(bytes, scopeOffset, end - scopeOffset);
  return end;
}

/**
 * The fields of a DBRef in the order in which they are written.
 * @type {(reference: import('bson').DBRef) => object}
 */
export function listDbRefFields(reference) {
  const { collection, oid, db, fields } = reference;
  const head =
    db == null ? { $ref: collection, $id: oid } : { $ref: collection, $id: oid, $db: db };
  return Object.assign(head, fields);
}

/**
 * The rules inside a DBRef: its `$` keys pass and undefined fields are left out.
 * @type {(rules: Rules) => Rules}
 */
export function rulesOfDbRef(rules) {
  return {
    checkKeys: false,
    ignoreUndefined: true,
    serializeFunctions: rules.serializeFunctions,
  };
}
