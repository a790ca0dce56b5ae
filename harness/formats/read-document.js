import { readFileSync } from 'node:fs';
import { FormatError } from '../lib/errors.js';
import { validate } from './schemas.js';

/** @import { FormatKind } from './registry.js' */

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

/** What the system says of files that cannot be read, in words. */
const REASONS = new Map([
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'there is no permission to'],
  ['ENOENT', 'it is not there any more'],
  ['ERR_STRING_TOO_LONG', 'it is too long'],
]);

/**
 * Reads a file that is known to be there.
 *
 * @param {string} file absolute path
 * @param {string} where how a message names it
 * @param {string} remedy where it cannot be read
 * @returns {string}
 * @throws {FormatError} when it cannot be read
 */
export function readText(file, where, remedy) {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (cause);
    const reason = REASONS.get(code) ?? message;
    throw new FormatError(`${where} cannot be read: ${reason}`, { cause, remedy });
  }
}

/**
 * Reads a file of one of the published formats.
 *
 * @param {string} file absolute path
 * @param {FormatKind} kind
 * @param {string} remedy where it is broken
 * @returns {Promise<unknown>} a document of that kind
 * @throws {FormatError} when the file cannot be read, is broken or of another format version
 */
export async function readDocument(file, kind, remedy) {
  const value = parseJson(readText(file, `'${file}'`, remedy), `'${file}'`, remedy);
  await validate(kind, value, `'${file}'`);
  return value;
}
