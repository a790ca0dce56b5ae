import { addSamples, compareSamples, meanOfSamples } from './compare-samples.js';

/** @import { CellExplanation, FunctionChange, Interval } from '../../formats/types.ts' */
/** @import { FunctionSamples, PairedFunction, Sample, ScaledSides, Side } from './types.ts' */

/** A change below this share of the larger side is not worth a line … */
const MIN_SHARE = 0.005;
/** … and nobody reads further than this. */
const MAX_FUNCTIONS = 40;

/**
 * The functions whose time changed, and what all the others come to. Changes of self time, the rest
 * included, sum to the difference of the two levels.
 *
 * @param {ScaledSides} sides
 * @returns {Pick<CellExplanation, 'functions' | 'rest'>}
 */
export function compareFunctions(sides) {
  const least = MIN_SHARE * Math.max(sides.levelNs.baseline, sides.levelNs.candidate);
  const changes = sides.functions
    .map((pair) => describeChange(pair, sides))
    .sort((one, two) => sizeOf(two.self) - sizeOf(one.self));
  const functions = changes
    .filter(({ self, total }) => Math.max(sizeOf(self), sizeOf(total)) > least)
    .slice(0, MAX_FUNCTIONS);
  const left = changes.length - functions.length;
  const difference = sides.levelNs.candidate - sides.levelNs.baseline;
  const told = functions.reduce((sum, { self }) => sum + self.estimate, 0);
  return { functions, rest: { functions: left, selfNs: left === 0 ? 0 : difference - told } };
}

/**
 * @param {PairedFunction} pair
 * @param {Side} side
 * @param {ScaledSides['processes']} processes
 * @returns {Sample[]} of self time; zeroes where the side never runs the function
 */
export function selfSamples(pair, side, processes) {
  return pair[side]?.self ?? addSamples([], processes[side]);
}

/**
 * @param {PairedFunction} pair
 * @param {ScaledSides} sides
 * @returns {FunctionChange}
 */
function describeChange(pair, { processes, timingError }) {
  const { name, kind, file, line } = pair.frame;
  const totals = {
    baseline: pair.baseline?.total ?? addSamples([], processes.baseline),
    candidate: pair.candidate?.total ?? addSamples([], processes.candidate),
  };
  const [before, after] = [
    selfSamples(pair, 'baseline', processes),
    selfSamples(pair, 'candidate', processes),
  ];
  return {
    name,
    kind,
    file,
    line,
    baseline: describeSide(pair.baseline),
    candidate: describeSide(pair.candidate),
    self: compareSamples(before, after, timingError),
    total: compareSamples(totals.baseline, totals.candidate, timingError),
  };
}

/**
 * @param {FunctionSamples | null} side
 * @returns {FunctionChange['baseline']}
 */
function describeSide(side) {
  if (side === null) return null;
  return { selfNs: meanOfSamples(side.self), totalNs: meanOfSamples(side.total) };
}

/** @param {Interval} change */
function sizeOf({ estimate }) {
  return Math.abs(estimate);
}
