import { ARRAY, CODE_WITH_SCOPE, END_OF_DOCUMENT, OBJECT } from '../codec/element-types.js';
import {
  assignField,
  checkTerminator,
  isDbRefKey,
  openDocument,
  promoteDbRef,
  readRawDocument,
  readScopeSource,
} from '../codec/read-container.js';
import { readElement } from '../codec/read-element.js';
import { findTerminator } from '../codec/read-string.js';
import { readUtf8 } from '../codec/read-utf8.js';
import { Code } from '../codec/values.js';

/** @import { Reader } from '../codec/reader.js' */
/**
 * A document being read.
 * @typedef {object} LinkedFrame
 * @property {any} target the object or array being filled
 * @property {number} kind `OBJECT`, `ARRAY` or `CODE_WITH_SCOPE`
 * @property {string | number} name of its field in the enclosing frame
 * @property {number} end index at which the document ends
 * @property {boolean} isArray
 * @property {number} nextIndex index of the next array element
 * @property {boolean} raw whether embedded documents remain bytes
 * @property {boolean} validate whether invalid UTF-8 is an error
 * @property {boolean | null} maybeDbRef null until a `$` key has been seen
 * @property {string | null} source of a Code with scope
 * @property {LinkedFrame | null} prev the enclosing frame
 */

/**
 * Reads a document without recursion. The frames of open documents form a linked list; the target
 * and whether it is an array are kept in variables that change only with the frame.
 * @type {(reader: Reader) => any}
 */
export function readDocument(reader) {
  const { bytes } = reader;
  let frame = openFrame(reader, OBJECT, '', reader.raw, reader.validate, null, null);
  let { target, isArray } = frame;
  for (;;) {
    const type = bytes[reader.index++];
    if (type === END_OF_DOCUMENT) {
      const value = closeFrame(reader, frame);
      if (frame.prev === null) return value;
      frame = frame.prev;
      target = frame.target;
      isArray = frame.isArray;
      continue;
    }
    const keyEnd = findTerminator(reader);
    const name = isArray ? frame.nextIndex++ : readUtf8(bytes, reader.index, keyEnd, false);
    reader.index = keyEnd + 1;
    if (frame.maybeDbRef !== false && typeof name === 'string' && name[0] === '$') {
      frame.maybeDbRef = isDbRefKey(name);
    }
    let { validate } = frame;
    if (reader.namedKeys !== null && frame.prev === null) {
      validate = reader.namedKeys.has(name) === validate;
    }
    const isContainer = type === OBJECT || type === ARRAY || type === CODE_WITH_SCOPE;
    if (isContainer && !(type === OBJECT && frame.raw)) {
      frame = openNested(reader, type, name, validate, frame);
      target = frame.target;
      isArray = frame.isArray;
    } else {
      const value = isContainer
        ? readRawDocument(reader)
        : readElement(reader, type, name, validate);
      assignField(target, name, value);
    }
  }
}

/**
 * @param {Reader} reader
 * @param {number} type
 * @param {string | number} name
 * @param {boolean} validate
 * @param {LinkedFrame} prev
 * @returns {LinkedFrame}
 */
function openNested(reader, type, name, validate, prev) {
  if (type === OBJECT) return openFrame(reader, OBJECT, name, reader.raw, validate, null, prev);
  if (type === ARRAY) {
    const raw = prev.raw || Boolean(reader.fieldsAsRaw && reader.fieldsAsRaw[name]);
    return openFrame(reader, ARRAY, name, raw, validate, null, prev);
  }
  const source = readScopeSource(reader, validate);
  return openFrame(reader, CODE_WITH_SCOPE, name, reader.raw, validate, source, prev);
}

/**
 * @param {Reader} reader positioned before the document
 * @param {number} kind
 * @param {string | number} name
 * @param {boolean} raw
 * @param {boolean} validate
 * @param {string | null} source
 * @param {LinkedFrame | null} prev
 * @returns {LinkedFrame}
 */
function openFrame(reader, kind, name, raw, validate, source, prev) {
  const isArray = kind === ARRAY;
  return {
    target: isArray ? [] : {},
    kind,
    name,
    end: openDocument(reader),
    isArray,
    nextIndex: 0,
    raw,
    validate,
    maybeDbRef: isArray ? false : null,
    source,
    prev,
  };
}

/**
 * Ends a document and stores it in the enclosing frame, if there is one.
 * @param {Reader} reader positioned after the terminator
 * @param {LinkedFrame} frame
 * @returns {any} the resulting value
 */
function closeFrame(reader, frame) {
  checkTerminator(reader, frame.end);
  const { kind, target, source, prev } = frame;
  let value = target;
  if (kind === OBJECT && frame.maybeDbRef) value = promoteDbRef(target);
  if (source !== null) value = new Code(source, target);
  if (prev !== null) assignField(prev.target, frame.name, value);
  return value;
}
