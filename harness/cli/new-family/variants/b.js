import { makeCodec } from '../codec.js';
import { quote as quoteSlowly, unquote as unquoteSlowly } from './a.js';

export const variant = {
  idea: 'strings without escapes, nearly all of them, are copied whole',
  source: 'assay init',
  // The variant that differs from this one in its idea alone.
  neighbour: 'a',
};

// A quote, a backslash, or what comes before the space.
const ESCAPED = /["\\]|[^ -\uffff]/;

/** @param {string} text */
function quote(text) {
  return ESCAPED.test(text) ? quoteSlowly(text) : `"${text}"`;
}

/** @type {(text: string, start: number) => { value: string, end: number }} */
function unquote(text, start) {
  const end = text.indexOf('"', start);
  if (end === -1) throw new SyntaxError('a string does not end');
  const value = text.slice(start, end);
  return value.includes('\\') ? unquoteSlowly(text, start) : { value, end: end + 1 };
}

export const { encode, decode } = makeCodec({ quote, unquote });
