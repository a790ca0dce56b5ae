import { group } from 'd3-array';
import { omitUndefined } from '../../lib/records.js';
import { contrastOf } from '../contrast.js';
import { ARMS, forEachArm, pairOf } from '../plan.js';
import { shareDisturbed } from '../interference.js';
import {
  MIN_PROCESSES,
  NO_ALLOWANCE,
  allowForPull,
  showLast,
  widen,
  widestOf,
} from '../decision-rule.js';
import {
  compareTrimmedMeans,
  detectableEffect,
  findTwoClusters,
  intervalAround,
  mannWhitneyP,
  meanOfTrimmed,
  processesNeeded,
  robustDeviation,
} from '../robust.js';
import { fitTrend, sumOf, toRatio, toRatios } from '../means.js';
import { comparePercentiles } from './percentiles.js';
import { compareResources } from './resources.js';
import { logFiguresOf, poolBaseline } from './samples.js';
import { levelOfLook } from '../multiplicity.js';

/** @import { Arm, ArmComparison, CellComparison, Question } from '../../formats/types.ts' */
/** @import { CellRecord, LookSample } from './samples.js' */
/** @import { ArmTest, CellJudgement } from '../decision-rule.js' */
/** @import { MeanDifference } from '../robust.js' */

/**
 * A cell as reported, and the figures that only its notes use.
 *
 * @typedef {object} CellDescription
 * @property {CellComparison} comparison without its warnings
 * @property {CellJudgement} judgement
 * @property {CellRecord} record
 * @property {{ slopePerMinute: number, p: number, overRun: number } | null} drift log scale
 * @property {{ arm: Arm, gap: number, smallerShare: number }[]} clusters variants whose processes fall
 *   into two groups; the baseline's with the control's
 * @property {number | null} idleShare of the batches' wall time, in which the event loop had nothing to do; null where a
 *   worker does not know
 * @property {number | null} waitingShare of it, that is neither that nor CPU time
 * @property {Record<Arm, number | null>} cpuShares CPU time of all threads ÷ wall time of the batches
 * @property {MeanDifference | null} jitter of the candidate's batches minus the baseline's, log scale
 */

/**
 * @param {CellRecord} record
 * @param {LookSample[]} samples
 * @param {CellJudgement} judgement
 * @param {Question} question
 * @returns {CellDescription}
 */
export function describeCell(record, samples, judgement, question) {
  const last = showLast(samples, judgement.effect);
  const sorted = forEachArm((arm) =>
    Float64Array.from(last?.figures[arm] ?? logFiguresOf(record.arms[arm])).sort(),
  );
  const pooled = Float64Array.from(poolBaseline(forEachArm((arm) => [...sorted[arm]]))).sort();
  const jobs = contrastOf(question).take(record.arms, Infinity);
  const processes = forEachArm((arm) => sumOf(jobs[arm].map((job) => job.processes)));
  const { pairs } = last ?? {};
  const drift = describeDrift(record);
  const resources = compareResources(record, judgement, question);
  const percentiles = comparePercentiles(record, question);
  /** @type {CellComparison} */
  const comparison = {
    cell: record.cell,
    verdict: judgement.verdict,
    strong: judgement.strong,
    processes,
    figures: forEachArm((arm) => sorted[arm].length),
    ...omitUndefined({ pairs: pairs && poolBaseline(pairs).length }),
    failedJobs: countJobsWithoutMeasurement(record),
    baselineNs: typicalNs(pooled),
    candidateNs: typicalNs(sorted.candidate),
    effect: describeArm(judgement.effect, judgement.pAdjusted),
    control: describeArm(judgement.control, judgement.control?.pSequential ?? 1),
    ...describeStanding(judgement),
    ...forecast(judgement, { samples, processes }, question),
    mannWhitneyP: mannWhitneyP(sorted.candidate, pooled),
    processSpread: forEachArm((arm) =>
      sorted[arm].length < 2 ? null : robustDeviation(sorted[arm]),
    ),
    unsettledShare: shareUnsettled(record),
    disturbedShare: shareDisturbedByHost(record, question),
    driftPerMinute: drift === null ? null : Math.expm1(drift.slopePerMinute),
    gcShare: forEachArm((arm) => shareOfWall(record, [arm], ({ gcMs }) => gcMs)),
    ...omitUndefined({ resources: resources.length === 0 ? undefined : resources }),
    ...omitUndefined({ percentiles: percentiles.length === 0 ? undefined : percentiles }),
    ...describeHosts(last, judgement, question),
    warnings: [],
  };
  const clusters = contrastOf(question).variantArms.flatMap((arm) => {
    const found = findTwoClusters(arm === 'baseline' ? pooled : sorted.candidate);
    return found === null ? [] : [{ arm, ...found }];
  });
  const cpuShare = shareOfWall(record, ARMS, readCpuMs);
  const known = record.cell.concurrency === undefined ? 0 : undefined;
  const idleShare = shareOfWall(record, ARMS, ({ batchIdleMs }) =>
    batchIdleMs === undefined ? known : sumOf(batchIdleMs),
  );
  const waitingShare =
    cpuShare === null || idleShare === null ? null : Math.max(0, 1 - cpuShare - idleShare);
  const cpuShares = forEachArm((arm) => shareOfWall(record, [arm], readCpuMs));
  const jitter = compareJitter(record);
  return {
    comparison,
    judgement,
    record,
    drift,
    clusters,
    idleShare,
    waitingShare,
    cpuShares,
    jitter,
  };
}

/**
 * The effect on each host of a run over several, at the level of the interval of all, and with the same allowances.
 * @type {(sample: LookSample | undefined, judgement: CellJudgement, question: Question) => Pick<CellComparison, 'hosts'>}
 */
function describeHosts(sample, { plan, effect }, question) {
  const hosts = sample?.hosts;
  if (sample === undefined || hosts === undefined) return {};
  const level = levelOfLook(question.alpha, plan, effect?.isRough);
  const degreesOfFreedom = hosts.noiseFreedom;
  return {
    hosts: {
      spread: Math.expm1(hosts.spread),
      effects: hosts.effects.map(({ host, count, estimate, standardError, p }) => ({
        host,
        ...count,
        ratio: toRatios(
          widen(
            allowForPull(
              intervalAround({ difference: estimate, standardError, degreesOfFreedom }, level),
              question,
            ),
            effect?.allowance ?? NO_ALLOWANCE,
          ),
        ),
        disagrees: p <= question.alpha / hosts.effects.length,
      })),
    },
  };
}

/**
 * Share of the batches; of several hosts, each by its own speed.
 * @type {(record: CellRecord, question: Question) => number | null}
 */
function shareDisturbedByHost(record, question) {
  const hosts = [...group(doneOf(record), ({ host }) => host).values()];
  const shares = hosts.flatMap((done) => {
    const share = shareDisturbed(done, pairOf(question, record.cell));
    return share === null ? [] : [{ share, jobs: done.length }];
  });
  const jobs = sumOf(shares.map((each) => each.jobs));
  return jobs === 0 ? null : sumOf(shares.map((each) => each.share * each.jobs)) / jobs;
}

/** @type {(judgement: CellJudgement) => Pick<CellComparison, 'standing'>} */
function describeStanding({ standing }) {
  if (standing === undefined) return {};
  return { standing: { class: standing.class, ratio: toRatios(standing.interval) } };
}

/** @param {CellRecord} record */
function countJobsWithoutMeasurement({ arms }) {
  return ARMS.flatMap((arm) => arms[arm]).filter(({ done }) => done === null).length;
}

/** @param {Float64Array} sortedLogs */
function typicalNs(sortedLogs) {
  return sortedLogs.length === 0 ? null : toRatio(meanOfTrimmed(sortedLogs));
}

/**
 * How much larger the effect would be if figures were means of all undisturbed batches, not of the fast ones.
 * @param {CellRecord} record
 */
function compareJitter({ arms }) {
  const jitters = forEachArm((arm) => arms[arm].flatMap(({ jitter }) => jitter ?? []));
  return compareTrimmedMeans(jitters.candidate, poolBaseline(jitters));
}

/** @type {(test: ArmTest | null, pAdjusted: number) => ArmComparison | null} */
function describeArm(test, pAdjusted) {
  if (test === null) return null;
  return {
    ratio: toRatios(test.interval),
    standardError: test.test.standardError,
    degreesOfFreedom: test.test.degreesOfFreedom,
    pNominal: test.test.p,
    pSequential: test.pSequential,
    pAdjusted,
  };
}

/**
 * Precision and remaining effort, by the noise seen so far. The level of a direction is the one
 * that a single difference among all cells has to reach under Holm's adjustment, or each comparison
 * of a ranking.
 * @param {CellJudgement} judgement @param {{ samples: LookSample[], processes: Record<Arm, number> }} cell @param {Question} question
 */
function forecast({ effect, standing, plan, verdict }, { samples, processes }, question) {
  const last = samples.at(-1);
  const test = effect?.test ?? standing?.test;
  if (test === undefined || last === undefined) {
    return { detectableEffect: null, processesNeeded: null };
  }
  // One variant may have one process more than the other, and too few allow no verdict.
  const most = Math.max(processes.candidate, processes.baseline + processes.control);
  const least = Math.max(MIN_PROCESSES, most + 1);
  const directionLevel =
    standing?.level ?? levelOfLook(question.alpha / question.cells.length, plan);
  const needed = processesNeeded({
    difference: test.difference,
    standardError: test.standardError,
    processes: last.size,
    minimumEffect: Math.log1p(question.minimumEffect),
    directionLevel,
    intervalLevel: standing?.level ?? levelOfLook(question.alpha, plan),
  });
  // That of the test whose ratio is shown, beyond what its correction may miss.
  const detects = detectableEffect(
    test,
    effect?.isRough === true
      ? levelOfLook(question.alpha / question.cells.length, plan, true)
      : directionLevel,
  );
  const beyond = Math.expm1(
    Math.log1p(detects) + (effect === null ? 0 : widestOf(effect.allowance)),
  );
  return {
    detectableEffect: Math.min(beyond, Number.MAX_VALUE),
    processesNeeded: verdict === 'inconclusive' ? Math.max(needed, least) : null,
  };
}

/** @param {CellRecord} record */
function doneOf({ arms }) {
  return ARMS.flatMap((arm) => arms[arm].flatMap(({ done }) => done ?? []));
}

/** @param {CellRecord} record */
function shareUnsettled(record) {
  const measurements = doneOf(record).map(({ measurement }) => measurement);
  if (measurements.length === 0) return null;
  return measurements.filter(({ warmUp }) => !warmUp.settled).length / measurements.length;
}

/** Trend of the log times of baseline and control, which are the same code, over the run. @param {CellRecord} record */
function describeDrift({ arms }) {
  const jobs = [...arms.baseline, ...arms.control];
  // Jobs of several hosts differ by more than a drift.
  if (new Set(jobs.map(({ host }) => host)).size > 1) return null;
  const points = jobs.flatMap(({ done, logFigure }) =>
    done === null || logFigure === null ? [] : { x: done.startedAtMs / 60_000, y: logFigure },
  );
  const trend = fitTrend(points);
  if (trend === null) return null;
  let first = Infinity;
  let last = -Infinity;
  for (const { x } of points) {
    first = Math.min(first, x);
    last = Math.max(last, x);
  }
  return { slopePerMinute: trend.slope, p: trend.p, overRun: trend.slope * (last - first) };
}

/**
 * Sum of a figure over the sum of the wall time, over all measured jobs of the arms.
 *
 * @param {CellRecord} record
 * @param {readonly Arm[]} included
 * @param {(measurement: import('../../formats/types.ts').Measurement) => number | undefined} read milliseconds
 * @returns {number | null} null without wall time, or where a worker does not know
 */
function shareOfWall({ arms }, included, read) {
  let sum = 0;
  let wallMs = 0;
  for (const arm of included) {
    for (const { done } of arms[arm]) {
      if (done === null) continue;
      const ms = read(done.measurement);
      if (ms === undefined) return null;
      sum += ms;
      wallMs += done.measurement.wallMs;
    }
  }
  return wallMs > 0 ? sum / wallMs : null;
}

/** @param {import('../../formats/types.ts').Measurement} measurement */
function readCpuMs({ cpuUserMs, cpuSystemMs }) {
  return cpuUserMs + cpuSystemMs;
}
