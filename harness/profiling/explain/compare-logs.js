/** @import { CacheSite, CacheSiteChange, DeoptChange, DeoptEntry, DeoptLog, FunctionLog, TierChange } from '../../formats/types.ts' */
/** @import { Side } from './types.ts' */

/** A log can name hundreds of places, of which the first few matter. */
const MAX_ENTRIES = 50;
/** From slow to fast. */
const TIERS = Object.freeze(['interpreter', 'baseline', 'mid', 'optimized']);
/** From few hidden classes to many. */
const STATES = Object.freeze(['polymorphic', 'megamorphic', 'generic']);

/**
 * What V8's log says of one side and not of the other.
 *
 * @typedef {object} LogChanges
 * @property {DeoptChange[]} deopts those after warm-up first, then by how many more there are
 * @property {CacheSiteChange[]} cacheSites the worst state first
 * @property {TierChange[]} tiers the widest apart first
 */

/**
 * Functions are the same when name and file are; places, when they lie as many lines behind the
 * beginning of the function, so that an edit above it makes no new places.
 *
 * @param {Record<Side, DeoptLog | null>} logs
 * @returns {LogChanges} empty lists unless both sides have a log
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
  for (const [side, log] of sidesOf(baseline, candidate)) {
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
        change[side] += count;
        change.late[side] += late;
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
  // One after warm-up outweighs any number before it.
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
  for (const [side, log] of sidesOf(baseline, candidate)) {
    for (const { name, file, line: first, sites } of log.functions) {
      for (const { cache, key, line, column, state } of sites) {
        const id = JSON.stringify([name, file, cache, line - first, column]);
        const place = { function: name, file, cache, key, line, column };
        const change = changes.get(id) ?? { ...place, baseline: null, candidate: null };
        changes.set(id, change);
        change[side] = worse(change[side], state);
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
 * @returns {[Side, DeoptLog][]}
 */
function sidesOf(baseline, candidate) {
  return [
    ['baseline', baseline],
    ['candidate', candidate],
  ];
}
