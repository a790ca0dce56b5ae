import { basename, join } from 'node:path';
import { UsageError } from '../../harness/lib/errors.js';
import { makeCacheDirectory } from '../../harness/lib/files.js';
import { RECORD_VERSION, recordPath } from './import-record.js';
import { looksLikeBson, readBsonDocuments, readJsonDocuments } from './incoming-documents.js';
import { NAME_PATTERN } from './label.js';
import { findBuiltIn, listImportedNames } from './registry.js';
import { SealedFileWriter, writeFileWhole } from './sealed-file.js';
import { openStoreFolder } from './store.js';
import { readUserFile } from './user-file.js';

/** @import { IncomingDocument } from './incoming-documents.js' */

const MAX_NAME_LENGTH = 64;

/**
 * @typedef {object} ImportResult
 * @property {string} name
 * @property {string} format in words
 * @property {number} documentCount
 * @property {number} sizeBytes of the canonical BSON
 * @property {string} digest `sha256:…` of the canonical BSON
 * @property {string[]} notes sentences that a careful user should read
 */

/**
 * Makes a corpus of the user's own documents. The format is seen from the content: Extended JSON
 * (relaxed or canonical; one document, an array, or one after the other) or concatenated BSON.
 *
 * @param {string} name of the new corpus
 * @param {string} file path
 * @param {{ directory: string, replace?: boolean }} place absolute path of the folder for corpora;
 *   `replace` allows for an earlier import of this name
 * @returns {Promise<ImportResult>}
 * @throws {UsageError} when the name or the file will not do
 * @throws {import('../../harness/lib/errors.js').FormatError} when a document is corrupt, with its
 *   place
 */
export async function importCorpus(name, file, { directory, replace = false }) {
  await checkName(name, directory, replace);
  const content = readUserFile(file);
  const isBson = looksLikeBson(content);
  const incoming = isBson ? readBsonDocuments(content) : readJsonDocuments(content, file);
  const stored = storeDocuments(incoming, file, directory);
  const format = isBson ? 'BSON' : 'Extended JSON';
  const record = {
    formatVersion: RECORD_VERSION,
    name,
    stresses: `imported from ${basename(file)} (${format})`,
    digest: stored.digest,
    textDigest: stored.textDigest,
  };
  makeCacheDirectory(join(directory, 'imported'));
  writeFileWhole(recordPath(directory, name), `${JSON.stringify(record, null, 2)}\n`);
  const { documentCount, sizeBytes, digest, notes } = stored;
  return { name, format, documentCount, sizeBytes, digest, notes };
}

/**
 * @param {string} name
 * @param {string} directory
 * @param {boolean} replace
 */
async function checkName(name, directory, replace) {
  if (!NAME_PATTERN.test(name) || name.length > MAX_NAME_LENGTH) {
    throw new UsageError(`'${name}' cannot be the name of a corpus`, {
      remedy: `Use lower-case letters, digits and single hyphens, at most ${MAX_NAME_LENGTH}: my-orders.`,
    });
  }
  if ((await findBuiltIn(name)) !== null) {
    throw new UsageError(`'${name}' is the name of a built-in corpus`, {
      remedy: `Choose another, for example my-${name}.`,
    });
  }
  if (!replace && listImportedNames({ directory }).includes(name)) {
    throw new UsageError(`there is an imported corpus '${name}' already`, {
      remedy: 'Choose another name, or give --replace to put the new documents in its place.',
    });
  }
}

/**
 * @param {Iterable<IncomingDocument>} incoming
 * @param {string} file
 * @param {string} directory
 */
function storeDocuments(incoming, file, directory) {
  const canonical = new SealedFileWriter(join(directory, 'store'));
  const text = new SealedFileWriter(join(directory, 'store'));
  let documentCount = 0;
  let sizeBytes = 0;
  const losses = [];
  try {
    for (const document of incoming) {
      canonical.write(document.bytes);
      text.write(`${document.text}\n`);
      documentCount++;
      sizeBytes += document.bytes.length;
      if (document.loss !== null) losses.push(document.loss);
    }
    if (documentCount === 0) {
      throw new UsageError(`${file} holds no documents`, {
        remedy: 'Import a file with a document in it.',
      });
    }
  } catch (error) {
    canonical.discard();
    text.discard();
    throw error;
  }
  const canonicalHex = canonical.finish();
  const textHex = text.finish();
  const digest = `sha256:${canonicalHex}`;
  const textDigest = `sha256:${textHex}`;
  const paths = openStoreFolder(directory, digest, textDigest);
  canonical.moveTo(paths.canonical, canonicalHex);
  text.moveTo(paths.text, textHex);
  return { documentCount, sizeBytes, digest, textDigest, notes: summarizeLosses(losses) };
}

/**
 * @param {string[]} losses
 * @returns {string[]}
 */
function summarizeLosses(losses) {
  if (losses.length === 0) return [];
  return [
    `${losses.length} of the documents ${losses.length === 1 ? 'holds' : 'hold'} what live objects cannot: ${losses[0]}. ` +
      'Every variant is held to what the reference makes of them.',
  ];
}
