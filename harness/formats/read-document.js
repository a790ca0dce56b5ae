import { parseJson, readText } from '../lib/files.js';
import { validate } from './schemas.js';

/** @import { FormatKind } from './registry.js' */

/**
 * Reads a file of one of the published formats.
 *
 * @param {string} file absolute path
 * @param {FormatKind} kind
 * @param {string} remedy where it is broken
 * @returns {Promise<unknown>} a document of that kind
 * @throws {import('../lib/errors.js').FormatError} when the file cannot be read, is broken or of another format version
 */
export async function readDocument(file, kind, remedy) {
  const value = parseJson(readText(file, `'${file}'`, remedy), `'${file}'`, remedy);
  validate(kind, value, `'${file}'`);
  return value;
}
