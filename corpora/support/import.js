import { basename, join } from 'node:path';
import { IMPORT_RECORD_VERSION } from '../../harness/formats/format-version.js';
import { UsageError } from '../../harness/lib/errors.js';
import { makeCacheDirectory, writeAtomic } from '../../harness/lib/files.js';
import { NAME_PATTERN } from './label.js';
import { findDefined, listImportedNames, recordPath } from './registry.js';
import { storeUserFile } from './user-file.js';

const MAX_NAME_LENGTH = 64;

/**
 * @typedef {object} ImportResult
 * @property {string} name
 * @property {string} format for messages
 * @property {number} documentCount
 * @property {number} sizeBytes of the canonical BSON
 * @property {string} digest `sha256:…` of the canonical BSON
 * @property {string[]} notes sentences about lossy documents
 */

/**
 * Imports the user's documents as a corpus. Detects the format from the content: Extended JSON
 * (relaxed or canonical; one document, an array, or one after the other) or concatenated BSON.
 * @param {string} name of the new corpus
 * @param {string} file path
 * @param {{ directory: string, replace?: boolean }} place absolute path of the folder for corpora;
 *   `replace` allows replacing an earlier import
 * @returns {Promise<ImportResult>}
 * @throws {UsageError} when the name or the file is not valid
 * @throws {import('../../harness/lib/errors.js').FormatError} when a document is corrupt, with its
 *   position
 */
export async function importCorpus(name, file, { directory, replace = false }) {
  await checkName(name, directory, replace);
  const { format, digest, textDigest, ...stored } = storeUserFile(file, directory);
  const stresses = `imported from ${basename(file)} (${format})`;
  const record = { formatVersion: IMPORT_RECORD_VERSION, name, stresses, digest, textDigest };
  makeCacheDirectory(join(directory, 'imported'));
  writeAtomic(recordPath(directory, name), `${JSON.stringify(record, null, 2)}\n`);
  return { name, format, digest, ...stored };
}

/** @param {string} name @param {string} directory @param {boolean} replace */
async function checkName(name, directory, replace) {
  if (!NAME_PATTERN.test(name) || name.length > MAX_NAME_LENGTH) {
    throw new UsageError(`'${name}' is not a valid name of a corpus`, {
      remedy: `Use lower-case letters, digits and single hyphens, at most ${MAX_NAME_LENGTH}: my-orders.`,
    });
  }
  const defined = await findDefined(name, { directory });
  if (defined !== null) {
    const { isBuiltIn, path } = defined.module;
    const owner = isBuiltIn ? 'a built-in corpus' : `the corpus ${path}`;
    throw new UsageError(`'${name}' is the name of ${owner}`, {
      remedy: `Choose another, for example my-${name}.`,
    });
  }
  if (!replace && listImportedNames({ directory }).includes(name)) {
    throw new UsageError(`an imported corpus '${name}' already exists`, {
      remedy: 'Choose another name, or use --replace to replace its documents.',
    });
  }
}
