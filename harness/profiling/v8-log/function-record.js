/** @import { CacheSite, DeoptEntry, FunctionLog } from '../../formats/types.ts' */
/** @import { Place } from './parse-places.js' */

const TIERS = /** @type {const} */ (['interpreter', 'baseline', 'mid', 'optimized']);
const STATES = /** @type {const} */ ([null, 'polymorphic', 'megamorphic', 'generic']);

/** @typedef {FunctionLog['tier']} Tier */

/**
 * A site whose worst state may still be one that nobody wants to hear of.
 *
 * @typedef {object} SiteRecord
 * @property {string} cache
 * @property {number} line
 * @property {number} column
 * @property {CacheSite['state'] | null} state
 * @property {Set<string>} keys
 * @property {Set<string>} maps addresses of hidden classes
 */

/** What the log has said of one function so far. */
export class FunctionRecord {
  /** @type {Tier} */
  #tier = 'interpreter';
  /** @type {Map<string, DeoptEntry>} */
  #deopts = new Map();
  /** @type {Map<string, SiteRecord>} */
  #sites = new Map();

  /**
   * @param {Place & { name: string }} place where it begins
   * @param {string} file shortened
   */
  constructor({ name, line, column }, file) {
    this.name = name;
    this.file = file;
    this.line = line;
    this.column = column;
  }

  /** @param {Tier} tier that it has reached, by itself or inlined into another function */
  reach(tier) {
    if (TIERS.indexOf(tier) > TIERS.indexOf(this.#tier)) this.#tier = tier;
  }

  /**
   * @param {Omit<DeoptEntry, 'count' | 'late'>} deopt
   * @param {boolean} isLate
   */
  addDeopt(deopt, isLate) {
    const key = JSON.stringify(deopt);
    const entry = this.#deopts.get(key) ?? { ...deopt, count: 0, late: 0 };
    entry.count++;
    if (isLate) entry.late++;
    this.#deopts.set(key, entry);
  }

  /**
   * @param {{ cache: string, line: number, column: number }} site
   * @param {{ state: CacheSite['state'] | null, key: string, map: string | null }} miss
   * @param {Tier} tier of the code in which it happened
   */
  addCacheMiss(site, { state, key, map }, tier) {
    const siteKey = `${site.cache}:${site.line}:${site.column}`;
    // Optimized code names a place of the function that was inlined as if it were one of its own.
    // A place that the function really has was met before, in a lower tier.
    const isInlinable = tier === 'mid' || tier === 'optimized';
    if (isInlinable && !this.#sites.has(siteKey)) return;
    const record = this.#sites.get(siteKey) ?? {
      ...site,
      state: null,
      keys: new Set(),
      maps: new Set(),
    };
    if (STATES.indexOf(state) > STATES.indexOf(record.state)) record.state = state;
    if (key !== '') record.keys.add(key);
    if (map !== null) record.maps.add(map);
    this.#sites.set(siteKey, record);
  }

  /** @returns {FunctionLog} */
  finish() {
    const { name, file, line, column } = this;
    return {
      name,
      file,
      line,
      column,
      tier: this.#tier,
      deopts: [...this.#deopts.values()],
      sites: [...this.#sites.values()].flatMap(finishSite).sort(byPlace),
    };
  }
}

/**
 * @param {SiteRecord} record
 * @returns {CacheSite[]} none where it stayed monomorphic
 */
function finishSite({ cache, line, column, state, keys, maps }) {
  if (state === null) return [];
  const [key = null] = keys.size === 1 ? keys : [];
  return [{ cache, state, key, line, column, classes: maps.size === 0 ? null : maps.size }];
}

/**
 * @param {{ line: number, column: number }} a
 * @param {{ line: number, column: number }} b
 */
export function byPlace(a, b) {
  return a.line - b.line || a.column - b.column;
}
