/** What memory adds to the sentence that a reader takes away. */

/** @import { Manifest, MemoryMetric, MemoryVerdict } from '../../harness/formats/types.ts' */

import { formatMetricPair } from './memory-rows.js';
import { countOf, formatRatio, formatShare } from '../../harness/lib/numbers.js';
import { MEMORY_VERDICTS } from '../../harness/stats/verdicts.js';

/** Findings that one sentence can name; more are in the tables. */
const MOST_NAMED = 3;

/**
 * How a finding is worded: the figures of candidate and baseline, and the cell or corpus.
 *
 * @type {Record<MemoryMetric['name'], (candidate: string, baseline: string, place: string) => string>}
 */
const PHRASES = {
  'allocated-heap': (ours, theirs, cell) =>
    `allocates ${ours} per document instead of ${theirs} in ${cell}`,
  allocations: (ours, theirs, cell) =>
    `makes ${ours} allocations per document instead of ${theirs} in ${cell}`,
  'allocated-off-heap': (ours, theirs, cell) =>
    `allocates ${ours} off heap per document instead of ${theirs} in ${cell}`,
  collections: (ours, theirs, cell) =>
    `causes ${ours} garbage collections per 1000 documents instead of ${theirs} in ${cell}`,
  'collection-time': (ours, theirs, cell) =>
    `spends ${ours} per document on garbage collection instead of ${theirs} in ${cell}`,
  retained: (ours, theirs, corpus) =>
    `retains ${ours} per document instead of ${theirs} on ${corpus}`,
  'retained-slope': (ours, theirs, corpus) =>
    `retains ${ours} per document instead of ${theirs} on ${corpus}`,
};

/**
 * Says in which figures of memory the candidate differs, those that differ most first; without a
 * difference, what the figures amount to.
 *
 * @param {Manifest['question']} question
 * @param {MemoryVerdict | undefined} memory
 * @param {(name: string) => string} quote how names are written
 * @returns {string} `Compared with a, b retains 601 B per document instead of 745.5 B on comments
 *   (×0.806).` Empty where nothing was measured
 */
export function memorySentence(question, memory, quote) {
  if (memory === undefined) return '';
  const subjects = [
    ...memory.cells.map(({ cell, metrics }) => ({ place: cell.id, metrics })),
    ...memory.corpora.map(({ corpus, metrics }) => ({ place: corpus, metrics })),
  ];
  if (subjects.length === 0) return '';
  const findings = subjects.flatMap(({ place, metrics }) => {
    // The first is the cause of what follows it: what is allocated is what is collected.
    const metric = metrics.find(({ verdict }) => MEMORY_VERDICTS[verdict]?.isDifference);
    return metric === undefined ? [] : [{ place, metric }];
  });
  const metrics = subjects.flatMap((subject) => subject.metrics);
  if (findings.length === 0) return summarize(question, metrics, quote);
  const named = findings
    .toSorted((a, b) => sizeOf(b.metric) - sizeOf(a.metric))
    .slice(0, MOST_NAMED)
    .map(({ place, metric }) => describeFinding(metric, quote(place)));
  const left = findings.length - named.length;
  const list = [...named, ...(left > 0 ? [`differs in ${left} more`] : [])];
  const last = list.pop();
  const phrases = list.length === 0 ? last : `${list.join(', ')} and ${last}`;
  return `Compared with ${quote(question.baseline)}, ${quote(question.candidate)} ${phrases}.`;
}

/**
 * @param {MemoryMetric} metric
 * @returns {number} of the logarithm of the ratio; 0 where there is none
 */
function sizeOf({ ratio }) {
  return ratio === null ? 0 : Math.abs(Math.log(ratio.estimate));
}

/**
 * @param {MemoryMetric} metric
 * @param {string} place
 * @returns {string} `retains 601 B per document instead of 745.5 B on comments (×0.806)`
 */
function describeFinding({ name, unit, values, ratio }, place) {
  const [baseline, candidate] = formatMetricPair(unit, values.baseline, values.candidate);
  const text = PHRASES[name](candidate, baseline, place);
  return ratio === null ? text : `${text} (×${formatRatio(ratio.estimate)})`;
}

/**
 * @param {Manifest['question']} question
 * @param {MemoryMetric[]} metrics of which none differs
 * @param {(name: string) => string} quote
 * @returns {string} `Memory of b and a is equivalent within 3 % in 5 of 6 figures, inconclusive in 1.`
 */
function summarize({ baseline, candidate, minimumEffect }, metrics, quote) {
  const words = /** @type {const} */ (['equivalent', 'inconclusive', 'untrusted']);
  const parts = words.flatMap((word) => {
    const count = metrics.filter(({ verdict }) => verdict === word).length;
    if (count === 0) return [];
    const text = word === 'equivalent' ? `equivalent within ${formatShare(minimumEffect)}` : word;
    return [`${text} in ${count}`];
  });
  const [first, ...others] = parts;
  const total = `of ${countOf(metrics.length, 'figure')}`;
  const list = [`${first} ${total}`, ...others].join(', ');
  return `Memory of ${quote(candidate)} and ${quote(baseline)} is ${list}.`;
}
