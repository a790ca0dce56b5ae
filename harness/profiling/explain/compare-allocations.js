import { nameCallers } from '../profiles/transforms.js';
import { addSamples, compareSamples, excludesZero, meanOfSamples } from './samples.js';
import { pairFunctions } from './functions.js';
import { MIN_PROFILES } from './scale-sides.js';

/** @import { AllocationChange, Interval } from '../../formats/types.ts' */
/** @import { Profile } from '../../formats/profile-types.ts' */
/** @import { PairedFunction, Sample, Side } from './types.ts' */

const MAX_SITES = 40;
/** Sites that change by less of the larger side's bytes are left out. */
const MIN_SHARE = 0.002;

/**
 * What both sides allocate, bytes per document.
 *
 * @typedef {object} AllocationComparison
 * @property {AllocationChange[]} sites the largest change first
 * @property {Record<Side, number>} bytes
 * @property {Interval} change of the sum
 */

/**
 * @param {Record<Side, Profile[]>} allocations one profile a process, bytes per document
 * @returns {AllocationComparison | null} null with fewer than two processes a side
 */
export function compareAllocations(allocations) {
  const processes = {
    baseline: allocations.baseline.length,
    candidate: allocations.candidate.length,
  };
  if (Math.min(processes.baseline, processes.candidate) < MIN_PROFILES) return null;
  const pairs = pairFunctions({
    baseline: allocations.baseline.map(keepScale),
    candidate: allocations.candidate.map(keepScale),
  });
  /** @param {PairedFunction} pair @param {Side} side */
  const samplesOf = (pair, side) => pair[side]?.self ?? addSamples([], processes[side]);
  /** @param {Side} side */
  const sumOf = (side) =>
    addSamples(
      pairs.map((pair) => samplesOf(pair, side)),
      processes[side],
    );
  const sums = { baseline: sumOf('baseline'), candidate: sumOf('candidate') };
  const bytes = {
    baseline: meanOfSamples(sums.baseline),
    candidate: meanOfSamples(sums.candidate),
  };
  const least = MIN_SHARE * Math.max(bytes.baseline, bytes.candidate);
  const sites = pairs
    .map((pair) => describeSite(pair, samplesOf(pair, 'baseline'), samplesOf(pair, 'candidate')))
    .filter(({ change }) => Math.abs(change.estimate) > least)
    .sort((one, two) => Math.abs(two.change.estimate) - Math.abs(one.change.estimate))
    .slice(0, MAX_SITES);
  return { sites, bytes, change: compareSamples(sums.baseline, sums.candidate) };
}

/**
 * The largest clear change among the sites, in one direction.
 *
 * @param {AllocationChange[]} sites
 * @param {number} direction above 0 for more bytes
 * @returns {AllocationChange | null}
 */
export function findLargestSite(sites, direction) {
  return (
    sites.find(({ change }) => excludesZero(change) && change.estimate * direction > 0) ?? null
  );
}

/** @param {Profile} profile in bytes, which nothing else tells better */
function keepScale(profile) {
  return { profile: nameCallers(profile), factor: 1 };
}

/**
 * @param {PairedFunction} pair
 * @param {Sample[]} before
 * @param {Sample[]} after
 * @returns {AllocationChange}
 */
function describeSite({ frame: { name, file, line } }, before, after) {
  return {
    name,
    file,
    line,
    baselineBytes: meanOfSamples(before),
    candidateBytes: meanOfSamples(after),
    change: compareSamples(before, after),
  };
}
