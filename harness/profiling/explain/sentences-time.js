import { formatChange, formatShare, formatTime } from '../../lib/numbers.js';
import { excludesZero } from './samples.js';
import { listHeaviest } from './group-causes.js';
import { isDirection } from '../../stats/verdicts.js';

/** @import { CellComparison, Interval } from '../../formats/types.ts' */
/** @import { CauseGroup, ScaledSides, Side } from './types.ts' */

/** A change below this share says nothing to a reader. */
const MIN_SHARE = 0.01;
/** From this share of the difference on, the causes explain most of it. */
const MOST = 0.5;
const SPREAD = 'changes that are each too small or too uncertain to name';
/** Causes that one sentence can hold. */
const MOST_NAMED = 6;
/** Own functions that one sentence can hold of a side … */
const MOST_OWN = 3;
/** … and the share of the side's own time from which they are worth a word. */
const MIN_OWN_SHARE = 0.05;
/** A side that spends less than this share of the other's time hardly runs the code at all. */
const HARDLY = 0.02;

/**
 * @param {CellComparison} cell
 * @param {Interval | null} measured
 * @returns {boolean} whether the timed jobs say that the sides differ
 */
export function isClearDifference({ verdict }, measured) {
  return isDirection(verdict) && measured !== null && excludesZero(measured);
}

/**
 * The causes that deserve a sentence, of which the rest is none. Where the times differ, those whose interval excludes zero;
 * where they do not, a dozen intervals of 95 % leave room for chance, so the whole interval has to
 * lie beyond the share of the baseline.
 *
 * @param {CauseGroup[]} groups
 * @param {ScaledSides} sides
 * @param {boolean} isClear whether the times differ
 * @returns {CauseGroup[]}
 */
export function pickMeasurable(groups, { levelNs }, isClear) {
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
 * @param {Record<Side, number | null>} timedNs
 * @param {boolean} isClear
 * @returns {string[]} how the sides compare as a whole
 */
export function tellTotal({ cell, effect }, { baseline, candidate }, isClear) {
  if (baseline === null || candidate === null || effect === null) {
    return ['The sides were not timed, so the figures are those of the profiled processes.'];
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
 * @param {number | null} differenceNs of the sides; null where it is not clear
 * @returns {string[]} what takes more time and what takes less, the way of the difference first
 */
export function tellCauses(groups, differenceNs) {
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
 * @param {Pick<ScaledSides, 'source' | 'loop'>} sides
 * @returns {string[]} which functions the variants' own are, and what each takes
 */
export function tellOwnFunctions(groups, sides) {
  const own = groups.find(({ kind }) => kind === 'own');
  if (own === undefined) return [];
  const parts = /** @type {const} */ (['candidate', 'baseline']).flatMap((side) => {
    const heaviest = listHeaviest(own.named, side)
      .filter(({ selfNs }) => selfNs >= MIN_OWN_SHARE * own.selfNs[side])
      .slice(0, MOST_OWN)
      .map(({ name, selfNs }) => `${name} ${formatTime(selfNs)}`);
    return heaviest.length === 0 ? [] : [`of the ${side}, ${listWords(heaviest)}`];
  });
  if (parts.length === 0) return [];
  return [`Behind ${own.label}${tellIncluded(sides)}: ${parts.join('; ')}.`];
}

/**
 * @param {Pick<ScaledSides, 'source' | 'loop'>} sides
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
export function tellUnexplained(groups, differenceNs) {
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
export function tellRest(groups, differenceNs) {
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
  const only = kind === 'own' ? null : findOnlySide(selfNs);
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
 * @param {Record<Side, number>} selfNs
 * @returns {Side | null} the only side that spends time there
 */
function findOnlySide({ baseline, candidate }) {
  if (baseline < HARDLY * candidate) return 'candidate';
  return candidate < HARDLY * baseline ? 'baseline' : null;
}

/** @param {number} ns */
function tellMore(ns) {
  return `${formatTime(Math.abs(ns))} ${ns < 0 ? 'less' : 'more'}`;
}

/**
 * @param {string[]} words
 * @returns {string} `a`, `a and b`, `a, b and c`
 */
export function listWords(words) {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
