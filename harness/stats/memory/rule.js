import {
  couldControlExplain,
  isStrong,
  judgeInterval,
  STRICT_CONTROL_LEVEL,
} from '../decision-rule.js';
import { adjustByHolm } from '../multiplicity.js';
import { toRatios } from '../means.js';
import { forEachArm } from '../plan.js';
import { compareTrimmedMeans, intervalAround, meanOfTrimmed, takeMedian } from '../robust.js';
import { isDecided, isDirection, toMemoryWord } from '../verdicts.js';

/** @import { Arm, MemoryMetric, MemoryWord, Question } from '../../formats/types.ts' */
/** @import { LogInterval } from '../decision-rule.js' */

/** With fewer processes per arm, a figure with spread has no verdict. */
const MIN_PROCESSES = 3;
/** Smaller figures count as zero, because measuring itself causes as much: half a byte, half a nanosecond, an
 * allocation in 200 documents, 0.005 collections in 1000 documents. */
export const NEGLIGIBLE = Object.freeze({
  bytes: 0.5,
  allocations: 0.005,
  ns: 0.5,
  collections: 0.005,
});
/** Means of equal numbers of bytes differ by less than this. */
const EXACT_SHARE = 1e-9;

/**
 * A figure without its verdict.
 *
 * @typedef {object} MetricDraft
 * @property {MemoryMetric['name']} name
 * @property {MemoryMetric['unit']} unit
 * @property {Record<Arm, number[]>} samples one figure per process
 * @property {boolean} deterministic whether chance plays no part, as in the count of a heap snapshot:
 *   the interval is the range that was seen
 */

/**
 * One arm against the baseline on the log scale. `p` is null for deterministic figures.
 *
 * @typedef {LogInterval & { p: number | null }} ArmEffect
 */

/**
 * Applies the rule for times (decision 0002) to figures of memory, with one look. Holm's adjustment is
 * over all figures with spread.
 *
 * @param {MetricDraft[]} drafts of the whole run
 * @param {Pick<Question, 'alpha' | 'minimumEffect'>} question
 * @returns {MemoryMetric[]} in the order given
 */
export function judgeMemoryMetrics(drafts, question) {
  const cleaned = drafts.map(dropNegligible);
  const effects = cleaned.map((draft) => compareArm(draft, 'candidate', question.alpha));
  const tested = effects.flatMap((effect) => (effect?.p == null ? [] : [effect.p]));
  const adjusted = adjustByHolm(tested);
  let next = 0;
  return cleaned.map((draft, index) => {
    const effect = effects[index];
    const p = effect?.p == null ? 0 : adjusted[next++];
    const control = compareArm(draft, 'control', question.alpha);
    return {
      ...describeDraft(draft, effect, control),
      ...judge(draft, effect, control, p, question),
    };
  });
}

/** @type {(draft: MetricDraft) => MetricDraft} */
function dropNegligible(draft) {
  const clean = (/** @type {number[]} */ values) =>
    values.map((value) => (value < NEGLIGIBLE[draft.unit] ? 0 : value));
  return { ...draft, samples: forEachArm((arm) => clean(draft.samples[arm])) };
}

/**
 * @param {MetricDraft} draft
 * @param {'candidate' | 'control'} arm
 * @param {number} alpha
 * @returns {ArmEffect | null} null where an arm has too few figures, or a zero among them
 */
function compareArm({ samples, deterministic }, arm, alpha) {
  const [ours, theirs] = [samples[arm], samples.baseline];
  if (ours.length === 0 || theirs.length === 0) return null;
  if ([...ours, ...theirs].some((value) => value <= 0)) return null;
  const [logOurs, logTheirs] = [ours.map(Math.log), theirs.map(Math.log)];
  if (deterministic) {
    const low = Math.min(...logOurs) - Math.max(...logTheirs);
    const high = Math.max(...logOurs) - Math.min(...logTheirs);
    return { estimate: (low + high) / 2, low, high, p: null };
  }
  const test = compareTrimmedMeans(logOurs, logTheirs);
  if (test === null) return null;
  return { ...intervalAround(test, alpha), p: test.p };
}

/**
 * @param {MetricDraft} draft
 * @param {ArmEffect | null} effect
 * @param {ArmEffect | null} control
 * @returns {Omit<MemoryMetric, 'verdict' | 'strong'>}
 */
function describeDraft({ name, unit, samples }, effect, control) {
  const { baseline, candidate } = samples;
  return {
    name,
    unit,
    exact: isRepeated(baseline) && isRepeated(candidate),
    values: forEachArm((arm) => takeTypical(samples[arm])),
    ratio: effect && toRatios(effect),
    control: control && toRatios(control),
    processes: forEachArm((arm) => samples[arm].length),
  };
}

/**
 * @param {MetricDraft} draft
 * @param {ArmEffect | null} effect
 * @param {ArmEffect | null} control
 * @param {number} pAdjusted
 * @param {Pick<Question, 'alpha' | 'minimumEffect'>} question
 * @returns {{ verdict: MemoryWord, strong: boolean }}
 */
function judge({ samples, deterministic }, effect, control, pAdjusted, question) {
  const fewest = Math.min(samples.baseline.length, samples.candidate.length);
  if (fewest < (deterministic ? 1 : MIN_PROCESSES))
    return { verdict: 'inconclusive', strong: false };
  if (effect === null) return { verdict: judgeZeros(samples), strong: false };
  const minimumEffect = Math.log1p(question.minimumEffect);
  const word = judgeInterval(effect, minimumEffect, pAdjusted <= question.alpha);
  const level = isDirection(word) ? question.alpha : STRICT_CONTROL_LEVEL;
  const isExplained =
    control !== null &&
    isDecided(word) &&
    differs(control, level) &&
    couldControlExplain(word, effect, control.estimate, minimumEffect);
  if (isExplained) return { verdict: 'untrusted', strong: false };
  return {
    verdict: toMemoryWord(word),
    strong: isDirection(word) && isStrong(effect, minimumEffect),
  };
}

/**
 * Figures with zeros have no ratio. An arm that is zero in every process still differs from one that
 * never is.
 * @type {(samples: Record<Arm, number[]>) => MemoryWord}
 */
function judgeZeros({ baseline, candidate }) {
  const isZero = (/** @type {number} */ value) => value === 0;
  const [none, noneNow] = [baseline.every(isZero), candidate.every(isZero)];
  if (none && noneNow) return 'equivalent';
  if (none && !candidate.some(isZero)) return 'larger';
  if (noneNow && !baseline.some(isZero)) return 'smaller';
  return 'inconclusive';
}

/**
 * Whether the control differs from the baseline.
 *
 * @param {ArmEffect} control
 * @param {number} level
 */
function differs({ p, low, high }, level) {
  if (p !== null) return p <= level;
  return low > EXACT_SHARE || high < -EXACT_SHARE;
}

/**
 * @param {number[]} values
 * @returns {boolean} whether all of several processes have the same figure
 */
function isRepeated(values) {
  if (values.length < 2) return false;
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  return highest - lowest <= EXACT_SHARE * Math.abs(highest);
}

/**
 * @param {number[]} values
 * @returns {number | null} the trimmed mean on the log scale, as the ratio has it
 */
function takeTypical(values) {
  if (values.length === 0) return null;
  if (isRepeated(values) || values.some((value) => value <= 0)) return takeMedian(values);
  return Math.exp(meanOfTrimmed(Float64Array.from(values, Math.log).sort()));
}
