import { serialize } from 'bson';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FormatError, UsageError } from '../../harness/errors.js';
import { splitBsonDocuments } from './bson-frames.js';
import { formatExtendedJson, readExactTypes } from './extended-json.js';
import { parseLabel } from './label.js';
import { formatLiteral } from './literal-source.js';
import { LITERAL_FILE } from './materialize.js';
import { storeReferenceBytes } from './reference-bytes.js';
import { findCorpus } from './registry.js';
import { ensureSealedFile, readSeal } from './sealed-file.js';
import { DERIVED_TEXT, openStoreFolder } from './store.js';

/** @import { Corpus, PreparedCorpus } from '../../harness/types.ts' */
/** @import { ImportRecord } from './registry.js' */
/** @import { StoredPaths } from './store.js' */

/**
 * Puts the documents of a corpus on disk in every form that a job reads. What is there already and
 * whole is used again.
 *
 * @param {string} text label as typed: `flat`, `flat@deserialized`
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @returns {Promise<PreparedCorpus>}
 * @throws {UsageError} when the label names nothing, or the documents cannot come to be this way
 * @throws {FormatError} when a built-in corpus is not the one that was pinned
 */
export async function prepareCorpus(text, { directory }) {
  const { label, name, provenance } = parseLabel(text);
  const { origin, corpus } = await findCorpus(name, { directory });
  const paths =
    origin === 'built-in' ? storeBuiltIn(corpus, directory) : checkImported(corpus, directory);
  if (provenance === 'literal') storeLiterals(paths);

  const canonical = readFileSync(paths.canonical);
  const prepared = {
    label,
    name,
    provenance,
    digest: corpus.digest,
    documentCount: [...splitBsonDocuments(canonical)].length,
    sizeBytes: canonical.length,
    files: { text: paths.text, canonical: paths.canonical, bytes: '' },
  };
  prepared.files.bytes = storeReferenceBytes(prepared, paths.folder);
  return prepared;
}

/**
 * @param {Corpus} corpus
 * @param {string} directory
 * @returns {StoredPaths}
 */
function storeBuiltIn(corpus, directory) {
  const paths = openStoreFolder(directory, corpus.digest, DERIVED_TEXT);
  ensureSealedFile(paths.canonical, () => encodePinned(corpus));
  ensureSealedFile(paths.text, () => mapDocuments(paths, formatExtendedJson));
  return paths;
}

/**
 * @param {Corpus} corpus
 * @returns {Generator<Uint8Array>}
 * @throws {FormatError} after the last document, when the digest is not the pinned one
 */
function* encodePinned(corpus) {
  const hash = createHash('sha256');
  for (const document of corpus.documents()) {
    const bytes = serialize(document);
    hash.update(bytes);
    yield bytes;
  }
  const digest = `sha256:${hash.digest('hex')}`;
  if (digest !== corpus.digest) {
    throw new FormatError(
      `corpus '${corpus.name}' generates ${digest}, but its pinned digest is '${corpus.digest}'`,
      {
        remedy:
          'Other documents give results that do not compare with earlier ones. ' +
          `If the change is meant, pin the new digest in corpora/${corpus.name}.js.`,
      },
    );
  }
}

/**
 * @param {ImportRecord} record
 * @param {string} directory
 * @returns {StoredPaths}
 */
function checkImported({ name, digest, textDigest }, directory) {
  const paths = openStoreFolder(directory, digest, textDigest);
  const intact =
    `sha256:${readSeal(paths.canonical)}` === digest &&
    `sha256:${readSeal(paths.text)}` === textDigest;
  if (!intact) {
    throw new UsageError(`the stored documents of corpus '${name}' are missing or damaged`, {
      remedy: `Import the file again: just corpora import ${name} FILE --replace`,
    });
  }
  return paths;
}

/** @param {StoredPaths} paths */
function storeLiterals(paths) {
  ensureSealedFile(join(paths.folder, LITERAL_FILE), () => mapDocuments(paths, formatLiteral));
}

/**
 * @param {StoredPaths} paths
 * @param {(document: import('bson').Document) => string} format
 * @returns {Generator<string>} lines
 */
function* mapDocuments(paths, format) {
  for (const bytes of splitBsonDocuments(readFileSync(paths.canonical))) {
    yield `${format(readExactTypes(bytes))}\n`;
  }
}
