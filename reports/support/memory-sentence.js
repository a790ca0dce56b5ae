/** What memory adds to the sentence that a reader takes away. */

/** @import { CorpusMemory, Manifest, MemoryVerdict } from '../../harness/types.ts' */

import { formatBytes } from './memory-rows.js';
import { formatRatio, isFigure } from './numbers.js';

/** Corpora that one sentence can name; more are in the table. */
const MOST_NAMED = 3;

/**
 * Says what a document retains with either side, corpus by corpus.
 *
 * @param {Manifest['question']} question
 * @param {MemoryVerdict | undefined} memory
 * @param {(name: string) => string} quote how names are written
 * @returns {string} `A document read by b retains 601 B instead of 745.5 B with a on comments (×0.806).`
 *   Empty where nothing is known of it
 */
export function memorySentence({ baseline, candidate }, memory, quote) {
  const parts = (memory?.corpora ?? []).flatMap((corpus) => describeCorpus(corpus, quote));
  if (parts.length === 0) return '';
  const more = parts.length > MOST_NAMED ? `, and ${parts.length - MOST_NAMED} corpora more` : '';
  const named = parts.slice(0, MOST_NAMED).join(', ');
  return `A document read by ${quote(candidate)} retains, beside ${quote(baseline)}, ${named}${more}.`;
}

/**
 * @param {CorpusMemory} corpus
 * @param {(name: string) => string} quote
 * @returns {string[]} `601 B against 745.5 B on comments (×0.806)`, or nothing
 */
function describeCorpus({ corpus, metrics }, quote) {
  const metric =
    metrics.find(({ name }) => name === 'retained') ??
    metrics.find(({ name }) => name === 'retained-slope');
  if (metric === undefined || !isFigure(metric.ratio?.estimate)) return [];
  const { baseline, candidate } = metric.values;
  const ratio = formatRatio(metric.ratio?.estimate);
  return [
    `${formatBytes(candidate)} against ${formatBytes(baseline)} on ${quote(corpus)} (×${ratio})`,
  ];
}
