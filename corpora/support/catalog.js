import * as bson from 'bson';
import { AssayError } from '../../harness/lib/errors.js';
import { streamBsonDocuments } from './document-files.js';
import { countDictionaryObjects, describeDocument } from './statistics.js';
import { PROVENANCES, formatLabel, parseLabel } from './label.js';
import { streamDocuments } from './materialize.js';
import { prepareCorpus } from './prepare.js';
import {
  findCorpus,
  isDocumentFile,
  listAllModules,
  listImportedNames,
  loadSeries,
} from './registry.js';

/** @import { CorpusRow, PreparedCorpus } from '../../harness/formats/types.ts' */
/** @import { FoundCorpus } from './registry.js' */

/** Enough to see how V8 keeps the documents; a list must not take minutes. */
const MAX_SAMPLED_DOCUMENTS = 1000;

/**
 * Describes the first corpus of every series, the imported ones last. Creates the documents in this
 * process.
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @returns {Promise<CorpusRow[]>}
 * @throws {import('../../harness/lib/errors.js').FormatError} when the record of an import is broken
 */
export async function listCorpora({ directory }) {
  const rows = [];
  for (const module of await listAllModules({ directory })) {
    if (isDocumentFile(module)) {
      rows.push((await examineCorpus(module.name, { directory })).row);
      continue;
    }
    for (const series of await loadSeries(module)) {
      const [first, ...others] = series.map(({ name }) => name);
      const { row } = await examineCorpus(String(first), { directory });
      rows.push({ ...row, siblings: others });
    }
  }
  for (const name of listImportedNames({ directory })) {
    rows.push((await examineCorpus(name, { directory })).row);
  }
  return rows;
}

/**
 * @param {string} text label as typed; its provenance does not matter
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @returns {Promise<CorpusRow>}
 * @throws {AssayError} when there is no such corpus, it takes no count, or none of its documents can
 *   be created
 */
export async function describeCorpus(text, { directory }) {
  const { row, error } = await examineCorpus(text, { directory });
  if (row.documentCount === 0 && error !== null) throw error;
  return row;
}

/**
 * @param {string} text label as typed; its provenance does not matter
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @returns {Promise<{ row: CorpusRow, error: AssayError | null }>} `error`: the last of the problems
 *   in the row
 * @throws {import('../../harness/lib/errors.js').UsageError} when there is no such corpus
 */
async function examineCorpus(text, { directory }) {
  const { name, growth, count } = parseLabel(text);
  const found = await findCorpus(name, { directory });
  const row = makeRow(found);
  /** @type {AssayError | null} */
  let lastError = null;
  for (const provenance of PROVENANCES) {
    // The first provenance takes all documents, for the size and the digest.
    const isSampled = row.takesCount && row.documentCount > MAX_SAMPLED_DOCUMENTS;
    try {
      const label = formatLabel({
        name,
        growth,
        count: isSampled ? MAX_SAMPLED_DOCUMENTS : count,
        provenance,
      });
      const prepared = await prepareCorpus(label, { directory });
      if (row.documentCount === 0) Object.assign(row, measureDocuments(prepared));
      row.objects[provenance] = countDictionaryObjects(takeSample(streamDocuments(bson, prepared)));
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      if (!row.problems.includes(error.message)) row.problems.push(error.message);
      lastError = error;
    }
  }
  return { row, error: lastError };
}

/** @type {(found: FoundCorpus) => CorpusRow} without the figures that need the documents */
function makeRow(found) {
  return {
    name: found.corpus.name,
    group: found.origin === 'imported' ? 'imported' : found.module.group,
    siblings: [],
    stresses: found.corpus.stresses,
    digest: '',
    documentCount: 0,
    takesCount: found.origin === 'defined' && found.corpus.defaultCount !== undefined,
    sizeBytes: 0,
    sampledDocuments: 0,
    elements: 0,
    levels: 0,
    objects: { parsed: null, deserialized: null, literal: null },
    problems: found.origin === 'defined' ? [] : [...(found.corpus.notes ?? [])],
  };
}

/** @type {(prepared: PreparedCorpus) => Partial<CorpusRow>} */
function measureDocuments({ digest, documentCount, sizeBytes, files }) {
  const sample = takeSample(streamBsonDocuments(files.canonical));
  const statistics = [...sample].map(describeDocument);
  return {
    digest,
    documentCount,
    sizeBytes,
    sampledDocuments: statistics.length,
    elements: statistics.reduce((sum, { elements }) => sum + elements, 0),
    levels: Math.max(...statistics.map(({ levels }) => levels)),
  };
}

/**
 * @template T
 * @param {Iterable<T>} documents
 * @returns {Generator<T>}
 */
function* takeSample(documents) {
  let count = 0;
  for (const document of documents) {
    yield document;
    if (++count === MAX_SAMPLED_DOCUMENTS) return;
  }
}
