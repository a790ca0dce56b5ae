import { pairFunctions, sumWeights } from './functions.js';

/** @import { CellEvidence, ScaledSides, Side } from './types.ts' */
/** @import { Interval } from '../../formats/types.ts' */
/** @import { Profile } from '../../formats/profile-types.ts' */

/** An interval needs a spread, and a spread two processes. */
export const MIN_PROFILES = 2;

/** Native stacks see what V8's own profile cannot, so they come first. */
const SOURCES = /** @type {const} */ (['perf', 'v8-cpu-profile']);

/**
 * Picks the source that explains the cell and scales each of its processes, so that it comes to what
 * its side took when it was timed: shares hold still where times do not. A side that was never timed
 * keeps the mean of what was recorded.
 *
 * @param {CellEvidence} evidence
 * @returns {ScaledSides | null} null where no source has enough processes on both sides
 */
export function scaleSides(evidence) {
  for (const source of SOURCES) {
    const profiles = {
      baseline: keepFilled(evidence.stacks[source].baseline),
      candidate: keepFilled(evidence.stacks[source].candidate),
    };
    const fewest = Math.min(profiles.baseline.length, profiles.candidate.length);
    if (fewest >= MIN_PROFILES) return scale(evidence, source, profiles);
  }
  return null;
}

/**
 * Candidate minus baseline as timed, with the interval of the ratio.
 *
 * @param {CellEvidence} evidence
 * @returns {Interval | null} nanoseconds per document; null where a side was not timed
 */
export function measureDifference({ cell, timedNs: { baseline, candidate } }) {
  if (baseline === null || candidate === null || cell.effect === null) return null;
  const { low, high } = cell.effect.ratio;
  const estimate = candidate - baseline;
  return {
    estimate,
    low: Math.min(estimate, (low - 1) * baseline),
    high: Math.max(estimate, (high - 1) * baseline),
  };
}

/**
 * @param {CellEvidence} evidence
 * @param {ScaledSides['source']} source
 * @param {Record<Side, Profile[]>} profiles
 * @returns {ScaledSides}
 */
function scale(evidence, source, profiles) {
  const { timedNs } = evidence;
  const isTimed = timedNs.baseline !== null && timedNs.candidate !== null;
  const rawNs = {
    baseline: profiles.baseline.map(sumWeights),
    candidate: profiles.candidate.map(sumWeights),
  };
  /** @param {Side} side */
  const levelOf = (side) => (isTimed ? /** @type {number} */ (timedNs[side]) : meanOf(rawNs[side]));
  const levelNs = { baseline: levelOf('baseline'), candidate: levelOf('candidate') };
  /** @param {Side} side */
  const scaled = (side) =>
    profiles[side].map((profile, process) => ({
      profile,
      factor: levelNs[side] / rawNs[side][process],
    }));
  const measured = measureDifference(evidence);
  return {
    source,
    loop: evidence.loop,
    processes: { baseline: profiles.baseline.length, candidate: profiles.candidate.length },
    rawNs,
    levelNs,
    timingError: measured === null ? 0 : (measured.high - measured.low) / 2 / levelNs.candidate,
    functions: pairFunctions({ baseline: scaled('baseline'), candidate: scaled('candidate') }),
  };
}

/**
 * @param {Profile[]} profiles
 * @returns {Profile[]} those in which the loop was seen at all
 */
function keepFilled(profiles) {
  return profiles.filter((profile) => sumWeights(profile) > 0);
}

/** @param {number[]} values */
function meanOf(values) {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
