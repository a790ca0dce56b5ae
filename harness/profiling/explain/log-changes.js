import { countOf } from '../../lib/numbers.js';
import { listWords } from '../../lib/words.js';

/** @import { CacheSite, CacheSiteChange, DeoptChange, DeoptEntry, DeoptLog, FunctionLog, TierChange } from '../../formats/types.ts' */
/** @import { ComparedArm } from './types.ts' */

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

/** @type {(baseline: DeoptLog, candidate: DeoptLog) => DeoptChange[]} */
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

/** @type {(baseline: DeoptLog, candidate: DeoptLog) => CacheSiteChange[]} */
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

/** @param {CacheSite['state'] | null} one @param {CacheSite['state']} two */
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

/** @type {(baseline: DeoptLog, candidate: DeoptLog) => TierChange[]} */
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

/** @type {(baseline: DeoptLog, candidate: DeoptLog) => [ComparedArm, DeoptLog][]} */
function armsOf(baseline, candidate) {
  return [
    ['baseline', baseline],
    ['candidate', candidate],
  ];
}

/** Functions named in one sentence. */
const MAX_NAMED = 3;

/**
 * @param {DeoptChange[]} deopts
 * @returns {string[]} deoptimisations after warm-up that one arm has more of; those before are part of
 *   warming up
 */
export function describeDeopts(deopts) {
  const sums = sumLate(deopts);
  return /** @type {const} */ (['candidate', 'baseline']).flatMap((arm) => {
    const other = arm === 'candidate' ? 'baseline' : 'candidate';
    const late = sums.filter((change) => change.late[arm] > change.late[other]);
    if (late.length === 0) return [];
    const named = late
      .slice(0, MAX_NAMED)
      .map((change) => `${change.function} (${change.reason}, ${describeTimes(change.late[arm])})`);
    const more = late.length > MAX_NAMED ? [`${late.length - MAX_NAMED} more`] : [];
    return [
      `After warm-up, V8 deoptimised functions of the ${arm}: ${listWords([...named, ...more])}.`,
    ];
  });
}

/** @typedef {Pick<DeoptChange, 'function' | 'reason' | 'late'>} LateSum */

/**
 * Sums by function and reason, since an edited function has the same sites on other lines.
 * @type {(deopts: DeoptChange[]) => LateSum[]}
 */
function sumLate(deopts) {
  /** @type {Map<string, LateSum>} */
  const sums = new Map();
  for (const { function: name, reason, late } of deopts) {
    const key = JSON.stringify([name, reason]);
    const sum = sums.get(key) ?? { function: name, reason, late: { baseline: 0, candidate: 0 } };
    sums.set(key, sum);
    sum.late.baseline += late.baseline;
    sum.late.candidate += late.candidate;
  }
  return [...sums.values()];
}

/**
 * Counts megamorphic sites per function, since an edited function has the same sites on other lines.
 *
 * @param {CacheSiteChange[]} sites
 * @returns {string[]} how many more megamorphic sites an arm has, and in which functions
 */
export function describeCacheSites(sites) {
  const counts = countMegamorphic(sites);
  return /** @type {const} */ (['candidate', 'baseline']).flatMap((arm) => {
    const other = arm === 'candidate' ? 'baseline' : 'candidate';
    const found = [...counts].filter(([, count]) => count[arm] > count[other]);
    if (found.length === 0) return [];
    const more = found.reduce((sum, [, count]) => sum + count[arm] - count[other], 0);
    const isAlone = found.every(([, count]) => count[other] === 0);
    const subject = isAlone ? `Only the ${arm} has` : `The ${arm} has`;
    const places = `${more}${isAlone ? '' : ' more'} megamorphic ${more === 1 ? 'site' : 'sites'}`;
    return [`${subject} ${places}, in ${nameSome(found.map(([name]) => name))}.`];
  });
}

/**
 * @param {CacheSiteChange[]} sites
 * @returns {Map<string, Record<ComparedArm, number>>} megamorphic sites by name of the function
 */
function countMegamorphic(sites) {
  /** @type {Map<string, Record<ComparedArm, number>>} */
  const counts = new Map();
  for (const site of sites) {
    const count = counts.get(site.function) ?? { baseline: 0, candidate: 0 };
    counts.set(site.function, count);
    count.baseline += Number(isMegamorphic(site.baseline));
    count.candidate += Number(isMegamorphic(site.candidate));
  }
  return counts;
}

/** @param {string[]} names of functions */
function nameSome(names) {
  const named = names.slice(0, MAX_NAMED);
  const left = names.length - named.length;
  if (left === 0) return listWords(named);
  return listWords([...named, countOf(left, 'more function')]);
}

/** @param {CacheSiteChange['baseline']} state */
function isMegamorphic(state) {
  return state === 'megamorphic' || state === 'generic';
}

/** @param {number} count */
function describeTimes(count) {
  return count === 1 ? 'once' : `${count} times`;
}
