import { join } from 'node:path';
import { readDocument } from '../../harness/formats/schemas.js';

/** @import { ImportRecord } from '../../harness/formats/types.ts' */

/**
 * @param {string} directory of all corpora
 * @param {string} name of an imported corpus
 */
export function recordPath(directory, name) {
  return join(directory, 'imported', `${name}.json`);
}

/**
 * @param {string} directory of all corpora
 * @param {string} name of an imported corpus
 * @returns {ImportRecord}
 * @throws {import('../../harness/lib/errors.js').FormatError} when it is broken or of another version
 */
export function readRecord(directory, name) {
  const path = recordPath(directory, name);
  const remedy = `Remove it, or import the corpus again with --replace.`;
  return readDocument(path, 'import-record', remedy);
}
