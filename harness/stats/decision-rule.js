import { locateInterval } from './band.js';
import { poolBaseline } from './cell/samples.js';
import { MAX_POWER_GAP } from './interference.js';
import { combineFreedom, estimateDifference, sumOf, testZero, toRatios } from './means.js';
import { adjustByHolm, levelOfLook, sequentialP, toPlannedP } from './multiplicity.js';
import { omitUndefined } from '../lib/records.js';
import { listAllLooks } from './plan.js';
import { scheduleOf } from './schedule.js';
import {
  compareCautiously,
  compareTrimmedMeans,
  intervalAround,
  isWithoutNoise,
  testPairs,
} from './robust.js';
import { isDecided, isDirection } from './verdicts.js';

/** @import { Question, RatioBand, VerdictWord } from '../formats/types.ts' */
/** @import { HostEffects, HostError } from './cell/hosts.js' */
/** @import { LookSample, RoughSample, Sample } from './cell/samples.js' */
/** @import { MeanDifference } from './robust.js' */

/**
 * Level, over all looks, of the test of the control in a cell without a direction. Nearly every cell of
 * two equal variants is such a cell, so the level is strict. A direction is rarer and people act on it:
 * its control is tested at α, so it deviates when its reported interval excludes 1. Decision 0003 has
 * the figures.
 */
const STRICT_CONTROL_LEVEL = 0.005;

/** @type {(word: VerdictWord, alpha: number) => number} level of the test of the control beside this word */
export function controlLevelOf(word, alpha) {
  return isDirection(word) ? alpha : STRICT_CONTROL_LEVEL;
}

/**
 * @typedef {object} CellInput
 * @property {LookSample[]} samples ascending; the last one has all figures
 * @property {boolean} refused whether an output was wrong
 * @property {RatioBand[]} [bands] measuring continues until the interval contains no edge of them
 */

/** @typedef {Pick<Question, 'alpha' | 'minimumEffect' | 'looks' | 'earlyLook' | 'schedule' | 'boundary' | 'measuresOn'>} Rule */
/** @import { LookPlan } from './multiplicity.js' */
/** @import { RankTest } from './ranking.js' */

/**
 * One arm against the baseline, over the looks so far.
 *
 * @typedef {object} ArmTest
 * @property {MeanDifference} test of the last sample
 * @property {boolean} isRough whether by the corrected figures of all processes
 * @property {Allowance} allowance part of the interval, for what the figures may miss
 * @property {HostEffects} [hosts] of a run over several
 * @property {number} level at the last look, of the interval
 * @property {LogInterval} interval repeated confidence interval
 * @property {number} pSequential
 */

/**
 * @typedef {object} CellJudgement
 * @property {VerdictWord} verdict
 * @property {boolean} strong
 * @property {boolean} decided whether measuring of this cell can stop
 * @property {ArmTest | null} effect null with fewer figures or pairs than `MIN_PROCESSES`, and where these are equal
 * @property {ArmTest | null} control
 * @property {number} pAdjusted
 * @property {boolean} controlDiffers
 * @property {boolean} heldBackByHolm whether the adjustment for the other cells prevents a direction
 * @property {LookPlan} plan of the looks, planned and unplanned
 * @property {RankTest} [standing] in a ranking, the variant against the fastest of the others
 */

/**
 * The decision rule, from samples to verdicts; decision 0002 explains it.
 *
 * @param {CellInput[]} cells every cell of the question: those without data count in Holm's
 *   adjustment; otherwise their data could withdraw an earlier verdict
 * @param {Rule} question
 * @returns {CellJudgement[]} in the order given
 */
export function judgeCells(cells, question) {
  const tested = cells.map(({ samples }) => {
    const plan = planLooks(question, samples);
    const effect = testEffect(samples, plan, question);
    return { plan, effect, control: testControl({ samples, plan, ...question }, effect) };
  });
  const count = cells.length;
  const pValues = tested.map(({ effect }) => effect?.pSequential ?? 1);
  const adjusted = adjustByHolm(pValues, count);
  return cells.map((cell, index) => judgeCell(cell, tested[index], adjusted[index], question));
}

/** Control against baseline. Of pairs, both were compared with the candidate. @param {Sample} sample */
function compareControl({ figures, pairs, hosts }) {
  const test =
    pairs === undefined
      ? compareTrimmedMeans(figures.control, figures.baseline)
      : compareTrimmedMeans(pairs.baseline, pairs.control);
  // The same code has the same effect on all hosts: none.
  return allowForHosts(test, hosts && { ...hosts, squaredError: 0 });
}

/** A difference without its test. @typedef {Pick<MeanDifference, 'difference' | 'standardError' | 'degreesOfFreedom'>} Difference */

/**
 * Adds the error that comes from the choice of the hosts.
 *
 * @template {Difference | null} D
 * @param {D} own
 * @param {HostError | undefined} hosts
 * @returns {D | MeanDifference} the same of one host
 */
export function allowForHosts(own, hosts) {
  if (own === null || hosts === undefined) return own;
  const { difference, degreesOfFreedom } = own;
  const noise = {
    squaredError: own.standardError ** 2 * (1 + hosts.lostShare),
    freedom: degreesOfFreedom,
  };
  const parts = [noise, hosts];
  const standardError = Math.sqrt(sumOf(parts.map(({ squaredError }) => squaredError)));
  // Where hosts differ, they are the sample.
  const freedom =
    hosts.squaredError > 0 ? Math.min(combineFreedom(parts), hosts.freedom) : combineFreedom(parts);
  const { t, p } = testZero({ estimate: difference, standardError, freedom });
  return { difference, standardError, degreesOfFreedom: freedom, t, p, noise };
}

/**
 * @param {{ samples: LookSample[], plan: LookPlan, alpha: number }} looks
 * @param {ArmTest | null} [effect] beside which it is shown, of the same figures
 * @returns {ArmTest | null} control against baseline
 */
export function testControl({ samples, plan, alpha }, effect = null) {
  const shown = showLast(samples, effect);
  if (shown === undefined) return null;
  const isRough = effect?.isRough === true;
  const test = compareControl(shown);
  if (test === null) return null;
  const lowest = { rough: 1, usual: 1 };
  for (const sample of samples) {
    const isLast = sample === samples.at(-1);
    const kind = isLast && isRough ? 'rough' : 'usual';
    const { p = 1 } = (isLast ? test : compareControl(sample)) ?? {};
    lowest[kind] = Math.min(lowest[kind], toPlannedP(p, plan, sample.size));
  }
  const level = levelOfLook(alpha, plan, isRough);
  const interval = intervalAround(test, level);
  return {
    test,
    isRough,
    allowance: NO_ALLOWANCE,
    level,
    interval,
    pSequential: sequentialP(plan, lowest),
  };
}

/**
 * @param {LookSample[]} samples
 * @param {Pick<ArmTest, 'isRough'> | null} effect
 * @returns {LookSample | undefined} the last one, with the figures that the effect is of
 */
export function showLast(samples, effect) {
  const last = samples.at(-1);
  return effect?.isRough === true ? last && { ...last, ...last.rough } : last;
}

/**
 * Candidate against baseline and control together. These are the same code: the part of their difference
 * that is larger than its standard error may be an error of one of them, and their mean has half of that error.
 *
 * @param {Sample} sample
 * @param {MeanDifference | null} control its difference from the baseline; null to take them for equal
 * @returns {MeanDifference | null} null with too few figures or pairs, or equal ones: they say nothing about the noise
 */
function compareCandidate(sample, control) {
  if (countCompared(sample) < MIN_PROCESSES) return null;
  const { figures, pairs, imbalance = 1, hosts } = sample;
  const moreVariance = excessOf(control);
  const test =
    pairs === undefined
      ? compareCautiously(figures.candidate, poolBaseline(figures), moreVariance)
      : testPairs(poolBaseline(pairs), imbalance, moreVariance);
  if (test === null || isWithoutNoise(test.standardError)) return null;
  return allowForHosts(test, hosts);
}

/** Part of the variance of the mean of baseline and control that their difference shows. @param {MeanDifference | null} control */
function excessOf(control) {
  if (control === null) return 0;
  return Math.max(0, control.difference ** 2 - control.standardError ** 2) / 4;
}

/**
 * The same by the corrected figures of all processes, whether the difference is beyond what the correction may miss. They
 * are compared as independent samples, not in pairs: what a pair has in common is mostly corrected, and there are twice as
 * many degrees of freedom. Nothing is trimmed, so that a few processes show a large difference.
 *
 * @param {RoughSample} sample
 * @returns {MeanDifference | null} whose p is of that question
 */
function compareRoughly(sample) {
  const { figures, hosts } = sample;
  if (countCompared(sample) < MIN_PROCESSES) return null;
  const mean = estimateDifference(figures.candidate, poolBaseline(figures));
  const { estimate: difference, standardError, freedom: degreesOfFreedom } = mean;
  if (isWithoutNoise(standardError)) return null;
  const own = allowForHosts(
    { difference, standardError, degreesOfFreedom, ...testZero(mean) },
    hosts,
  );
  if (own === null) return null;
  const beyond = Math.max(0, Math.abs(difference) - allowanceOf(sample)) * Math.sign(difference);
  const { t, p } = testZero({
    estimate: beyond,
    standardError: own.standardError,
    freedom: own.degreesOfFreedom,
  });
  return { ...own, t, p };
}

/** @type {(sample: RoughSample) => number} how far a rough difference may be off, where a neighbour slows one arm more */
export function allowanceOf({ slowdown }) {
  return MAX_POWER_GAP * slowdown;
}

/**
 * @param {LogInterval} interval
 * @param {Pick<Question, 'schedule'>} question
 * @returns {LogInterval} with the end further from zero moved out, by as much as the schedule may pull it towards zero
 */
export function allowForPull({ estimate, low, high }, question) {
  const factor = 1 + scheduleOf(question).pull;
  return { estimate, low: Math.min(low, low * factor), high: Math.max(high, high * factor) };
}

/**
 * Candidate against baseline at every look so far. The rough estimate is taken where the undisturbed processes allow none, or
 * no test of the control, where it alone is beyond the minimum effect, and where they settle nothing and its interval
 * lies within theirs.
 *
 * @param {LookSample[]} samples
 * @param {LookPlan} plan
 * @param {Rule} question
 * @param {(sample: Sample) => MeanDifference | null} [controlOf] of a sample; null to take baseline and control for equal
 * @returns {ArmTest | null}
 */
function testEffect(samples, plan, question, controlOf = compareControl) {
  const tests = samples.map((sample) => ({
    usual: compareCandidate(sample, controlOf(sample)),
    rough: sample.rough === undefined ? null : compareRoughly(sample.rough),
  }));
  const lowestOf = (/** @type {'rough' | 'usual'} */ kind) =>
    Math.min(
      1,
      ...tests.map((each, index) => {
        return toPlannedP(each[kind]?.p ?? 1, plan, samples[index].size);
      }),
    );
  const pSequential = sequentialP(plan, { rough: lowestOf('rough'), usual: lowestOf('usual') });
  /** @type {(test: MeanDifference | null | undefined, sample: Sample | undefined, ofCorrection?: number) => ArmTest | null} */
  const describe = (test, sample, ofCorrection) => {
    if (test == null || sample === undefined) return null;
    const isRough = ofCorrection !== undefined;
    const level = levelOfLook(question.alpha, plan, isRough);
    const { low, high } = allowFor(sample, test.difference, question);
    const allowance = { low: low + (ofCorrection ?? 0), high: high + (ofCorrection ?? 0) };
    const interval = widen(allowForPull(intervalAround(test, level), question), allowance);
    const { hosts } = sample;
    return { test, isRough, allowance, ...omitUndefined({ hosts }), level, interval, pSequential };
  };
  const last = samples.at(-1)?.rough;
  const usual = describe(tests.at(-1)?.usual, samples.at(-1));
  const rough = last === undefined ? null : describe(tests.at(-1)?.rough, last, allowanceOf(last));
  if (rough === null) return usual;
  const isRougher =
    usual === null || !isChecked(samples) || isClearer(rough.interval, usual.interval, question);
  return isRougher ? rough : usual;
}

/** Whether the undisturbed processes of the last look suffice to test the control. @param {LookSample[]} samples */
function isChecked(samples) {
  const last = samples.at(-1);
  return last !== undefined && compareControl(last) !== null;
}

/**
 * Whether of two intervals that overlap the first alone lies beyond the minimum effect, or says more where the other settles
 * nothing.
 * @type {(one: LogInterval, other: LogInterval, question: Rule) => boolean}
 */
function isClearer(one, other, question) {
  const minimumEffect = Math.log1p(question.minimumEffect);
  if (isDecided(judgeInterval(other, minimumEffect, true))) {
    const overlap = one.low <= other.high && other.low <= one.high;
    return overlap && isStrong(one, minimumEffect) && !isStrong(other, minimumEffect);
  }
  return other.low <= one.low && one.high <= other.high;
}

/** @typedef {{ low: number, high: number }} Allowance by which the ends of an interval are moved out, log scale */

/** @type {Allowance} */
export const NO_ALLOWANCE = Object.freeze({ low: 0, high: 0 });

/** @type {(allowance: Allowance) => number} the larger one */
export const widestOf = ({ low, high }) => Math.max(low, high);

/** @type {(interval: LogInterval, by: Allowance) => LogInterval} */
export function widen({ estimate, low, high }, by) {
  return { estimate, low: low - by.low, high: high + by.high };
}

const NO_GARBAGE = { baseline: 0, candidate: 0 };

/**
 * What figures may miss: pairs a part of what the arms differ by in collections of garbage, and any figures by as much as
 * one arm slows the reference loop to which they are converted.
 * @type {(sample: Sample, difference: number, question: Pick<Question, 'schedule'>) => Allowance}
 */
function allowFor({ garbage = NO_GARBAGE, readingShift = 0 }, difference, question) {
  const withoutGarbage = Math.exp(difference) * (1 - garbage.candidate) + garbage.baseline;
  const pulled = scheduleOf(question).pullOfGarbage * (difference - Math.log(withoutGarbage));
  const either = Math.abs(readingShift);
  return { low: either + Math.max(0, -pulled), high: either + Math.max(0, pulled) };
}

/**
 * @param {LookSample} sample the last one of a cell, or the same jobs with another figure
 * @param {LookPlan} plan of the looks that the cell had
 * @param {Pick<Question, 'alpha' | 'schedule'>} question
 * @returns {LogInterval | null} of candidate and baseline; null with too few figures
 */
export function estimateEffect(sample, plan, question) {
  const test = compareCandidate(sample, compareControl(sample));
  if (test === null) return null;
  const level = levelOfLook(question.alpha, plan);
  const interval = allowForPull(intervalAround(test, level), question);
  return widen(interval, allowFor(sample, test.difference, question));
}

/**
 * @typedef {{ plan: LookPlan, effect: ArmTest | null, control: ArmTest | null }} TestedCell
 * @type {(cell: CellInput, tested: TestedCell, pAdjusted: number, question: Rule) => CellJudgement}
 */
function judgeCell({ samples, refused, bands = [] }, tested, pAdjusted, question) {
  const { plan, effect, control } = tested;
  const minimumEffect = Math.log1p(question.minimumEffect);
  const atLastLook = (samples.at(-1)?.size ?? 0) >= (question.looks.at(-1) ?? 0);
  // What cannot be checked is no verdict.
  const enough = effect !== null && control !== null;
  /** @param {boolean} rejected */
  const judge = (rejected) => {
    if (!enough) return 'inconclusive';
    // A rough estimate gives a direction only if the whole interval lies beyond the minimum effect.
    if (effect.isRough && !isStrong(effect.interval, minimumEffect)) return 'inconclusive';
    return judgeInterval(effect.interval, minimumEffect, rejected);
  };
  const word = judge(pAdjusted <= question.alpha);
  const heldBackByHolm = !isDecided(word) && isDecided(judge(true));
  /** The word if only the disagreement of baseline and control prevents one. */
  const judgeTrustingly = () => {
    const trusting = testEffect(samples, plan, question, () => null);
    return trusting === null
      ? word
      : judgeInterval(trusting.interval, minimumEffect, trusting.pSequential <= question.alpha);
  };

  const controlLevel = controlLevelOf(word, question.alpha);
  const controlDiffers =
    control !== null && control.test.p <= levelOfLook(controlLevel, plan, control.isRough);
  const boundary = question.boundary === undefined ? null : Math.log(question.boundary);
  /** @param {LogInterval} interval  @param {number} deviation of the control */
  const isExplained = (interval, deviation) => {
    // A cell with a boundary is settled by the side of it on which the cell lies, whatever the word.
    if (boundary !== null) return !excludesWidened(interval, boundary, deviation);
    return isDecided(word) && couldControlExplain(word, interval, deviation, minimumEffect);
  };
  const explained =
    controlDiffers &&
    enough &&
    (isExplained(effect.interval, control.interval.estimate) ||
      (!isDecided(word) && isDecided(judgeTrustingly())));

  const isSettled =
    boundary === null
      ? isDecided(word) && isLocated(effect, bands)
      : enough && excludesWidened(effect.interval, boundary, 0);
  const settled = isSettled && question.measuresOn !== true;
  const verdict = refused ? 'refused' : explained ? 'untrusted' : word;
  return {
    verdict,
    strong: effect !== null && isDirection(verdict) && isStrong(effect.interval, minimumEffect),
    // The control may agree again at the next look, so an untrusted cell is not decided.
    decided: atLastLook || refused || (settled && !explained),
    effect,
    control,
    pAdjusted,
    controlDiffers,
    heldBackByHolm,
    plan,
  };
}

/**
 * @param {{ interval: LogInterval } | null | undefined} effect
 * @param {RatioBand[]} bands
 * @returns {boolean} whether the interval contains no edge of a band
 */
export function isLocated(effect, bands) {
  if (effect == null) return false;
  const ratios = toRatios(effect.interval);
  return bands.every((band) => locateInterval(ratios, band) !== 'across');
}

/** @type {(sample: Sample) => number} figures of the variant that has fewer, or in pairs the complete ones */
function countCompared({ figures, pairs }) {
  if (pairs !== undefined) return poolBaseline(pairs).length;
  return Math.min(poolBaseline(figures).length, figures.candidate.length);
}

/**
 * Planned looks, and the others that were taken. A run that was interrupted between two looks has had one
 * look more than planned, and may still reach all others.
 * @type {(question: Rule, samples: LookSample[]) => LookPlan}
 */
export function planLooks(question, samples) {
  const [looks, hasRough] = [listAllLooks(question), question.earlyLook !== undefined];
  const unplanned = [...new Set(samples.map(({ size }) => size))]
    .filter((size) => !looks.includes(size))
    .sort((a, b) => a - b);
  if (unplanned.length === 0) return { looks, hasRough };
  return { looks, hasRough, unplanned, size: Math.max(...samples.map(({ size }) => size)) };
}

/**
 * With fewer figures per variant, or pairs, there is neither a ratio nor a verdict. The trimmed mean has nothing to trim,
 * and of two pairs, one in each order of the cores, the difference of the cores takes away all that they differ by: their
 * standard error is 0.
 */
export const MIN_PROCESSES = 4;

/** Largest share of a direction's effect that a deviating control may have. */
const MAX_CONTROL_SHARE = 1 / 3;

/**
 * An estimate and its interval on the log scale.
 *
 * @typedef {{ estimate: number, low: number, high: number }} LogInterval
 */

/**
 * The verdict that the interval of the log ratio allows. An interval within the minimum effect is
 * `equivalent`, whether or not it contains zero. A direction needs an interval on one side of zero that
 * ends beyond the minimum effect, and rejection by the test over all cells.
 *
 * @param {LogInterval} effect candidate minus baseline
 * @param {number} minimumEffect on the log scale, positive
 * @param {boolean} rejected whether the test that is adjusted for looks and cells rejects
 * @returns {VerdictWord} `faster`, `slower`, `equivalent` or `inconclusive`
 */
export function judgeInterval({ low, high }, minimumEffect, rejected) {
  if (isWithin(low, high, minimumEffect)) return 'equivalent';
  if (rejected && low > 0) return 'slower';
  if (rejected && high < 0) return 'faster';
  return 'inconclusive';
}

/** @type {(low: number, high: number, minimumEffect: number) => boolean} */
function isWithin(low, high, minimumEffect) {
  return low > -minimumEffect && high < minimumEffect;
}

/**
 * Whether the whole interval lies beyond the minimum effect.
 *
 * @param {LogInterval} effect
 * @param {number} minimumEffect on the log scale
 * @returns {boolean}
 */
export function isStrong({ low, high }, minimumEffect) {
  return low > minimumEffect || high < -minimumEffect;
}

/**
 * Whether a value lies outside of an interval that is widened at both ends by a deviation of either sign, log scale.
 * @type {(interval: LogInterval, value: number, deviation: number) => boolean}
 */
function excludesWidened({ low, high }, value, deviation) {
  const width = Math.abs(deviation);
  return value < low - width || value > high + width;
}

/**
 * Whether whatever made the control deviate could also explain this verdict: it would change if the
 * interval were wider by the deviation at both ends, or, for a direction, the deviation exceeds a third
 * of the effect. Decision 0003 has the reasons.
 *
 * @param {VerdictWord} verdict a decided one
 * @param {LogInterval} effect
 * @param {number} controlEstimate control minus baseline, log scale
 * @param {number} minimumEffect on the log scale
 * @returns {boolean}
 */
export function couldControlExplain(verdict, effect, controlEstimate, minimumEffect) {
  const deviation = Math.abs(controlEstimate);
  if (!isDirection(verdict)) {
    return !isWithin(effect.low - deviation, effect.high + deviation, minimumEffect);
  }
  const nearEnd = Math.min(Math.abs(effect.low), Math.abs(effect.high));
  return deviation >= nearEnd || deviation > MAX_CONTROL_SHARE * Math.abs(effect.estimate);
}
