import {
  countOf,
  formatChange,
  formatCount,
  formatRatio,
  formatShare,
  formatTime,
  formatTimeChange,
} from '../../lib/numbers.js';
import { shortenMiddle } from '../../lib/columns.js';
import { listWords } from '../../lib/words.js';
import { isDirection } from '../../stats/verdicts.js';
import { listHeaviest } from './causes.js';
import { findEdited } from './functions.js';
import { describeCacheSites, describeDeopts } from './log-changes.js';
import { describeAllocation, describeCollections } from './memory.js';
import { excludesZero, forBothArms, meanOfSamples } from './samples.js';
import { describeValues, summarizeValues } from './values.js';

/** @import { CellComparison, CellExplanation, Interval } from '../../formats/types.ts' */
/** @import { AllocationComparison } from './memory.js' */
/** @import { CauseGroup, CellEvidence, PairedFunction, ScaledArms, ComparedArm } from './types.ts' */

/**
 * Input of the paragraph on a cell.
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
  "V8's own profile does not show builtins such as Object.keys: their time counts towards the functions that call them.";

/**
 * Summarises the evidence on a cell in sentences. A cell whose functions do not differ gets one.
 * @type {(input: ParagraphInput) => string[]} sentences
 */
export function writeParagraph(input) {
  const { evidence, measured, arms, groups, instructions } = input;
  const isClear = isClearDifference(evidence.cell, measured);
  const measurable = arms === null ? [] : pickMeasurable(groups, arms, isClear);
  const counted =
    evidence.cell.verdict === 'inconclusive' ? describeInstructions(instructions) : [];
  if (!isClear && measurable.length === 0) return [describeNothing(evidence, arms), ...counted];
  return [
    ...describeTotal(evidence.cell, evidence.timedNs, isClear),
    ...(isClear && arms !== null ? describeEdits(arms) : []),
    ...describeFunctions(input, measurable, isClear),
    ...describeCollections(measurable, input.collections, input.pauseMs),
    ...describeAllocation(input.allocation),
    ...describeDeopts(input.logs.deopts),
    ...describeCacheSites(input.logs.cacheSites),
    ...(arms?.source === 'v8-cpu-profile' ? [HIDDEN_BUILTINS] : []),
    ...counted,
  ];
}

/** Causes that one sentence names, fewer beside what the values have to do with them. */
const MAX_SUMMARIZED = { alone: 3, besideValues: 2 };
/** Of the name of a cause in a sentence; functions of native code have long ones. */
const MAX_NAME_COLUMNS = 40;
/** A cause of less than this share of the difference is not among them. */
const MIN_SUMMARIZED_SHARE = 0.1;

/**
 * The paragraph in one sentence.
 * @type {(input: Pick<ParagraphInput, 'evidence' | 'measured' | 'arms' | 'groups'>) => string | null} `+20.6 µs:
 *   Object.entries +21.0 µs, Object.keys −3.30 µs`; null where the times do not differ
 */
export function summarizeDifference({ evidence, measured, arms, groups }) {
  if (measured === null || !isClearDifference(evidence.cell, measured)) return null;
  const total = formatTimeChange(measured.estimate);
  if (arms === null) return `${total}; functions were not compared`;
  const least = MIN_SUMMARIZED_SHARE * Math.abs(measured.estimate);
  const causes = pickMeasurable(groups, arms, true).filter(
    ({ change }) => Math.abs(change.estimate) >= least,
  );
  const edits = (listEdited(arms) ?? []).slice(0, 1).map((place) => `edited: ${place}`);
  if (causes.length === 0) {
    return [`${total}; the profiles do not show where`, ...edits].join('; ');
  }
  const values = summarizeValues(causes, evidence.values);
  const most = MAX_SUMMARIZED[values.length === 0 ? 'alone' : 'besideValues'];
  const named = causes
    .slice(0, most)
    .map(
      ({ kind, label, change }) =>
        `${kind === 'own' ? 'own functions' : shortenMiddle(label, MAX_NAME_COLUMNS)} ${formatTimeChange(change.estimate)}`,
    );
  return [`${total}: ${named.join(', ')}`, ...values, ...edits].join('; ');
}

/**
 * @param {ParagraphInput} input
 * @param {CauseGroup[]} measurable
 * @param {boolean} isClear
 * @returns {string[]} the functions that account for the difference
 */
function describeFunctions({ evidence, measured, arms, groups }, measurable, isClear) {
  if (arms === null) return [describeNothing(evidence, null)];
  const differenceNs = isClear && measured !== null ? measured.estimate : null;
  const uncertain = groups.filter((group) => !measurable.includes(group));
  if (measurable.length === 0) {
    return [
      `${describeNothing(evidence, arms)} The profiles do not show where the difference lies.`,
      ...describeUncertain(uncertain, differenceNs),
    ];
  }
  return [
    ...(differenceNs === null ? [] : describeUnexplained(measurable, uncertain, differenceNs)),
    ...describeCauses(measurable, differenceNs),
    ...(differenceNs === null ? [] : describeRest(measurable, differenceNs)),
    ...describeOwnFunctions(measurable, arms),
    ...describeValues(measurable, evidence.values),
  ];
}

/** @param {CellEvidence} evidence @param {ScaledArms | null} arms */
function describeNothing({ isProfiled }, arms) {
  if (!isProfiled) return 'Functions were not profiled; --explain all profiles every cell.';
  return arms === null
    ? 'Too few processes were profiled to say which functions differ.'
    : 'No function takes measurably more or less time than in the baseline.';
}

/** @type {(instructions: CellExplanation['instructions']) => string[]} */
function describeInstructions(instructions) {
  if (instructions === null) return [];
  const { values, ratio } = instructions;
  return [
    `The times are inconclusive, but a document takes ${formatCount(values.candidate)} instructions instead of ${formatCount(values.baseline)} (ratio ${formatRatio(ratio)}). Instructions measure work, not time.`,
  ];
}

/** Changes below this share are not mentioned. */
const MIN_SHARE = 0.01;
/** Share of the difference from which the causes count as most of it. */
const MOST = 0.5;
const SPREAD = 'changes that are each too small or too uncertain to attribute';
/** An uncertain change of at least this share of the difference is named all the same. */
const MIN_UNCERTAIN_SHARE = 0.1;
/** Causes named in one sentence. */
const MAX_NAMED = 6;
/** Own functions named per arm … */
const MAX_OWN = 3;
/** … and the least share of the arm's own time to be named. */
const MIN_OWN_SHARE = 0.05;
/** An arm with less than this share of the other's time counts as not running the code. */
const HARDLY = 0.02;

/**
 * @param {CellComparison} cell
 * @param {Interval | null} measured
 * @returns {boolean} whether the timed arms differ
 */
function isClearDifference({ verdict }, measured) {
  return isDirection(verdict) && measured !== null && excludesZero(measured);
}

/**
 * Selects the causes to mention; the rest is never one. If the times differ, the interval must exclude
 * zero. If they do not, the whole interval must lie beyond the least share of the baseline, since one
 * of a dozen intervals of 95 % may exclude zero by chance.
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
 * @returns {string[]} the overall difference
 */
function describeTotal({ cell, effect }, { baseline, candidate }, isClear) {
  if (baseline === null || candidate === null || effect === null) {
    return ['The arms were not timed, so all times are those of the profiled processes.'];
  }
  if (!isClear) {
    const { estimate, low, high } = effect.ratio;
    const [middle, least, most] = [estimate, low, high].map((ratio) => formatChange(ratio).change);
    return [`The timed difference is inconclusive (${middle}, between ${least} and ${most}).`];
  }
  const subject = cell.figure === undefined ? 'A document takes' : `The figure (${cell.figure}) is`;
  const { change } = formatChange(candidate / baseline);
  return [
    `${subject} ${formatTime(candidate)} instead of ${formatTime(baseline)}: ${describeMore(candidate - baseline)} (${change}).`,
  ];
}

/**
 * @param {CauseGroup[]} groups the measurable ones, the largest first
 * @param {number | null} differenceNs between the arms; null if it is not clear
 * @returns {string[]} what takes more and what takes less time, the direction of the difference first
 */
function describeCauses(groups, differenceNs) {
  const more = groups.filter(({ change }) => change.estimate > 0);
  const less = groups.filter(({ change }) => change.estimate < 0);
  const sentences = [
    { verb: 'More time goes into', found: more },
    { verb: 'Less time goes into', found: less },
  ];
  if (differenceNs !== null && differenceNs < 0) sentences.reverse();
  return sentences.flatMap(({ verb, found }, index) => {
    if (found.length === 0) return [];
    const named = found.slice(0, MAX_NAMED);
    // Shares of changes against the difference would confuse.
    const shared = index === 0 ? differenceNs : null;
    const causes = named.map((group, place) => describeCause(group, shared, place === 0));
    return [`${verb} ${listWords(causes)}.`];
  });
}

/**
 * @param {CauseGroup[]} groups the measurable ones
 * @param {Pick<ScaledArms, 'source' | 'loop'>} arms
 * @returns {string[]} the variants' own functions and the time of each
 */
function describeOwnFunctions(groups, arms) {
  const own = groups.find(({ kind }) => kind === 'own');
  if (own === undefined) return [];
  const parts = /** @type {const} */ (['candidate', 'baseline']).flatMap((arm) => {
    const heaviest = listHeaviest(own.named, arm)
      .filter(({ selfNs }) => selfNs >= MIN_OWN_SHARE * own.selfNs[arm])
      .slice(0, MAX_OWN)
      .map(({ name, selfNs }) => `${name} ${formatTime(selfNs)}`);
    return heaviest.length === 0 ? [] : [`in the ${arm}, ${listWords(heaviest)}`];
  });
  if (parts.length === 0) return [];
  return [`Within ${own.label}${describeIncluded(arms)}: ${parts.join('; ')}.`];
}

/** Edited functions named in a sentence … */
const MAX_EDITED = 3;
/** … and the least share of an arm's time, with what they call. */
const MIN_EDITED_SHARE = 0.01;

/**
 * @param {ScaledArms} arms
 * @returns {string[] | null} the functions that take time and that the two revisions have differently, those whose own time
 *   changes most first: `write (codec/src/write.ts:7)`; null if the differences of the revisions are unknown
 */
function listEdited({ functions, levelNs }) {
  if (functions.every((pair) => findEdited(pair) === null)) return null;
  const timesOf = (/** @type {PairedFunction} */ pair, /** @type {'self' | 'total'} */ time) =>
    forBothArms((arm) => (pair[arm] === null ? 0 : meanOfSamples(pair[arm][time])));
  /** @param {PairedFunction} pair */
  const takesTime = (pair) => {
    const { baseline, candidate } = timesOf(pair, 'total');
    const shares = [baseline / levelNs.baseline, candidate / levelNs.candidate];
    return Math.max(...shares) >= MIN_EDITED_SHARE;
  };
  /** @param {PairedFunction} pair */
  const changeOf = (pair) => {
    const { baseline, candidate } = timesOf(pair, 'self');
    return Math.abs(candidate - baseline);
  };
  return functions
    .filter((pair) => findEdited(pair) === true && takesTime(pair))
    .sort((one, two) => changeOf(two) - changeOf(one))
    .map(({ frame: { name, file, line } }) => `${name} (${file}:${line})`);
}

/** @type {(arms: ScaledArms) => string[]} which functions the two revisions have differently; empty if that is unknown */
function describeEdits(arms) {
  const edited = listEdited(arms);
  if (edited === null) return [];
  if (edited.length === 0) {
    return [
      'Between the two revisions no function was edited that takes 1 % of the time: the difference lies in what these functions are given, in dependencies, or in how V8 compiles the same code.',
    ];
  }
  const more = edited.length - MAX_EDITED;
  const named = edited.slice(0, MAX_EDITED);
  return [
    `Edited between the two revisions: ${listWords(more > 0 ? [...named, countOf(more, 'more function')] : named)}.`,
  ];
}

/**
 * @param {Pick<ScaledArms, 'source' | 'loop'>} arms
 * @returns {string} what a profile of that source includes in self time
 */
function describeIncluded({ source, loop }) {
  if (loop !== null) return ' (including inlined code)';
  return source === 'perf' ? '' : ' (including the builtins they call)';
}

/**
 * Comes before the causes, so that they are not taken for the whole difference.
 *
 * @param {CauseGroup[]} groups the measurable ones
 * @param {CauseGroup[]} uncertain the others
 * @param {number} differenceNs
 * @returns {string[]} how much of the difference is unattributed; empty if most of it is attributed
 */
function describeUnexplained(groups, uncertain, differenceNs) {
  const { share, size } = shareOut(groups, differenceNs);
  if (share >= MOST) return [];
  const sentence =
    share <= 0
      ? 'The profiles do not show where the difference lies: the changes that can be told from noise do not add up to one in its direction.'
      : `Only ${formatShare(share)} of the difference can be attributed; the other ${size} is spread over ${SPREAD}.`;
  return [sentence, ...describeUncertain(uncertain, differenceNs)];
}

/**
 * The table of causes has the estimates of uncertain changes, too, and one of them may be the whole difference.
 *
 * @param {CauseGroup[]} groups not measurable, the largest first
 * @param {number | null} differenceNs null if it is not clear
 * @returns {string[]} the largest of them in the direction of the difference; empty if all are small
 */
function describeUncertain(groups, differenceNs) {
  if (differenceNs === null) return [];
  const found = groups.find(
    ({ kind, change }) => kind !== 'rest' && change.estimate / differenceNs >= MIN_UNCERTAIN_SHARE,
  );
  if (found === undefined) return [];
  const { label, change } = found;
  return [
    `The largest uncertain change is that of ${label}: ${formatTimeChange(change.estimate)}, between ${formatTimeChange(change.low)} and ${formatTimeChange(change.high)}.`,
  ];
}

/**
 * @param {CauseGroup[]} groups the measurable ones
 * @param {number} differenceNs
 * @returns {string[]} the sum of the causes and the remainder; empty if `describeUnexplained` reports it
 */
function describeRest(groups, differenceNs) {
  const { share, size } = shareOut(groups, differenceNs);
  if (share < MOST) return [];
  if (Math.abs(1 - share) < MIN_SHARE) {
    return ['Together that is the whole difference, to within 1 %.'];
  }
  if (share > 1) return [`Together that is ${size} more than the difference, offset by ${SPREAD}.`];
  return [
    `Together that is ${formatShare(share)} of the difference; the remaining ${size} is spread over ${SPREAD}.`,
  ];
}

/**
 * @param {CauseGroup[]} groups
 * @param {number} differenceNs
 * @returns {{ share: number, size: string }} share of the difference that the groups explain, and the
 *   size of the remainder
 */
function shareOut(groups, differenceNs) {
  const explained = groups.reduce((sum, { change }) => sum + change.estimate, 0);
  return { share: explained / differenceNs, size: formatTime(Math.abs(differenceNs - explained)) };
}

/**
 * @param {CauseGroup} group
 * @param {number | null} differenceNs null to leave out the share
 * @param {boolean} isFirst in its sentence: adds what the share refers to
 * @returns {string} `Object.entries (13.7 µs, 90 % of the difference, only the candidate runs it)`
 */
function describeCause({ label, kind, change, selfNs }, differenceNs, isFirst) {
  const only = kind === 'own' ? null : findOnlyArm(selfNs);
  const share = differenceNs === null ? null : change.estimate / differenceNs;
  const remarks = [
    formatTime(Math.abs(change.estimate)),
    ...(share === null ? [] : [describeShare(share, isFirst)]),
    ...(only === null ? [] : [`only the ${only} runs it`]),
  ];
  return `${label} (${remarks.join(', ')})`;
}

/** @type {(share: number, isFirst: boolean) => string} of the difference; more than all of it is offset by other changes */
function describeShare(share, isFirst) {
  const rounded = formatShare(share);
  if (share > 1 && rounded !== formatShare(1)) return 'more than the difference';
  return `${rounded}${isFirst ? ' of the difference' : ''}`;
}

/**
 * @param {Record<ComparedArm, number>} selfNs
 * @returns {ComparedArm | null} the only arm that spends time in it
 */
function findOnlyArm({ baseline, candidate }) {
  if (baseline < HARDLY * candidate) return 'candidate';
  return candidate < HARDLY * baseline ? 'baseline' : null;
}

/** @param {number} ns */
function describeMore(ns) {
  return `${formatTime(Math.abs(ns))} ${ns < 0 ? 'less' : 'more'}`;
}
