import { readTerminatedText } from './read-string.js';
import { BSONRegExp } from './values.js';

/**
 * Reads a regular expression. A native one takes over `i` and `m`, and `s` as `g`, the counterpart
 * of what is written; other options are dropped.
 * @param {import('./reader.js').Reader} reader
 * @returns {RegExp | BSONRegExp}
 * @throws {import('bson').BSONError} where a terminator is missing or an option unknown (BSONRegExp)
 * @throws {SyntaxError} where the pattern is no JavaScript pattern (RegExp)
 */
export function readRegExp(reader) {
  const pattern = readTerminatedText(reader);
  const options = readTerminatedText(reader);
  if (reader.bsonRegExp) return new BSONRegExp(pattern, options);
  let flags = '';
  for (const option of options) {
    if (option === 'i' || option === 'm') flags += option;
    else if (option === 's') flags += 'g';
  }
  return new RegExp(pattern, flags);
}
