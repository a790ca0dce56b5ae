import { serialize } from 'bson';

/** @import { Corpus } from '../../harness/formats/types.ts' */

/** Enough for a share of a few percent to hold still. */
const SAMPLE = 1000;

/**
 * What many documents of one corpus have in common, for holding it against the figures of the data
 * it stands for.
 *
 * @typedef {object} SeriesStatistics
 * @property {import('bson').Document[]} documents live, as the corpus yields them
 * @property {{ least: number, median: number, mean: number, most: number }} sizeBytes
 * @property {{ least: number, most: number }} keyCounts at the top level
 * @property {Set<string>} keyOrders top-level keys of a document, joined by commas
 * @property {Record<string, number>} presence share of documents that have a top-level key, 0…1
 * @property {string[]} strings all string values at every level
 */

/**
 * @param {Corpus} corpus one that takes a count
 * @returns {SeriesStatistics} of its first 1000 documents
 */
export function describeSeries(corpus) {
  const documents = [...corpus.documents(SAMPLE)];
  const sizes = documents.map((document) => serialize(document).length).sort((a, b) => a - b);
  const keys = documents.map((document) => Object.keys(document));
  const keyCounts = keys.map(({ length }) => length);
  return {
    documents,
    sizeBytes: {
      least: Number(sizes[0]),
      median: Number(sizes[SAMPLE / 2]),
      mean: sizes.reduce((sum, size) => sum + size, 0) / SAMPLE,
      most: Number(sizes.at(-1)),
    },
    keyCounts: { least: Math.min(...keyCounts), most: Math.max(...keyCounts) },
    keyOrders: new Set(keys.map((each) => each.join())),
    presence: countPresence(keys),
    strings: documents.flatMap(listStrings),
  };
}

/**
 * @param {string[]} strings
 * @returns {{ least: number, most: number }} characters
 */
export function describeLengths(strings) {
  const lengths = strings.map(({ length }) => length);
  return { least: Math.min(...lengths), most: Math.max(...lengths) };
}

/**
 * @param {string[]} strings
 * @returns {number} share with a character beyond ASCII, 0…1
 */
export function nonAsciiShare(strings) {
  return strings.filter((text) => /[^\p{ASCII}]/u.test(text)).length / strings.length;
}

/** @param {string[][]} keys */
function countPresence(keys) {
  /** @type {Record<string, number>} */
  const presence = {};
  for (const key of keys.flat()) presence[key] = (presence[key] ?? 0) + 1 / keys.length;
  return presence;
}

/**
 * @param {unknown} value
 * @returns {string[]}
 */
function listStrings(value) {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(listStrings);
  const isDocument = Object.prototype.toString.call(value) === '[object Object]';
  if (!isDocument || '_bsontype' in /** @type {object} */ (value)) return [];
  return Object.values(/** @type {object} */ (value)).flatMap(listStrings);
}
