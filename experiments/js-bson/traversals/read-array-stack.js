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
 * @typedef {object} StackFrame
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
 */

/**
 * Reads a document without recursion. The frames of open documents are in an array, the innermost
 * last. The array flag is read from the current frame for every field, and a closure that looks up
 * the current frame stores the value.
 * @type {(reader: Reader) => any}
 */
export function readDocument(reader) {
  const { bytes } = reader;
  let frame = openFrame(reader, OBJECT, '', reader.raw, reader.validate, null);
  const stack = [frame];

  /** @param {string | number} name @param {unknown} value */
  function setValue(name, value) {
    assignField(frame.target, name, value);
  }

  for (;;) {
    const type = bytes[reader.index++];
    if (type === END_OF_DOCUMENT) {
      checkTerminator(reader, frame.end);
      const { name } = frame;
      const value = finishFrame(frame);
      stack.pop();
      if (stack.length === 0) return value;
      frame = stack[stack.length - 1];
      setValue(name, value);
      continue;
    }
    const keyEnd = findTerminator(reader);
    const { isArray } = frame;
    const name = isArray ? frame.nextIndex++ : readUtf8(bytes, reader.index, keyEnd, false);
    reader.index = keyEnd + 1;
    if (frame.maybeDbRef !== false && typeof name === 'string' && name[0] === '$') {
      frame.maybeDbRef = isDbRefKey(name);
    }
    let { validate } = frame;
    if (reader.namedKeys !== null && stack.length === 1) {
      validate = reader.namedKeys.has(name) === validate;
    }
    const isContainer = type === OBJECT || type === ARRAY || type === CODE_WITH_SCOPE;
    if (isContainer && !(type === OBJECT && frame.raw)) {
      frame = openNested(reader, type, name, validate, frame.raw);
      stack.push(frame);
    } else {
      const value = isContainer
        ? readRawDocument(reader)
        : readElement(reader, type, name, validate);
      setValue(name, value);
    }
  }
}

/**
 * @param {Reader} reader
 * @param {number} type
 * @param {string | number} name
 * @param {boolean} validate
 * @param {boolean} outerRaw of the enclosing frame
 * @returns {StackFrame}
 */
function openNested(reader, type, name, validate, outerRaw) {
  if (type === OBJECT) return openFrame(reader, OBJECT, name, reader.raw, validate, null);
  if (type === ARRAY) {
    const raw = outerRaw || Boolean(reader.fieldsAsRaw && reader.fieldsAsRaw[name]);
    return openFrame(reader, ARRAY, name, raw, validate, null);
  }
  const source = readScopeSource(reader, validate);
  return openFrame(reader, CODE_WITH_SCOPE, name, reader.raw, validate, source);
}

/**
 * @param {Reader} reader positioned before the document
 * @param {number} kind
 * @param {string | number} name
 * @param {boolean} raw
 * @param {boolean} validate
 * @param {string | null} source
 * @returns {StackFrame}
 */
function openFrame(reader, kind, name, raw, validate, source) {
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
  };
}

/** @type {(frame: StackFrame) => any} the resulting value */
function finishFrame(frame) {
  const { kind, target, source } = frame;
  if (kind === OBJECT && frame.maybeDbRef) return promoteDbRef(target);
  return source === null ? target : new Code(source, target);
}
