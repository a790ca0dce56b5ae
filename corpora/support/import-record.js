import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError } from '../../harness/lib/errors.js';
import { showValue } from '../../harness/formats/describe-problems.js';

/**
 * What is remembered of an imported corpus; its documents are in the store.
 *
 * @typedef {object} ImportRecord
 * @property {number} formatVersion
 * @property {string} name
 * @property {string} stresses one line: where it came from
 * @property {string} digest `sha256:…` of the canonical BSON
 * @property {string} textDigest `sha256:…` of the Extended JSON
 */

/** Of the record of an import. */
export const RECORD_VERSION = 1;

const TEXT_KEYS = ['name', 'stresses', 'digest', 'textDigest'];

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
 * @throws {FormatError} when it is broken or of another version
 */
export function readRecord(directory, name) {
  const path = recordPath(directory, name);
  const remedy = `Remove it, or import the corpus again with --replace.`;
  let record;
  try {
    record = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new FormatError(`${path} is no record of an imported corpus`, { remedy, cause });
  }
  if (record?.formatVersion !== RECORD_VERSION) {
    throw new FormatError(
      `${path} has format ${showValue(record?.formatVersion)}, this Assay reads format ${RECORD_VERSION}`,
      { remedy },
    );
  }
  const broken = TEXT_KEYS.find((key) => typeof record[key] !== 'string');
  if (broken !== undefined) {
    throw new FormatError(`${path} is no record of an imported corpus: it lacks '${broken}'`, {
      remedy,
    });
  }
  return record;
}
