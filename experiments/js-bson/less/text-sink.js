import { bytes } from '../champion/scratch.js';
import { readText } from '../champion/read-text.js';
import { stringify } from '../operations/support/operation.js';

/** @import { Sink } from './make-json-writer.js' */

// eslint-disable-next-line no-control-regex -- JSON escapes control characters
const ESCAPED = /["\\\u0000-\u001f]/;

/** Collects JSON text as a string. @type {() => Sink<string>} */
export function makeTextSink() {
  let json = '';

  /** @param {string} text */
  function add(text) {
    json += text;
  }

  return {
    begin() {
      json = '';
    },
    prepare: (text) => text,
    add,
    addAscii: add,
    addAny: add,
    addString(start, end) {
      const text = readText(start, end, true);
      json += ESCAPED.test(text) ? stringify(text) : `"${text}"`;
    },
    addInteger(value) {
      json += value;
    },
    addDate(ms) {
      json += stringify(new Date(ms));
    },
    addObjectId(at) {
      json += `"${bytes.toString('hex', at, at + 12)}"`;
    },
    finish: () => Buffer.from(json),
  };
}
