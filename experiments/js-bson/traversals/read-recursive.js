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
 * Reads a document by recursion: a nested document is a call, its state lives on the call stack.
 * @type {(reader: Reader) => any}
 * @throws {RangeError} where the nesting exhausts the call stack
 */
export function readDocument(reader) {
  return readFields(reader, OBJECT, reader.raw, reader.validate, reader.namedKeys);
}

/**
 * @param {Reader} reader positioned before the document
 * @param {number} kind `OBJECT`, `ARRAY` or `CODE_WITH_SCOPE` (whose document is never a DBRef)
 * @param {boolean} raw whether embedded documents remain bytes
 * @param {boolean} validate whether invalid UTF-8 is an error
 * @param {Set<unknown> | null} namedKeys keys to which `validate` applies, null for all
 * @returns {any}
 */
function readFields(reader, kind, raw, validate, namedKeys) {
  const { bytes } = reader;
  const end = openDocument(reader);
  const isArray = kind === ARRAY;
  /** @type {any} */
  const target = isArray ? [] : {};
  let nextIndex = 0;
  /** @type {boolean | null} */
  let maybeDbRef = isArray ? false : null;
  for (;;) {
    const type = bytes[reader.index++];
    if (type === END_OF_DOCUMENT) break;
    const keyEnd = findTerminator(reader);
    const name = isArray ? nextIndex++ : readUtf8(bytes, reader.index, keyEnd, false);
    reader.index = keyEnd + 1;
    if (maybeDbRef !== false && typeof name === 'string' && name[0] === '$') {
      maybeDbRef = isDbRefKey(name);
    }
    const validateField = namedKeys === null ? validate : namedKeys.has(name) === validate;
    const value =
      type === OBJECT || type === ARRAY || type === CODE_WITH_SCOPE
        ? readNested(reader, type, name, raw, validateField)
        : readElement(reader, type, name, validateField);
    assignField(target, name, value);
  }
  checkTerminator(reader, end);
  return maybeDbRef && kind === OBJECT ? promoteDbRef(target) : target;
}

/**
 * @param {Reader} reader standing before the nested document's size
 * @param {number} type
 * @param {string | number} name
 * @param {boolean} raw of the document around it
 * @param {boolean} validate
 * @returns {any}
 */
function readNested(reader, type, name, raw, validate) {
  if (type === OBJECT) {
    return raw ? readRawDocument(reader) : readFields(reader, OBJECT, raw, validate, null);
  }
  if (type === ARRAY) {
    const isRaw = raw || Boolean(reader.fieldsAsRaw && reader.fieldsAsRaw[name]);
    return readFields(reader, ARRAY, isRaw, validate, null);
  }
  const source = readScopeSource(reader, validate);
  return new Code(source, readFields(reader, CODE_WITH_SCOPE, reader.raw, validate, null));
}
