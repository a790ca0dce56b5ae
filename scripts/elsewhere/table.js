/** The table of corpora from elsewhere: which there are, which are held back, and what is known of their documents. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../harness/lib/errors.js';
import { didYouMean } from '../../harness/lib/words.js';

/** @import { Source } from './extract.js' */

/**
 * @typedef {'development' | 'held back'} Half
 *
 * @typedef {object} Pin
 * @property {Half} half
 * @property {number} documents
 * @property {number} bytes of the canonical BSON
 * @property {string} digest `sha256:…` of the canonical BSON
 *
 * @typedef {Source & Pin} PinnedSource
 *
 * @typedef {object} Table
 * @property {string} rule of the halves, in words
 * @property {string[]} known corpora that were looked at before there were halves
 * @property {PinnedSource[]} corpora
 */

export const TABLE_PATH = fileURLToPath(new URL('documents.json', import.meta.url));

/** @type {Table} */
export const table = JSON.parse(readFileSync(TABLE_PATH, 'utf8'));

/**
 * The halves are not chosen: those that were known before cannot be held back, and of the others the first by the SHA-256 of
 * their names fill the half on which variants are developed.
 * @param {{ name: string }[]} corpora
 * @param {string[]} known
 * @returns {Map<string, Half>} by name
 */
export function assignHalves(corpora, known) {
  const rank = (/** @type {string} */ name) =>
    known.includes(name) ? '' : createHash('sha256').update(name).digest('hex');
  const names = corpora.map(({ name }) => name).sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return new Map(
    names.map((name, index) => [name, index < names.length / 2 ? 'development' : 'held back']),
  );
}

/**
 * @param {PinnedSource[]} corpora
 * @param {{ names: string[], half: Half | 'all' }} choice names of corpora, or none for those of the half
 * @returns {PinnedSource[]}
 * @throws {UsageError} when there is none of a name
 */
export function chooseSources(corpora, { names, half }) {
  if (names.length === 0) {
    return corpora.filter((source) => half === 'all' || source.half === half);
  }
  return names.map((name) => {
    const found = corpora.find((source) => source.name === name);
    if (found !== undefined) return found;
    const all = corpora.map((source) => source.name);
    throw new UsageError(`no corpus '${name}' from elsewhere${didYouMean(name, all)}`, {
      remedy: `There are ${all.join(', ')}.`,
    });
  });
}

/**
 * @param {PinnedSource} source
 * @param {{ documentCount: number, sizeBytes: number, digest: string }} found what was imported
 * @returns {string[]} sentences about what is not as the table has it
 */
export function listDifferences(source, { documentCount, sizeBytes, digest }) {
  const pairs = /** @type {const} */ ([
    ['documents', source.documents, documentCount],
    ['bytes of BSON', source.bytes, sizeBytes],
    ['digest', source.digest, digest],
  ]);
  return pairs
    .filter(([, expected, actual]) => expected !== actual)
    .map(([what, expected, actual]) => `${source.name}: ${what}: ${actual} instead of ${expected}`);
}
