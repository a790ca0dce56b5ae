/**
 * Compares estimators of the ratio of a comparison on the A/A comparisons of a calibration, where the true
 * ratio is 1: `node scripts/compare-estimators.js reports/runs/CALIBRATION`. The figures of decision 0017 come
 * from it. In each block the processes are reassigned to the arms many times, at random and mirrored as in the
 * plan: all of them run the same code, so each assignment could have been the real one. Error: root mean
 * square of the log ratio. Claimed: mean standard error. False: share of single tests at 5 % that reject.
 * Lost: processes without a figure.
 */
import { parseArgs } from 'node:util';
import { ARMS } from '../harness/stats/plan.js';
import { readCalibration } from '../harness/studies/calibration/store.js';
import { undisturbedSpeed, takeFigure } from '../harness/stats/interference.js';
import { studentTwoSided } from '../harness/stats/distributions.js';
import { compareTrimmedMeans, takeMedian } from '../harness/stats/robust.js';
import { seedGenerator, shuffle } from '../harness/stats/random.js';

/** @import { UndisturbedSpeed } from '../harness/stats/interference.js' */
/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Arm, Measurement, Trial } from '../harness/formats/types.ts' */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', default: 'default' },
    /** Processes per arm to use of each comparison. */
    processes: { type: 'string', default: '12' },
  },
});
const processes = Number(values.processes);
const LEVEL = 0.05;
/** Random reassignments of the arms per comparison. */
const RELABELLINGS = 40;
/** Batches of 5 ms that together last as long as the three of 10 ms of decision 0001. */
const FORMER_BATCHES = 6;

/** @typedef {(measurement: Measurement, speed: UndisturbedSpeed | null) => number | null} Figure nanoseconds per document */

/** @type {Record<string, Figure>} */
const FIGURES = {
  'median of 3 batches of 10 ms (decision 0001)': ({ batchNsPerDocument }) =>
    takeMedian(joinPairs(batchNsPerDocument.slice(0, FORMER_BATCHES))),
  'median of all batches': ({ batchNsPerDocument }) => takeMedian(batchNsPerDocument),
  'fastest batch of 10 ms': ({ batchNsPerDocument }) => Math.min(...joinPairs(batchNsPerDocument)),
  'CPU time of all batches': ({ cpuUserMs, cpuSystemMs, documentsPerBatch }) =>
    (cpuUserMs + cpuSystemMs) / documentsPerBatch,
  'median, each batch scaled by the reference beside it': ({
    batchNsPerDocument,
    referenceLoopNs = [],
  }) => takeMedian(batchNsPerDocument.map((ns, batch) => ns / paceAt(referenceLoopNs, batch))),
  'undisturbed batches, collections separate (decision 0017)': takeFigure,
};

/** @typedef {{ arm: Arm, block: number, value: number }} Value */

/** @type {Record<string, (values: Value[]) => { difference: number, error: number, p: number } | null>} */
const COMPARISONS = {
  baseline: (all) =>
    describeTest(compareTrimmedMeans(take(all, 'candidate'), take(all, 'baseline'))),
  'baseline and control': (all) =>
    describeTest(compareTrimmedMeans(take(all, 'candidate'), rest(all))),
  'median of the block': (all) => compareWithinBlocks(all),
};

const stored = await readCalibration(positionals[0] ?? '');
const trials = stored.trials.filter(({ injected, mode }) => injected === 0 && mode === values.mode);
const byTrial = groupByTrial();

console.log(
  `${trials.length} A/A comparisons in ${values.mode} mode, ${processes} processes per arm\n`,
);
console.log('| figure of a process | lost | compared with | error | claimed | false |');
console.log('|---|--:|---|--:|--:|--:|');
for (const [figureName, figure] of Object.entries(FIGURES)) {
  const measured = trials.map((trial) => valuesOf(trial, figure));
  const whole = measured.flat();
  const lost = whole.filter(({ value }) => value === null).length / whole.length;
  for (const [comparisonName, compare] of Object.entries(COMPARISONS)) {
    const random = seedGenerator(1);
    const found = measured.flatMap((values) =>
      Array.from({ length: RELABELLINGS }, () => compare(relabel(values, random)) ?? []).flat(),
    );
    const cells = [
      percent(Math.sqrt(meanOf(found.map(({ difference }) => difference ** 2)))),
      percent(meanOf(found.map(({ error }) => error))),
      percent(meanOf(found.map(({ p }) => (p < LEVEL ? 1 : 0)))),
    ];
    console.log(`| ${figureName} | ${percent(lost)} | ${comparisonName} | ${cells.join(' | ')} |`);
  }
}

/**
 * Reassigns the arms: within a block the first and the last process get the same arm, and so on inwards.
 * @type {(values: Measured[], random: RandomGenerator) => Value[]}
 */
function relabel(values, random) {
  /** @type {Map<number, readonly Arm[]>} */
  const orders = new Map();
  return values.flatMap(({ block, position, value }) => {
    const order = orders.get(block) ?? shuffle(ARMS, random);
    orders.set(block, order);
    const place = Math.min(position, 2 * ARMS.length - 1 - position);
    return value === null ? [] : { arm: order[place], block, value };
  });
}

function groupByTrial() {
  /** @type {Map<string, typeof stored.observations>} */
  const groups = new Map();
  for (const observation of stored.observations) {
    const [number] = observation.id.split('/');
    groups.set(number, [...(groups.get(number) ?? []), observation]);
  }
  return groups;
}

/** @typedef {{ block: number, position: number, value: number | null }} Measured */

/** @type {(trial: Trial, figure: Figure) => Measured[]} */
function valuesOf({ number }, figure) {
  const own = (byTrial.get(String(number)) ?? []).filter(({ block }) => block < processes / 2);
  const speed = undisturbedSpeed(own, [processes]);
  return own.flatMap((observation) => {
    if (observation.outcome !== 'done') return [];
    const { block, position, measurement } = observation;
    const ns = figure(measurement, speed);
    return { block, position, value: ns === null ? null : Math.log(ns) };
  });
}

/** @param {number[]} batches */
function joinPairs(batches) {
  return batches.flatMap((ns, index) => (index % 2 === 0 ? [] : [(ns + batches[index - 1]) / 2]));
}

/**
 * @param {number[]} referenceLoopNs
 * @param {number} batch
 */
function paceAt(referenceLoopNs, batch) {
  return (referenceLoopNs[batch] + referenceLoopNs[batch + 1]) / 2;
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
 * Subtracts from each value the median of its block, control included; the standard error is corrected for
 * the degree of freedom that the median uses.
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
