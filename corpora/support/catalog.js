import * as bson from 'bson';
import { AssayError } from '../../harness/errors.js';
import { countDictionaryObjects } from './dictionary-mode.js';
import { PROVENANCES, formatLabel } from './label.js';
import { streamDocuments } from './materialize.js';
import { prepareCorpus } from './prepare.js';
import { findCorpus, listBuiltInNames, listImportedNames } from './registry.js';

/** @import { PreparedCorpus, Provenance } from '../../harness/types.ts' */
/** @import { ObjectCounts } from './dictionary-mode.js' */

/**
 * One line of the list of corpora.
 *
 * @typedef {object} CorpusRow
 * @property {string} name
 * @property {'built-in' | 'imported'} origin
 * @property {string} stresses
 * @property {string} digest `sha256:…`
 * @property {number} documentCount
 * @property {number} sizeBytes of the canonical BSON
 * @property {number} sampledDocuments documents at the front that `objects` speaks of
 * @property {Record<Provenance, ObjectCounts | null>} objects null where the documents cannot come
 *   to be this way
 * @property {string[]} problems why there are nulls, each reason once
 */

/** Enough to see what V8 makes of the documents; a list must not take minutes. */
const MAX_SAMPLED_DOCUMENTS = 1000;

/**
 * Describes every corpus, the built-in ones first. Makes the documents live in this process.
 *
 * @param {{ directory: string }} place absolute path of the folder for corpora
 * @returns {Promise<CorpusRow[]>}
 * @throws {import('../../harness/errors.js').FormatError} when the record of an import is broken
 */
export async function listCorpora({ directory }) {
  const rows = [];
  for (const name of [...listBuiltInNames(), ...listImportedNames({ directory })])
    rows.push(await describeCorpus(name, directory));
  return rows;
}

/**
 * @param {string} name
 * @param {string} directory
 * @returns {Promise<CorpusRow>}
 */
async function describeCorpus(name, directory) {
  const { origin, corpus } = await findCorpus(name, { directory });
  /** @type {CorpusRow} */
  const row = {
    name,
    origin,
    stresses: corpus.stresses,
    digest: corpus.digest,
    documentCount: 0,
    sizeBytes: 0,
    sampledDocuments: 0,
    objects: { parsed: null, deserialized: null, literal: null },
    problems: [],
  };
  for (const provenance of PROVENANCES) {
    try {
      const prepared = await prepareCorpus(formatLabel(name, provenance), { directory });
      row.documentCount = prepared.documentCount;
      row.sizeBytes = prepared.sizeBytes;
      row.sampledDocuments = Math.min(prepared.documentCount, MAX_SAMPLED_DOCUMENTS);
      row.objects[provenance] = countDictionaryObjects(sampleDocuments(prepared));
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      if (!row.problems.includes(error.message)) row.problems.push(error.message);
    }
  }
  return row;
}

/** @param {PreparedCorpus} prepared */
function* sampleDocuments(prepared) {
  let count = 0;
  for (const document of streamDocuments(bson, prepared)) {
    if (count++ === MAX_SAMPLED_DOCUMENTS) return;
    yield document;
  }
}
