import { poolBaseline } from '../cell/samples.js';
import { couldControlExplain, isStrong, judgeInterval, controlLevelOf } from '../decision-rule.js';
import { adjustByHolm } from '../multiplicity.js';
import { meanOf, toRatios } from '../means.js';
import { forEachArm } from '../plan.js';
import { takeMedian } from '../robust.js';
import { isDecided, isDirection, toMemoryWord } from '../verdicts.js';
import { compareByPermutation } from './permutation.js';

/** @import { Arm, MemoryMetric, MemoryWord, Question, RatioInterval } from '../../formats/types.ts' */
/** @import { LogInterval } from '../decision-rule.js' */

/** With fewer processes in an arm there is no verdict. */
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
 * @property {boolean} deterministic whether the method counts, as a heap snapshot does, so that figures
 *   which repeat in every process have no chance in them
 */

/** One arm against another on the log scale. @typedef {LogInterval & { p: number }} ArmEffect */

/**
 * A draft and its tests.
 *
 * @typedef {object} ComparedDraft
 * @property {MetricDraft} draft
 * @property {number[]} pooled baseline and control, which are the same code
 * @property {boolean} repeated whether all processes of the candidate agree, and all others
 * @property {boolean} hasChance whether the figure needs a test
 * @property {ArmEffect | null} effect candidate against the pooled baseline; null where a figure is
 *   missing or zero
 * @property {ArmEffect | null} control against the baseline
 * @property {number} p of the candidate against the pooled baseline, zeros included
 */

/**
 * Judges figures of memory by one exact permutation test each. Holm's adjustment is over all figures of
 * the run with chance in them. Decision 0005 explains the rule.
 *
 * @param {MetricDraft[]} drafts of the whole run
 * @param {Pick<Question, 'alpha' | 'minimumEffect'>} question
 * @returns {MemoryMetric[]} in the order given
 */
export function judgeMemoryMetrics(drafts, question) {
  const compared = drafts.map((draft) => compareDraft(dropNegligible(draft), question.alpha));
  const withChance = compared.filter(({ hasChance }) => hasChance);
  const adjusted = adjustByHolm(withChance.map(({ p }) => p));
  return compared.map((figure) => {
    const index = withChance.indexOf(figure);
    const rejected = index === -1 || adjusted[index] <= question.alpha;
    return { ...describe(figure), ...judge(figure, rejected, question) };
  });
}

/** @type {(draft: MetricDraft) => MetricDraft} */
function dropNegligible(draft) {
  const clean = (/** @type {number[]} */ values) =>
    values.map((value) => (value < NEGLIGIBLE[draft.unit] ? 0 : value));
  return { ...draft, samples: forEachArm((arm) => clean(draft.samples[arm])) };
}

/** @type {(draft: MetricDraft, alpha: number) => ComparedDraft} */
function compareDraft(draft, alpha) {
  const { samples, deterministic } = draft;
  const pooled = poolBaseline(samples);
  const repeated = isRepeated(pooled) && isRepeated(samples.candidate);
  const enough = Object.values(samples).every(({ length }) => length >= MIN_PROCESSES);
  const hasChance = !(deterministic && repeated && enough);
  const effect = compareLogs(samples.candidate, pooled, alpha);
  const control = compareLogs(samples.control, samples.baseline, alpha);
  return {
    draft,
    pooled,
    repeated,
    hasChance,
    effect: hasChance ? effect : withoutChance(effect),
    control: hasChance ? control : withoutChance(control),
    p: effect?.p ?? compareWithZeros(samples.candidate, pooled, alpha),
  };
}

/**
 * Compares logarithms; null where a sample is empty or has a zero.
 * @type {(ours: number[], theirs: number[], alpha: number) => ArmEffect | null}
 */
function compareLogs(ours, theirs, alpha) {
  if (ours.length === 0 || theirs.length === 0) return null;
  if ([...ours, ...theirs].some((value) => value <= 0)) return null;
  return compareByPermutation(ours.map(Math.log), theirs.map(Math.log), alpha);
}

/** @type {(effect: ArmEffect | null) => ArmEffect | null} */
function withoutChance(effect) {
  return effect && { ...effect, low: effect.estimate, high: effect.estimate };
}

/**
 * The p-value of a difference of the plain means; 1 without figures.
 * @type {(ours: number[], theirs: number[], alpha: number) => number}
 */
function compareWithZeros(ours, theirs, alpha) {
  if (ours.length === 0 || theirs.length === 0) return 1;
  const largest = Math.max(...ours, ...theirs) || 1;
  const scale = (/** @type {number[]} */ values) => values.map((value) => value / largest);
  return compareByPermutation(scale(ours), scale(theirs), alpha).p;
}

/** @type {(figure: ComparedDraft) => Omit<MemoryMetric, 'verdict' | 'strong'>} */
function describe({ draft: { name, unit, samples }, pooled, repeated, effect, control }) {
  return {
    name,
    unit,
    exact: repeated,
    values: forEachArm((arm) => takeTypical(arm === 'baseline' ? pooled : samples[arm])),
    ratio: toBoundedRatios(effect),
    control: toBoundedRatios(control),
    figures: forEachArm((arm) => samples[arm].length),
  };
}

/** @type {(effect: ArmEffect | null) => RatioInterval | null} */
function toBoundedRatios(effect) {
  return effect === null || !Number.isFinite(effect.high - effect.low) ? null : toRatios(effect);
}

/**
 * @param {ComparedDraft} figure
 * @param {boolean} rejected whether the adjusted test rejects that candidate and baseline are equal
 * @param {Pick<Question, 'alpha' | 'minimumEffect'>} question
 * @returns {{ verdict: MemoryWord, strong: boolean }}
 */
function judge({ draft, pooled, effect, control }, rejected, question) {
  const { baseline, candidate } = draft.samples;
  if (Math.min(baseline.length, candidate.length) < MIN_PROCESSES) {
    return { verdict: 'inconclusive', strong: false };
  }
  if (effect === null) return { verdict: judgeZeros(pooled, candidate, rejected), strong: false };
  const minimumEffect = Math.log1p(question.minimumEffect);
  const word = judgeInterval(effect, minimumEffect, rejected);
  const isExplained =
    control !== null &&
    isDecided(word) &&
    control.p <= controlLevelOf(word, question.alpha) &&
    couldControlExplain(word, effect, control.estimate, minimumEffect);
  if (isExplained) return { verdict: 'untrusted', strong: false };
  return {
    verdict: toMemoryWord(word),
    strong: isDirection(word) && isStrong(effect, minimumEffect),
  };
}

/**
 * Figures with zeros have no ratio. An arm that is zero in every process differs from one that never is,
 * if there are enough processes.
 * @type {(baseline: number[], candidate: number[], rejected: boolean) => MemoryWord}
 */
function judgeZeros(baseline, candidate, rejected) {
  const isZero = (/** @type {number} */ value) => value === 0;
  const [none, noneNow] = [baseline.every(isZero), candidate.every(isZero)];
  if (none && noneNow) return 'equivalent';
  if (rejected && none && !candidate.some(isZero)) return 'larger';
  if (rejected && noneNow && !baseline.some(isZero)) return 'smaller';
  return 'inconclusive';
}

/** @type {(values: number[]) => boolean} whether several processes have the same figure */
export function isRepeated(values) {
  if (values.length < 2) return false;
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  return highest - lowest <= EXACT_SHARE * Math.abs(highest);
}

/** The geometric mean, as the ratio has it; the median where a value is zero. @type {(values: number[]) => number | null} */
function takeTypical(values) {
  if (values.length === 0) return null;
  if (isRepeated(values) || values.some((value) => value <= 0)) return takeMedian(values);
  return Math.exp(meanOf(values.map(Math.log)));
}
