import { group } from 'd3-array';
import { describeFailure } from '../lib/failures.js';
import { differencePairs } from './cell/samples.js';
import { MIN_PROCESSES, allowForPull, widen } from './decision-rule.js';
import { studentTwoSided } from './distributions.js';
import { MAX_POWER_GAP, correctFigure, takeFigure } from './interference.js';
import { combineFreedom, meanOf, studentInterval, toRatios, varianceOf } from './means.js';
import { describeGroupedMean, describeTrimmedMean, isWithoutNoise } from './robust.js';
import { scheduleOf } from './schedule.js';

/** @import { PlacementComparison, PlacementObservation, Question } from '../formats/types.ts' */
/** @import { SpeedOf } from './interference.js' */

/**
 * Log figures of the processes of each arm, by placement. `pairs`: candidate minus the baseline that ran at the same
 * time, by placement; each copy has one partner.
 *
 * @typedef {object} PlacementFigures
 * @property {number[][]} baseline
 * @property {number[][]} candidate
 * @property {number[][]} pairs
 * @property {number} [imbalance] factor of the variance of the pairs, as those of one order of the cores may be missing
 * @property {number} [allowance] part of half of the interval, for what a correction of figures may miss
 */

/** @typedef {{ speedOf: SpeedOf, digest: string | undefined }} PlacedCell */

/** @type {(observation: PlacementObservation) => string} */
const nameOf = ({ arm, placement }) => `${arm} ${placement}`;

/**
 * @param {PlacementObservation[]} observations of one cell
 * @param {PlacedCell} cell
 * @returns {Map<string, string>} why placements do not count, by name: a failed job casts doubt on its whole placement
 */
export function listDropped(observations, { digest }) {
  /** @type {Map<string, string>} */
  const dropped = new Map();
  for (const observation of observations) {
    if (observation.outcome === 'failed') {
      dropped.set(nameOf(observation), describeFailure(observation.failure));
    } else if (observation.outputDigest !== digest) {
      dropped.set(nameOf(observation), 'other bytes than the reference');
    }
  }
  return dropped;
}

/** Where fewer of the processes or pairs are undisturbed, the corrected figures of all are compared. */
const MIN_UNDISTURBED_SHARE = 0.25;

/**
 * The figures to compare: of the undisturbed processes, or, where these are few, the corrected ones of all. Which of them
 * depends on the disturbance alone.
 *
 * @param {PlacementObservation[]} observations of one cell
 * @param {PlacedCell} cell
 * @param {Pick<Question, 'schedule'>} question
 * @returns {PlacementFigures}
 */
export function takePlacementFigures(observations, cell, question) {
  const dropped = listDropped(observations, cell);
  const done = observations.flatMap((each) =>
    each.outcome === 'done' && !dropped.has(nameOf(each)) ? each : [],
  );
  const units = scheduleOf(question).comparesPlacedPairs ? done.length / 2 : done.length;
  const undisturbed = groupFigures(done, (each) => {
    const figure = takeFigure(each.measurement, cell.speedOf(each));
    return figure === null ? null : Math.log(figure);
  });
  const kept = scheduleOf(question).comparesPlacedPairs
    ? undisturbed.pairs.flat().length
    : [...undisturbed.baseline, ...undisturbed.candidate].flat().length;
  if (kept >= MIN_UNDISTURBED_SHARE * units) return undisturbed;
  const corrected = new Map(
    done.map((each) => [each, correctFigure(each.measurement, cell.speedOf(each))]),
  );
  const all = groupFigures(done, (each) => corrected.get(each)?.logFigure ?? null);
  const slowdowns = [...corrected.values()].flatMap((each) => each?.slowdown ?? []);
  if (slowdowns.length === 0) return undisturbed;
  return { ...all, allowance: MAX_POWER_GAP * meanOf(slowdowns) };
}

/** @typedef {Extract<PlacementObservation, { outcome: 'done' }>} Placed */

/** @type {(done: Placed[], read: (observation: Placed) => number | null) => PlacementFigures} */
function groupFigures(done, read) {
  const placed = done.flatMap((observation) => {
    const logFigure = read(observation);
    return logFigure === null ? [] : [{ ...observation, logFigure }];
  });
  const [baseline, candidate] = /** @type {const} */ (['baseline', 'candidate']).map((arm) =>
    placed.filter((each) => each.arm === arm),
  );
  const { pairs, imbalance } = differencePairs(candidate, baseline);
  const ofPairs = pairs.map(({ job: { placement }, difference }) => ({ placement, difference }));
  return {
    baseline: groupByPlacement(baseline, ({ logFigure }) => logFigure),
    candidate: groupByPlacement(candidate, ({ logFigure }) => logFigure),
    pairs: groupByPlacement(ofPairs, ({ difference }) => difference),
    imbalance,
  };
}

/** @template {{ placement: number }} T @param {T[]} items @param {(item: T) => number} read */
function groupByPlacement(items, read) {
  return [...group(items, ({ placement }) => placement).values()].map((own) => own.map(read));
}

/**
 * Compares both variants over several placements. The placement is the unit of replication, as the process is elsewhere:
 * processes of one placement share the cost of their code's placement. The estimate is the difference of the 20 %-trimmed
 * means of all processes; in a paired schedule the trimmed mean of the differences of partners.
 *
 * @param {PlacementFigures} figures
 * @param {Pick<Question, 'schedule'>} question
 * @param {{ level: number, isSlower: boolean }} direction whose p-value is wanted; the interval misses in this share, two-sided
 * @returns {PlacementComparison | null} null with too few placements, equal figures, or pairs of one order of the cores alone
 */
export function comparePlacements(figures, question, { level, isSlower }) {
  const { baseline, candidate, pairs, imbalance = 1, allowance = 0 } = figures;
  const { comparesPlacedPairs } = scheduleOf(question);
  const units = comparesPlacedPairs ? [pairs] : [candidate, baseline];
  const counts = units.map(({ length }) => length);
  if (Math.min(...counts) < MIN_PROCESSES) return null;
  if (comparesPlacedPairs && !Number.isFinite(imbalance)) return null;
  const parts = units.map(describeGroupedMean);
  const [first, second = { mean: 0, squaredError: 0 }] = parts;
  const variance = first.squaredError + second.squaredError;
  const difference = {
    estimate: first.mean - second.mean,
    standardError: Math.sqrt(variance * (comparesPlacedPairs ? imbalance : 1)),
    freedom: combineFreedom(parts),
  };
  if (isWithoutNoise(difference.standardError)) return null;
  const spreads = [baseline, candidate].map(findExcess).filter((known) => known !== null);
  const interval = allowForPull(studentInterval(difference, level), question);
  return {
    placements: Math.min(...counts),
    figures: Math.min(...units.flatMap((groups) => groups.map(({ length }) => length))),
    ratio: toRatios(widen(interval, { low: allowance, high: allowance })),
    confidence: 1 - level,
    p: testSide(difference, isSlower, allowance),
    standardError: difference.standardError,
    degreesOfFreedom: difference.freedom,
    deviations: { baseline: listDeviations(baseline), candidate: listDeviations(candidate) },
    spread: spreads.length === 0 ? null : Math.sqrt(Math.max(0, meanOf(spreads))),
  };
}

/** @type {(difference: import('./means.js').MeanEstimate, isSlower: boolean, allowance: number) => number} one-sided */
function testSide({ estimate, standardError, freedom }, isSlower, allowance) {
  const beyond = (isSlower ? estimate : -estimate) - allowance;
  const outer = studentTwoSided(Math.abs(beyond) / standardError, freedom) / 2;
  return beyond > 0 ? outer : 1 - outer;
}

/**
 * How much placements differ beyond the noise of processes. It counts only placements in which more than one process
 * has a figure.
 *
 * @param {number[][]} placements
 * @returns {number | null} variance; negative where they differ by less than that noise, null if unknown
 */
function findExcess(placements) {
  const precise = placements.filter(({ length }) => length > 1).map(describeTrimmedMean);
  if (precise.length < 2) return null;
  const noise = meanOf(precise.map(({ squaredError }) => squaredError));
  return varianceOf(precise.map(({ mean }) => mean)) - noise;
}

/** @param {number[][]} placements */
function listDeviations(placements) {
  const means = placements.map(meanOf);
  return means.map((mean) => Math.exp(mean - meanOf(means)));
}
