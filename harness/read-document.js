import { readFileSync } from 'node:fs';
import { FormatError } from './errors.js';
import { validate } from './schemas.js';

/** @import { FormatKind } from './schemas.js' */

/**
 * Parses what is kept on disk.
 *
 * @param {string} text
 * @param {string} where how a message names it
 * @param {string} remedy
 * @returns {unknown}
 * @throws {FormatError} when it is not JSON
 */
export function parseJson(text, where, remedy) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new FormatError(`${where} is not valid JSON: ${message}`, { cause, remedy });
  }
}

/**
 * Reads a file of one of the published formats.
 *
 * @param {string} file absolute path
 * @param {FormatKind} kind
 * @param {string} remedy where it is broken
 * @returns {Promise<unknown>} a document of that kind
 * @throws {FormatError} when the file is broken or of another format version
 */
export async function readDocument(file, kind, remedy) {
  const value = parseJson(readFileSync(file, 'utf8'), `'${file}'`, remedy);
  await validate(kind, value, `'${file}'`);
  return value;
}
