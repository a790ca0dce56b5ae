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
import { releaseFrame, takeFrame } from './read-frame-pool.js';

/** @import { Reader } from '../codec/reader.js' */
/** @import { PooledFrame } from './read-frame-pool.js' */

/**
 * Like `read-linked-list.js`, but a frame keeps its inner frame for the next document at that
 * level. A frame is cleared when its document ends.
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
 * @param {PooledFrame} prev
 * @returns {PooledFrame}
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
 * @param {PooledFrame | null} prev
 * @returns {PooledFrame}
 */
function openFrame(reader, kind, name, raw, validate, source, prev) {
  const isArray = kind === ARRAY;
  const frame = takeFrame(prev);
  frame.target = isArray ? [] : {};
  frame.kind = kind;
  frame.name = name;
  frame.end = openDocument(reader);
  frame.isArray = isArray;
  frame.nextIndex = 0;
  frame.raw = raw;
  frame.validate = validate;
  frame.maybeDbRef = isArray ? false : null;
  frame.source = source;
  return frame;
}

/**
 * Ends a document and stores it in the enclosing frame, if there is one.
 * @param {Reader} reader positioned after the terminator
 * @param {PooledFrame} frame
 * @returns {any} the resulting value
 */
function closeFrame(reader, frame) {
  checkTerminator(reader, frame.end);
  const { kind, target, source, prev } = frame;
  let value = target;
  if (kind === OBJECT && frame.maybeDbRef) value = promoteDbRef(target);
  if (source !== null) value = new Code(source, target);
  if (prev !== null) assignField(prev.target, frame.name, value);
  releaseFrame(frame);
  return value;
}
