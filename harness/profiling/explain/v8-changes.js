import { nameCallers } from '../profiles/transforms.js';
import { MIN_PROFILES, pairFunctions } from './functions.js';
import { addSamples, compareSamples, excludesZero, meanOfSamples } from './samples.js';

/** @import { AllocationChange, CacheSite, CacheSiteChange, DeoptChange, DeoptEntry, DeoptLog, FunctionLog, Interval, TierChange } from '../../formats/types.ts' */
/** @import { Profile } from '../../formats/profile-types.ts' */
/** @import { PairedFunction, Sample, ComparedArm } from './types.ts' */

const MAX_SITES = 40;
/** Changes below this share of the larger arm's bytes are left out. */
const MIN_SHARE = 0.002;

/**
 * Allocation of both arms in bytes per document.
 *
 * @typedef {object} AllocationComparison
 * @property {AllocationChange[]} sites the largest change first
 * @property {Record<ComparedArm, number>} bytes
 * @property {Interval} change of the total
 */

/**
 * @param {Record<ComparedArm, Profile[]>} allocations one profile per process, bytes per document
 * @returns {AllocationComparison | null} null with fewer than two processes per arm
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
  /** @param {PairedFunction} pair @param {ComparedArm} arm */
  const samplesOf = (pair, arm) => pair[arm]?.self ?? addSamples([], processes[arm]);
  /** @param {ComparedArm} arm */
  const sumOf = (arm) =>
    addSamples(
      pairs.map((pair) => samplesOf(pair, arm)),
      processes[arm],
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
 * The largest significant change among the sites in one direction.
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

/** @param {Profile} profile in bytes, which need no scaling */
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

/** Logs can have hundreds of sites; the first few matter. */
const MAX_ENTRIES = 50;
/** From slow to fast. */
const TIERS = Object.freeze(['interpreter', 'baseline', 'mid', 'optimized']);
/** From few hidden classes to many. */
const STATES = Object.freeze(['polymorphic', 'megamorphic', 'generic']);

/**
 * Differences between the V8 logs of the arms.
 *
 * @typedef {object} LogChanges
 * @property {DeoptChange[]} deopts those after warm-up first, then by difference in number
 * @property {CacheSiteChange[]} cacheSites by descending state
 * @property {TierChange[]} tiers the largest difference first
 */

/**
 * Matches functions by name and file, and sites by their line relative to the start of the function, so
 * that an edit above it makes no new sites.
 *
 * @param {Record<ComparedArm, DeoptLog | null>} logs
 * @returns {LogChanges} empty unless both arms have a log
 */
export function compareLogs({ baseline, candidate }) {
  if (baseline === null || candidate === null) return { deopts: [], cacheSites: [], tiers: [] };
  return {
    deopts: compareDeopts(baseline, candidate),
    cacheSites: compareSites(baseline, candidate),
    tiers: compareTiers(baseline, candidate),
  };
}

/**
 * @param {DeoptLog} baseline
 * @param {DeoptLog} candidate
 * @returns {DeoptChange[]}
 */
function compareDeopts(baseline, candidate) {
  /** @type {Map<string, DeoptChange>} */
  const changes = new Map();
  for (const [arm, log] of armsOf(baseline, candidate)) {
    for (const { name, file, line, deopts } of log.functions) {
      for (const { count, late, ...place } of deopts) {
        const key = keyOfDeopt({ name, file, line }, place);
        const change = changes.get(key) ?? {
          ...place,
          function: name,
          baseline: 0,
          candidate: 0,
          late: { baseline: 0, candidate: 0 },
        };
        changes.set(key, change);
        change[arm] += count;
        change.late[arm] += late;
      }
    }
  }
  return [...changes.values()]
    .filter(({ baseline: before, candidate: after, late }) => {
      return before !== after || late.baseline !== late.candidate;
    })
    .sort((one, two) => weighDeopt(two) - weighDeopt(one))
    .slice(0, MAX_ENTRIES);
}

/**
 * @param {Pick<FunctionLog, 'name' | 'file' | 'line'>} owner
 * @param {Omit<DeoptEntry, 'count' | 'late'>} place
 */
function keyOfDeopt(owner, { kind, reason, file, line, column }) {
  const isOwn = file === owner.file && line !== null;
  const place = isOwn ? line - owner.line : line;
  return JSON.stringify([owner.name, owner.file, kind, reason, file, place, column]);
}

/** @param {DeoptChange} change */
function weighDeopt({ baseline, candidate, late }) {
  // One deoptimisation after warm-up outweighs any number before.
  return Math.abs(late.candidate - late.baseline) * 1e6 + Math.abs(candidate - baseline);
}

/**
 * @param {DeoptLog} baseline
 * @param {DeoptLog} candidate
 * @returns {CacheSiteChange[]}
 */
function compareSites(baseline, candidate) {
  /** @type {Map<string, CacheSiteChange>} */
  const changes = new Map();
  for (const [arm, log] of armsOf(baseline, candidate)) {
    for (const { name, file, line: first, sites } of log.functions) {
      for (const { cache, key, line, column, state } of sites) {
        const id = JSON.stringify([name, file, cache, line - first, column]);
        const place = { function: name, file, cache, key, line, column };
        const change = changes.get(id) ?? { ...place, baseline: null, candidate: null };
        changes.set(id, change);
        change[arm] = worse(change[arm], state);
      }
    }
  }
  return [...changes.values()]
    .filter(({ baseline: before, candidate: after }) => before !== after)
    .sort((one, two) => rankSite(two) - rankSite(one))
    .slice(0, MAX_ENTRIES);
}

/**
 * @param {CacheSite['state'] | null} one
 * @param {CacheSite['state']} two
 */
function worse(one, two) {
  return rankState(one) >= rankState(two) ? one : two;
}

/** @param {CacheSiteChange} change */
function rankSite({ baseline, candidate }) {
  return Math.max(rankState(baseline), rankState(candidate));
}

/** @param {CacheSite['state'] | null} state */
function rankState(state) {
  return state === null ? -1 : STATES.indexOf(state);
}

/**
 * @param {DeoptLog} baseline
 * @param {DeoptLog} candidate
 * @returns {TierChange[]}
 */
function compareTiers(baseline, candidate) {
  const tiers = new Map(candidate.functions.map((entry) => [keyOfFunction(entry), entry.tier]));
  return baseline.functions
    .flatMap((entry) => {
      const after = tiers.get(keyOfFunction(entry));
      if (after === undefined || after === entry.tier) return [];
      const { name, file, line, tier } = entry;
      return [{ function: name, file, line, baseline: tier, candidate: after }];
    })
    .sort((one, two) => stepsBetween(two) - stepsBetween(one))
    .slice(0, MAX_ENTRIES);
}

/** @param {TierChange} change */
function stepsBetween({ baseline, candidate }) {
  return Math.abs(TIERS.indexOf(candidate) - TIERS.indexOf(baseline));
}

/** @param {FunctionLog} entry */
function keyOfFunction({ name, file }) {
  return JSON.stringify([name, file]);
}

/**
 * @param {DeoptLog} baseline
 * @param {DeoptLog} candidate
 * @returns {[ComparedArm, DeoptLog][]}
 */
function armsOf(baseline, candidate) {
  return [
    ['baseline', baseline],
    ['candidate', candidate],
  ];
}
