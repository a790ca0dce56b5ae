// Each variant is one file: its idea, where it comes from, and the functions that the operations call.

import { makeCodec } from '../codec.js';

export const variant = {
  idea: 'strings are written and read character by character',
  source: 'assay init',
};

const ESCAPED = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
const UNESCAPED = new Map([...ESCAPED].map(([character, text]) => [text[1], character]));

/** @param {string} text */
export function quote(text) {
  let quoted = '"';
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    const escaped = ESCAPED.get(character);
    if (escaped !== undefined) quoted += escaped;
    else if (character < ' ')
      quoted += `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    else quoted += character;
  }
  return `${quoted}"`;
}

/** @type {(text: string, start: number) => { value: string, end: number }} */
export function unquote(text, start) {
  let value = '';
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (character === '"') return { value, end: index + 1 };
    if (character !== '\\') {
      value += character;
    } else if (text[++index] === 'u') {
      value += String.fromCharCode(parseInt(text.slice(index + 1, index + 5), 16));
      index += 4;
    } else {
      value += UNESCAPED.get(text[index]) ?? text[index];
    }
  }
  throw new SyntaxError('a string does not end');
}

export const { encode, decode } = makeCodec({ quote, unquote });
