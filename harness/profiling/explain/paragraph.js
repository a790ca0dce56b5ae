import {
  formatChange,
  formatCount,
  formatRatio,
  formatShare,
  formatTime,
} from '../../lib/numbers.js';
import { isDirection } from '../../stats/verdicts.js';
import { listHeaviest } from './causes.js';
import { excludesZero } from './samples.js';
import {
  listWords,
  tellAllocation,
  tellCacheSites,
  tellCollections,
  tellDeopts,
  tellValues,
} from './v8-sentences.js';

/** @import { CellComparison, CellExplanation, Interval } from '../../formats/types.ts' */
/** @import { AllocationComparison } from './v8-changes.js' */
/** @import { CauseGroup, CellEvidence, ScaledArms, ComparedArm } from './types.ts' */

/**
 * What the figures of a cell are, ready to be told.
 *
 * @typedef {object} ParagraphInput
 * @property {CellEvidence} evidence
 * @property {CellExplanation['measured']} measured
 * @property {ScaledArms | null} arms
 * @property {CauseGroup[]} groups
 * @property {CellExplanation['collections']} collections
 * @property {Record<ComparedArm, number | null>} pauseMs
 * @property {AllocationComparison | null} allocation
 * @property {Pick<CellExplanation, 'deopts' | 'cacheSites'>} logs
 * @property {CellExplanation['instructions']} instructions
 */

const HIDDEN_BUILTINS =
  "V8's own profile does not show builtins such as Object.keys: their time is told under the function that calls them.";

/**
 * Says in words what the figures support and nothing beyond. A cell whose functions do not differ
 * gets one sentence.
 *
 * @param {ParagraphInput} input
 * @returns {string[]} sentences
 */
export function writeParagraph(input) {
  const { evidence, measured, arms, groups, instructions } = input;
  const isClear = isClearDifference(evidence.cell, measured);
  const measurable = arms === null ? [] : pickMeasurable(groups, arms, isClear);
  const witness = evidence.cell.verdict === 'inconclusive' ? tellInstructions(instructions) : [];
  if (!isClear && measurable.length === 0) return [tellNothing(evidence, arms), ...witness];
  return [
    ...tellTotal(evidence.cell, evidence.timedNs, isClear),
    ...tellFunctions(input, measurable, isClear),
    ...tellCollections(measurable, input.collections, input.pauseMs),
    ...tellAllocation(input.allocation),
    ...tellDeopts(input.logs.deopts),
    ...tellCacheSites(input.logs.cacheSites),
    ...(arms?.source === 'v8-cpu-profile' ? [HIDDEN_BUILTINS] : []),
    ...witness,
  ];
}

/**
 * @param {ParagraphInput} input
 * @param {CauseGroup[]} measurable
 * @param {boolean} isClear
 * @returns {string[]} which functions the difference is in
 */
function tellFunctions({ evidence, measured, arms }, measurable, isClear) {
  if (arms === null) return [tellNothing(evidence, null)];
  if (measurable.length === 0) {
    return [`${tellNothing(evidence, arms)} The profiles do not show where the difference lies.`];
  }
  const differenceNs = isClear && measured !== null ? measured.estimate : null;
  return [
    ...(differenceNs === null ? [] : tellUnexplained(measurable, differenceNs)),
    ...tellCauses(measurable, differenceNs),
    ...tellOwnFunctions(measurable, arms),
    ...tellValues(measurable, evidence.values),
    ...(differenceNs === null ? [] : tellRest(measurable, differenceNs)),
  ];
}

/**
 * @param {CellEvidence} evidence
 * @param {ScaledArms | null} arms
 */
function tellNothing({ isProfiled }, arms) {
  if (!isProfiled) return 'Functions were not profiled; --explain all profiles every cell.';
  return arms === null
    ? 'Too few processes were profiled to say which functions differ.'
    : 'No function takes measurably more or less time than in the baseline.';
}

/**
 * @param {CellExplanation['instructions']} instructions
 * @returns {string[]}
 */
function tellInstructions(instructions) {
  if (instructions === null) return [];
  const { values, ratio } = instructions;
  return [
    `Where time does not decide, instructions may: a document takes ${formatCount(values.candidate)} of them instead of ${formatCount(values.baseline)} (ratio ${formatRatio(ratio)}), which is work asked for and not time.`,
  ];
}

/** A change below this share says nothing to a reader. */
const MIN_SHARE = 0.01;
/** From this share of the difference on, the causes explain most of it. */
const MOST = 0.5;
const SPREAD = 'changes that are each too small or too uncertain to name';
/** Causes that one sentence can hold. */
const MOST_NAMED = 6;
/** Own functions that one sentence can hold of an arm … */
const MOST_OWN = 3;
/** … and the share of the arm's own time from which they are worth a word. */
const MIN_OWN_SHARE = 0.05;
/** An arm that spends less than this share of the other's time hardly runs the code at all. */
const HARDLY = 0.02;

/**
 * @param {CellComparison} cell
 * @param {Interval | null} measured
 * @returns {boolean} whether the timed jobs say that the arms differ
 */
function isClearDifference({ verdict }, measured) {
  return isDirection(verdict) && measured !== null && excludesZero(measured);
}

/**
 * The causes that deserve a sentence, of which the rest is none. Where the times differ, those whose interval excludes zero;
 * where they do not, a dozen intervals of 95 % leave room for chance, so the whole interval has to
 * lie beyond the share of the baseline.
 *
 * @param {CauseGroup[]} groups
 * @param {ScaledArms} arms
 * @param {boolean} isClear whether the times differ
 * @returns {CauseGroup[]}
 */
function pickMeasurable(groups, { levelNs }, isClear) {
  const least =
    MIN_SHARE * (isClear ? Math.max(levelNs.baseline, levelNs.candidate) : levelNs.baseline);
  return groups.filter(({ kind, change }) => {
    const { estimate, low, high } = change;
    if (kind === 'rest' || !excludesZero(change)) return false;
    return isClear ? Math.abs(estimate) >= least : Math.min(Math.abs(low), Math.abs(high)) > least;
  });
}

/**
 * @param {CellComparison} cell
 * @param {Record<ComparedArm, number | null>} timedNs
 * @param {boolean} isClear
 * @returns {string[]} how the arms compare as a whole
 */
function tellTotal({ cell, effect }, { baseline, candidate }, isClear) {
  if (baseline === null || candidate === null || effect === null) {
    return ['The arms were not timed, so the figures are those of the profiled processes.'];
  }
  if (!isClear) {
    const { estimate, low, high } = effect.ratio;
    const [middle, least, most] = [estimate, low, high].map((ratio) => formatChange(ratio).change);
    return [`The times themselves do not settle it (${middle}, between ${least} and ${most}).`];
  }
  const subject = cell.figure === undefined ? 'A document takes' : `The figure (${cell.figure}) is`;
  const { change } = formatChange(candidate / baseline);
  return [
    `${subject} ${formatTime(candidate)} instead of ${formatTime(baseline)}: ${tellMore(candidate - baseline)} (${change}).`,
  ];
}

/**
 * @param {CauseGroup[]} groups the measurable ones, the largest first
 * @param {number | null} differenceNs of the arms; null where it is not clear
 * @returns {string[]} what takes more time and what takes less, the way of the difference first
 */
function tellCauses(groups, differenceNs) {
  const more = groups.filter(({ change }) => change.estimate > 0);
  const less = groups.filter(({ change }) => change.estimate < 0);
  const sentences = [
    { verb: 'More time goes into', found: more },
    { verb: 'Less time goes into', found: less },
  ];
  if (differenceNs !== null && differenceNs < 0) sentences.reverse();
  return sentences.flatMap(({ verb, found }, index) => {
    if (found.length === 0) return [];
    const named = found.slice(0, MOST_NAMED);
    // Shares of what works against the difference would only confuse.
    const shared = index === 0 ? differenceNs : null;
    const causes = named.map((group, place) => tellCause(group, shared, place === 0));
    return [`${verb} ${listWords(causes)}.`];
  });
}

/**
 * @param {CauseGroup[]} groups the measurable ones
 * @param {Pick<ScaledArms, 'source' | 'loop'>} arms
 * @returns {string[]} which functions the variants' own are, and what each takes
 */
function tellOwnFunctions(groups, arms) {
  const own = groups.find(({ kind }) => kind === 'own');
  if (own === undefined) return [];
  const parts = /** @type {const} */ (['candidate', 'baseline']).flatMap((arm) => {
    const heaviest = listHeaviest(own.named, arm)
      .filter(({ selfNs }) => selfNs >= MIN_OWN_SHARE * own.selfNs[arm])
      .slice(0, MOST_OWN)
      .map(({ name, selfNs }) => `${name} ${formatTime(selfNs)}`);
    return heaviest.length === 0 ? [] : [`of the ${arm}, ${listWords(heaviest)}`];
  });
  if (parts.length === 0) return [];
  return [`Behind ${own.label}${tellIncluded(arms)}: ${parts.join('; ')}.`];
}

/**
 * @param {Pick<ScaledArms, 'source' | 'loop'>} arms
 * @returns {string} what a profile of that source counts as a function's own
 */
function tellIncluded({ source, loop }) {
  if (loop !== null) return ', with what the compiler inlines into them';
  return source === 'perf' ? '' : ', with the builtins that they call';
}

/**
 * Belongs before the causes, so that nobody takes them for the whole.
 *
 * @param {CauseGroup[]} groups the measurable ones
 * @param {number} differenceNs
 * @returns {string[]} how much of the difference has no cause; empty where most of it has one
 */
function tellUnexplained(groups, differenceNs) {
  const { share, size } = shareOut(groups, differenceNs);
  if (share >= MOST) return [];
  if (share <= 0) {
    return [
      'The profiles do not show where the difference lies: what they can attribute runs against it.',
    ];
  }
  return [
    `Only ${formatShare(share)} of the difference can be attributed; the other ${size} is spread over ${SPREAD}.`,
  ];
}

/**
 * @param {CauseGroup[]} groups the measurable ones
 * @param {number} differenceNs
 * @returns {string[]} what the causes come to, and what they leave; empty where that is most of the
 *   difference, which `tellUnexplained` tells
 */
function tellRest(groups, differenceNs) {
  const { share, size } = shareOut(groups, differenceNs);
  if (share < MOST) return [];
  if (Math.abs(1 - share) < MIN_SHARE) {
    return ['Together that is the whole difference, to within 1 %.'];
  }
  const rest =
    share < 1 ? `the remaining ${size} is spread over` : `${size} of it is taken back by`;
  return [`Together that is ${formatShare(share)} of the difference; ${rest} ${SPREAD}.`];
}

/**
 * @param {CauseGroup[]} groups
 * @param {number} differenceNs
 * @returns {{ share: number, size: string }} of the difference that the groups explain, and the size of
 *   what they leave
 */
function shareOut(groups, differenceNs) {
  const told = groups.reduce((sum, { change }) => sum + change.estimate, 0);
  return { share: told / differenceNs, size: formatTime(Math.abs(differenceNs - told)) };
}

/**
 * @param {CauseGroup} group
 * @param {number | null} differenceNs to be shared out, where shares are wanted
 * @param {boolean} isFirst of the sentence: says what the share is one of
 * @returns {string} `Object.entries (13.7 µs, 90 % of the difference, only the candidate runs it)`
 */
function tellCause({ label, kind, change, selfNs }, differenceNs, isFirst) {
  const only = kind === 'own' ? null : findOnlyArm(selfNs);
  const remarks = [
    formatTime(Math.abs(change.estimate)),
    ...(differenceNs === null
      ? []
      : [`${formatShare(change.estimate / differenceNs)}${isFirst ? ' of the difference' : ''}`]),
    ...(only === null ? [] : [`only the ${only} runs it`]),
  ];
  return `${label} (${remarks.join(', ')})`;
}

/**
 * @param {Record<ComparedArm, number>} selfNs
 * @returns {ComparedArm | null} the only arm that spends time there
 */
function findOnlyArm({ baseline, candidate }) {
  if (baseline < HARDLY * candidate) return 'candidate';
  return candidate < HARDLY * baseline ? 'baseline' : null;
}

/** @param {number} ns */
function tellMore(ns) {
  return `${formatTime(Math.abs(ns))} ${ns < 0 ? 'less' : 'more'}`;
}
