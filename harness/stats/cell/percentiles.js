/** Percentiles of calls and pauses. No verdict comes from them: the tail of 20 ms of calls is what the machine did, too. */

import { contrastOf } from '../contrast.js';
import { sumOf } from '../means.js';
import { takeMedian, takeQuantile } from '../robust.js';

/** @import { ArmPercentiles, Measurement, PercentileComparison, Question, TypicalPercentile } from '../../formats/types.ts' */
/** @import { CellRecord, JobRecord } from './samples.js' */

/** What may miss the median, two-sided. */
const LEVEL = 0.05;

/**
 * @typedef {object} Figures of one process
 * @property {number} count of calls or pauses
 * @property {number} [documents] in a timing
 * @property {number} p50Ns
 * @property {number} [p99Ns]
 * @property {number} maxNs
 */

/** @type {Record<PercentileComparison['of'], (measurement: Measurement) => Figures | null>} */
const KINDS = {
  calls({ calls }) {
    return calls === undefined ? null : { ...calls, count: calls.timings };
  },
  pauses({ pauses: { pauses: count = 0, p50Ns, p99Ns, maxNs } = {} }) {
    if (p50Ns === undefined || maxNs === undefined) return null;
    return { count, p50Ns, maxNs, ...(p99Ns === undefined ? {} : { p99Ns }) };
  },
};

/**
 * @param {Pick<CellRecord, 'arms'>} record
 * @param {Pick<Question, 'rank'>} question
 * @returns {PercentileComparison[]} of calls and pauses, those that any process has
 */
export function comparePercentiles({ arms }, question) {
  const { hasBaseline } = contrastOf(question);
  const kinds = /** @type {PercentileComparison['of'][]} */ (Object.keys(KINDS));
  return kinds.flatMap((of) => {
    const baseline = hasBaseline ? describeArm([...arms.baseline, ...arms.control], of) : undefined;
    const candidate = describeArm(arms.candidate, of);
    if ((baseline ?? candidate) === null) return [];
    return [{ of, candidate, ...(baseline === undefined ? {} : { baseline }) }];
  });
}

/** @type {(jobs: JobRecord[], of: PercentileComparison['of']) => ArmPercentiles | null} null without figures */
function describeArm(jobs, of) {
  const figures = jobs.flatMap(({ done }) => (done && KINDS[of](done.measurement)) ?? []);
  if (figures.length === 0) return null;
  const documents = figures.flatMap((one) => one.documents ?? []);
  const tails = figures.flatMap(({ p99Ns }) => p99Ns ?? []);
  return {
    processes: figures.length,
    count: sumOf(figures.map(({ count }) => count)),
    ...(documents.length === 0 ? {} : { documents: takeQuantile(documents, 0.5) }),
    p50: describeMedian(figures.map(({ p50Ns }) => p50Ns)),
    p99: 2 * tails.length >= figures.length ? describeMedian(tails) : null,
    max: describeMedian(figures.map(({ maxNs }) => maxNs)),
  };
}

/**
 * The median with the narrowest interval of two order statistics, equally far from either end, that holds it in 95 % of
 * samples or more, whatever the distribution (Conover, Practical Nonparametric Statistics, 3rd ed., 3.2).
 *
 * @param {number[]} values of processes, at least one
 * @returns {TypicalPercentile} without an interval where even the smallest and the largest do not suffice, below six
 */
export function describeMedian(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  let outside = -1;
  // Logarithm of the binomial probability that so many values are below the median.
  let logTerm = count * Math.log(0.5);
  for (let below = Math.exp(logTerm); 2 * below <= LEVEL; below += Math.exp(logTerm)) {
    outside++;
    logTerm += Math.log((count - outside) / (outside + 1));
  }
  return {
    ns: takeMedian(sorted),
    interval: outside < 0 ? null : { low: sorted[outside], high: sorted[count - 1 - outside] },
  };
}
