/**
 * Holds ways of making one ratio of a comparison against each other, on the A/A comparisons of a
 * calibration, where the truth is 1: `node scripts/compare-estimators.js reports/runs/CALIBRATION`.
 * The figures of decision 0017 come from it. Error: root mean square of the log ratio. Claimed: mean
 * standard error. False: share of single tests at 5 % that reject.
 */
import { parseArgs } from 'node:util';
import { readCalibration } from '../harness/calibration/calibration-store.js';
import { studentTwoSided } from '../harness/stats/distributions.js';
import { takeMedian } from '../harness/stats/median.js';
import { findCalmPace, takeFigure } from '../harness/stats/process-figure.js';
import { compareTrimmedMeans } from '../harness/stats/yuen-test.js';

/** @import { Arm, Measurement, ObservationDone, Trial } from '../harness/types.ts' */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', default: 'default' },
    /** Processes a side that are taken of each comparison. */
    processes: { type: 'string', default: '12' },
  },
});
const processes = Number(values.processes);
const LEVEL = 0.05;
/** Batches of 5 ms that are as long as the three of 10 ms of decision 0001. */
const FORMER_BATCHES = 6;

/** @typedef {(measurement: Measurement, calmNs: number) => number} Figure nanoseconds per document */

/** @type {Record<string, Figure>} */
const FIGURES = {
  'median of 3 batches of 10 ms (decision 0001)': ({ batchNsPerDocument }) =>
    takeMedian(joinPairs(batchNsPerDocument.slice(0, FORMER_BATCHES))),
  'median of all batches': ({ batchNsPerDocument }) => takeMedian(batchNsPerDocument),
  'fastest batch of 10 ms': ({ batchNsPerDocument }) => Math.min(...joinPairs(batchNsPerDocument)),
  'CPU time of all batches': ({ cpuUserMs, cpuSystemMs, documentsPerBatch }) =>
    (cpuUserMs + cpuSystemMs) / documentsPerBatch,
  'median, by the yardstick beside it': ({ batchNsPerDocument, yardstickNs = [] }) =>
    takeMedian(batchNsPerDocument.map((ns, batch) => ns / paceAt(yardstickNs, batch))),
  'calm batches by the yardstick, collections apart (decision 0017)': takeFigure,
};

/** @typedef {{ arm: Arm, block: number, value: number }} Value */

/** @type {Record<string, (values: Value[]) => { difference: number, error: number, p: number } | null>} */
const COMPARISONS = {
  'baseline alone': (all) =>
    describeTest(compareTrimmedMeans(take(all, 'candidate'), take(all, 'baseline'))),
  'with the control': (all) => describeTest(compareTrimmedMeans(take(all, 'candidate'), rest(all))),
  'within blocks': (all) => compareWithinBlocks(all),
};

const stored = await readCalibration(positionals[0] ?? '');
const trials = stored.trials.filter(({ injected, mode }) => injected === 0 && mode === values.mode);
const byTrial = groupByTrial();

console.log(
  `${trials.length} A/A comparisons in ${values.mode} mode, ${processes} processes a side\n`,
);
console.log('| figure of a process | compared | error | claimed | false |');
console.log('|---|---|--:|--:|--:|');
for (const [figureName, figure] of Object.entries(FIGURES)) {
  for (const [comparisonName, compare] of Object.entries(COMPARISONS)) {
    const found = trials.flatMap((trial) => compare(valuesOf(trial, figure)) ?? []);
    const cells = [
      percent(Math.sqrt(meanOf(found.map(({ difference }) => difference ** 2)))),
      percent(meanOf(found.map(({ error }) => error))),
      percent(meanOf(found.map(({ p }) => (p < LEVEL ? 1 : 0)))),
    ];
    console.log(`| ${figureName} | ${comparisonName} | ${cells.join(' | ')} |`);
  }
}

function groupByTrial() {
  /** @type {Map<string, typeof stored.observations>} */
  const groups = new Map();
  for (const observation of stored.observations) {
    const [number] = observation.jobId.split('/');
    groups.set(number, [...(groups.get(number) ?? []), observation]);
  }
  return groups;
}

/**
 * @param {Trial} trial
 * @param {Figure} figure
 * @returns {Value[]}
 */
function valuesOf({ number }, figure) {
  const own = (byTrial.get(String(number)) ?? []).filter(({ block }) => block < processes / 2);
  const calmNs = findCalmPace(own, [processes]) ?? NaN;
  return own
    .filter((one) => one.outcome === 'done')
    .map((observation) => {
      const { arm, block, measurement } = /** @type {ObservationDone} */ (observation);
      return { arm, block, value: Math.log(figure(measurement, calmNs)) };
    });
}

/** @param {number[]} batches */
function joinPairs(batches) {
  return batches.flatMap((ns, index) => (index % 2 === 0 ? [] : [(ns + batches[index - 1]) / 2]));
}

/**
 * @param {number[]} yardstickNs
 * @param {number} batch
 */
function paceAt(yardstickNs, batch) {
  return (yardstickNs[batch] + yardstickNs[batch + 1]) / 2;
}

/**
 * @param {Value[]} all
 * @param {Arm} arm
 */
function take(all, arm) {
  return all.filter((one) => one.arm === arm).map(({ value }) => value);
}

/** @param {Value[]} all */
function rest(all) {
  return [...take(all, 'baseline'), ...take(all, 'control')];
}

/**
 * Each value against the median of its block, with the control; what the median takes is given back
 * to the standard error.
 *
 * @param {Value[]} all
 */
function compareWithinBlocks(all) {
  const blocks = [...new Set(all.map(({ block }) => block))];
  const centred = blocks.flatMap((number) => {
    const own = all.filter(({ block }) => block === number);
    const middle = takeMedian(own.map(({ value }) => value));
    return own.map((one) => ({ ...one, value: one.value - middle }));
  });
  const test = compareTrimmedMeans(take(centred, 'candidate'), rest(centred));
  if (test === null) return null;
  const jobs = all.length / blocks.length;
  const error = test.standardError * Math.sqrt(jobs / (jobs - 1));
  const freedom = test.degreesOfFreedom * ((jobs - 1) / jobs);
  return {
    difference: test.difference,
    error,
    p: studentTwoSided(test.difference / error, freedom),
  };
}

/** @param {ReturnType<typeof compareTrimmedMeans>} test */
function describeTest(test) {
  if (test === null) return null;
  return { difference: test.difference, error: test.standardError, p: test.p };
}

/** @param {number[]} numbers */
function meanOf(numbers) {
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(2)} %`;
}
