import { formatCount, formatRatio } from '../../lib/numbers.js';
import {
  tellAllocation,
  tellCacheSites,
  tellCollections,
  tellDeopts,
  tellValues,
} from './sentences-v8.js';
import {
  isClearDifference,
  pickMeasurable,
  tellCauses,
  tellOwnFunctions,
  tellRest,
  tellTotal,
  tellUnexplained,
} from './sentences-time.js';

/** @import { CellExplanation } from '../../formats/types.ts' */
/** @import { AllocationComparison } from './compare-allocations.js' */
/** @import { CauseGroup, CellEvidence, ScaledSides, Side } from './types.ts' */

/**
 * What the figures of a cell are, ready to be told.
 *
 * @typedef {object} ParagraphInput
 * @property {CellEvidence} evidence
 * @property {CellExplanation['measured']} measured
 * @property {ScaledSides | null} sides
 * @property {CauseGroup[]} groups
 * @property {CellExplanation['collections']} collections
 * @property {Record<Side, number | null>} pauseMs
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
  const { evidence, measured, sides, groups, instructions } = input;
  const isClear = isClearDifference(evidence.cell, measured);
  const measurable = sides === null ? [] : pickMeasurable(groups, sides, isClear);
  const witness = evidence.cell.verdict === 'inconclusive' ? tellInstructions(instructions) : [];
  if (!isClear && measurable.length === 0) return [tellNothing(evidence, sides), ...witness];
  return [
    ...tellTotal(evidence.cell, evidence.timedNs, isClear),
    ...tellFunctions(input, measurable, isClear),
    ...tellCollections(measurable, input.collections, input.pauseMs),
    ...tellAllocation(input.allocation),
    ...tellDeopts(input.logs.deopts),
    ...tellCacheSites(input.logs.cacheSites),
    ...(sides?.source === 'v8-cpu-profile' ? [HIDDEN_BUILTINS] : []),
    ...witness,
  ];
}

/**
 * @param {ParagraphInput} input
 * @param {CauseGroup[]} measurable
 * @param {boolean} isClear
 * @returns {string[]} which functions the difference is in
 */
function tellFunctions({ evidence, measured, sides }, measurable, isClear) {
  if (sides === null) return [tellNothing(evidence, null)];
  if (measurable.length === 0) {
    return [`${tellNothing(evidence, sides)} The profiles do not show where the difference lies.`];
  }
  const differenceNs = isClear && measured !== null ? measured.estimate : null;
  return [
    ...(differenceNs === null ? [] : tellUnexplained(measurable, differenceNs)),
    ...tellCauses(measurable, differenceNs),
    ...tellOwnFunctions(measurable, sides),
    ...tellValues(measurable, evidence.values),
    ...(differenceNs === null ? [] : tellRest(measurable, differenceNs)),
  ];
}

/**
 * @param {CellEvidence} evidence
 * @param {ScaledSides | null} sides
 */
function tellNothing({ isProfiled }, sides) {
  if (!isProfiled) return 'Functions were not profiled; --explain all profiles every cell.';
  return sides === null
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
