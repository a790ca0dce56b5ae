import { readTerminatedText } from './read-string.js';
import { BSONError, BSONRegExp } from './values.js';

/**
 * Reads a regular expression. A native one gets `i` and `m`, and `g` for `s`, the reverse of
 * writing; other options are dropped.
 * @param {import('./reader.js').Reader} reader
 * @returns {RegExp | BSONRegExp}
 * @throws {BSONError} if a terminator is missing, an option is unknown (BSONRegExp) or JavaScript
 *   rejects the pattern (RegExp; bson throws the SyntaxError)
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
  return makeRegExp(pattern, flags);
}

/** @type {(pattern: string, flags: string) => RegExp} */
function makeRegExp(pattern, flags) {
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    throw new BSONError(
      `/${pattern}/${flags} is no regular expression of JavaScript: read it with bsonRegExp`,
      { cause },
    );
  }
}
