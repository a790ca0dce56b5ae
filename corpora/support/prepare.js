import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as bson from 'bson';
import { UsageError } from '../../harness/lib/errors.js';
import { makeCacheDirectory } from '../../harness/lib/files.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { omitUndefined } from '../../harness/lib/records.js';
import { streamBsonDocuments } from './document-files.js';
import { formatExtendedJson, formatLiteral, readExactTypes } from './document-text.js';
import { storeGrown } from './grow.js';
import { formatLabel, parseLabel } from './label.js';
import { LITERAL_FILE, streamDocuments } from './materialize.js';
import { findCorpus } from './registry.js';
import { ensureSealedFile, openStoreFolder, readSeal, storeDefined } from './store.js';

/** @import { Corpus, CorpusSample, ImportRecord, PreparedCorpus } from '../../harness/formats/types.ts' */
/** @import { CorpusLabel } from './label.js' */
/** @import { FoundCorpus } from './registry.js' */
/** @import { StoredPaths } from './store.js' */

/**
 * Writes the documents of a corpus in the forms that a job reads: the canonical BSON, the bytes that
 * the reference writes for documents of this provenance, and their source (Extended JSON for `parsed`,
 * source text for `literal`). Reuses intact files. Streams, with few documents in memory.
 * @param {string} text label as typed: `flat`, `comments:1000@deserialized`
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @returns {Promise<PreparedCorpus>} `files.text` may be missing unless documents are parsed
 * @throws {UsageError} when the label names no corpus, or its documents cannot be created with
 *   this provenance
 * @throws {import('../../harness/lib/errors.js').FormatError} when a built-in corpus is not the one
 *   that was pinned
 */
export async function prepareCorpus(text, { directory }) {
  const { label, name, growth, count, provenance } = parseLabel(text);
  const found = await findCorpus(name, { directory });
  requireCountable(found, count);
  const stored =
    found.origin === 'defined'
      ? storeDefined(found, count, directory)
      : checkImported(found.corpus, directory);
  const { digest, paths } = growth === null ? stored : storeGrown(stored, growth, directory);
  if (provenance === 'parsed' && (found.origin === 'defined' || growth !== null)) {
    ensureSealedFile(paths.text, () => formatLines(paths, formatExtendedJson));
  }
  if (provenance === 'literal') {
    ensureSealedFile(join(paths.folder, LITERAL_FILE), () => formatLines(paths, formatLiteral));
  }
  const prepared = {
    label,
    name,
    provenance,
    digest,
    documentCount: count ?? defaultCountOf(found) ?? countDocuments(paths),
    sizeBytes: statSync(paths.canonical).size,
    ...omitUndefined({
      changedValues: found.origin === 'defined' ? undefined : found.corpus.changedValues,
    }),
    files: { text: paths.text, canonical: paths.canonical, bytes: '' },
  };
  prepared.files.bytes = storeReferenceBytes(prepared, paths.folder);
  return prepared;
}

/**
 * Normalizes a label: omits the default provenance and the default count of the corpus.
 * @param {string} text label as typed
 * @param {object} place
 * @param {string} place.directory absolute path of the folder for corpora
 * @param {number | null} [place.usualCount] of documents, if the label has none and the corpus takes one
 * @returns {Promise<string>}
 * @throws {UsageError} when the label names no corpus, or has a count that the corpus does not take
 */
export async function canonicalLabel(text, { directory, usualCount = null }) {
  const parts = parseLabel(text);
  const found = await findCorpus(parts.name, { directory });
  requireCountable(found, parts.count);
  const defaultCount = defaultCountOf(found);
  const count = parts.count ?? (defaultCount === undefined ? null : usualCount);
  return formatLabel({ ...parts, count: count === defaultCount ? null : count });
}

/**
 * First documents of corpora that are defined by programs, since a command asks for them several times.
 * @type {WeakMap<Corpus, import('bson').Document>}
 */
const firstDocuments = new WeakMap();

/**
 * Used to determine whether a family can read a corpus.
 * @param {string} name
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @returns {Promise<CorpusSample>}
 * @throws {UsageError} when there is no such corpus, or an import is damaged
 */
export async function sampleCorpus(name, { directory }) {
  const found = await findCorpus(name, { directory });
  if (found.origin !== 'defined') {
    const [firstDocument = {}] = readImported(found.corpus, directory);
    return { name, firstDocument };
  }
  const { corpus } = found;
  const known = firstDocuments.get(corpus);
  if (known !== undefined) return { name, firstDocument: known };
  const [firstDocument = {}] = corpus.documents();
  firstDocuments.set(corpus, firstDocument);
  return { name, firstDocument };
}

/** @type {(record: ImportRecord, directory: string) => Generator<import('bson').Document>} */
function* readImported(record, directory) {
  const { paths } = checkImported(record, directory);
  for (const bytes of streamBsonDocuments(paths.canonical)) yield readExactTypes(bytes);
}

/** @param {FoundCorpus} found */
function defaultCountOf(found) {
  return found.origin === 'defined' ? found.corpus.defaultCount : undefined;
}

/** @param {FoundCorpus} found @param {CorpusLabel['count']} count */
function requireCountable(found, count) {
  if (count === null || defaultCountOf(found) !== undefined) return;
  const { name } = found.corpus;
  throw new UsageError(`corpus '${name}' takes no count`, {
    remedy: `Write ${name} without ':${count}'.`,
  });
}

/** @type {(record: ImportRecord, directory: string) => { digest: string, paths: StoredPaths }} */
function checkImported({ name, digest, textDigest }, directory) {
  const paths = openStoreFolder(directory, digest, textDigest);
  const intact =
    `sha256:${readSeal(paths.canonical)}` === digest &&
    `sha256:${readSeal(paths.text)}` === textDigest;
  if (!intact) {
    throw new UsageError(`the stored documents of corpus '${name}' are missing or damaged`, {
      remedy: `Import the file again: ${PROGRAM} corpora import ${name} FILE --replace`,
    });
  }
  return { digest, paths };
}

/**
 * @param {StoredPaths} paths
 * @param {(document: import('bson').Document) => string} format
 * @returns {Generator<string>} lines
 */
function* formatLines(paths, format) {
  for (const bytes of streamBsonDocuments(paths.canonical)) {
    yield `${format(readExactTypes(bytes))}\n`;
  }
}

/** @param {StoredPaths} paths */
function countDocuments(paths) {
  let count = 0;
  const documents = streamBsonDocuments(paths.canonical);
  while (documents.next().done !== true) count++;
  return count;
}

/**
 * Writes the bytes of the reference for the objects that a job will create, in a folder for the
 * version of the reference.
 * @param {PreparedCorpus} prepared all but `files.bytes`
 * @param {string} storeFolder
 * @returns {string} path of the file: concatenated BSON
 * @throws {UsageError} when a document cannot be created with this provenance
 */
function storeReferenceBytes(prepared, storeFolder) {
  const folder = join(storeFolder, `bson-${readReferenceVersion()}`);
  makeCacheDirectory(folder);
  const path = join(folder, `${prepared.provenance}.bson`);
  ensureSealedFile(path, () => encodeMaterialized(prepared));
  return path;
}

/** @type {(prepared: PreparedCorpus) => Generator<Uint8Array>} */
function* encodeMaterialized(prepared) {
  let index = 0;
  try {
    for (const document of streamDocuments(bson, prepared)) {
      yield bson.serialize(document);
      index++;
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `document ${index + 1} of corpus '${prepared.name}' cannot be created as ` +
        `'${prepared.provenance}': ${reason}`,
      { remedy: `Choose another provenance: NAME@PROVENANCE.`, cause },
    );
  }
}

/** @returns {string} the exact version pinned in package.json */
function readReferenceVersion() {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return JSON.parse(manifest).dependencies.bson;
}
