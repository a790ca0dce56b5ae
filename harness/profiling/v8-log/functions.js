import { FormatError } from '../../lib/errors.js';

/** @import { CacheSite, DeoptEntry, DescribedPlace, FunctionLog } from '../../formats/types.ts' */

const TIERS = /** @type {const} */ (['interpreter', 'baseline', 'mid', 'optimized']);
const STATES = /** @type {const} */ ([null, 'polymorphic', 'megamorphic', 'generic']);

/** @typedef {FunctionLog['tier']} Tier */

/**
 * An inline cache; `state` is null while it is monomorphic.
 *
 * @typedef {object} SiteRecord
 * @property {string} cache
 * @property {number} line
 * @property {number} column
 * @property {CacheSite['state'] | null} state
 * @property {Set<string>} keys
 * @property {Set<string>} maps addresses of hidden classes
 */

/** What was read of one function so far. */
export class FunctionRecord {
  /** @type {Tier} */
  #tier = 'interpreter';
  /** @type {Map<string, DeoptEntry>} */
  #deopts = new Map();
  /** @type {Map<string, SiteRecord>} */
  #sites = new Map();

  /**
   * @param {DescribedPlace} place start of the function
   * @param {string} url of the script that was run
   */
  constructor({ name, file, line, column }, url) {
    this.name = name;
    this.file = String(file);
    this.line = Number(line);
    this.column = Number(column);
    this.url = url;
  }

  /** @param {Tier} tier of its code, or of code that it was inlined into */
  reach(tier) {
    if (TIERS.indexOf(tier) > TIERS.indexOf(this.#tier)) this.#tier = tier;
  }

  /** @param {Omit<DeoptEntry, 'count' | 'late'>} deopt @param {boolean} isLate */
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
   * @param {Tier} tier of the code with the miss
   */
  addCacheMiss(site, { state, key, map }, tier) {
    const siteKey = `${site.cache}:${site.line}:${site.column}`;
    // Optimised code reports sites of inlined functions as its own. Real sites of the function were
    // reported before, in a lower tier.
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

/** @param {SiteRecord} record @returns {CacheSite[]} empty if it stayed monomorphic */
function finishSite({ cache, line, column, state, keys, maps }) {
  if (state === null) return [];
  const [key = null] = keys.size === 1 ? keys : [];
  return [{ cache, state, key, line, column, classes: maps.size === 0 ? null : maps.size }];
}

/** @param {{ line: number, column: number }} a @param {{ line: number, column: number }} b */
export function byPlace(a, b) {
  return a.line - b.line || a.column - b.column;
}

/** Addresses are looked up by page; most code covers one or two. */
const PAGE_BYTES = 4096;
/** Far above any function; protects against filling the address space from a damaged log. */
const MAX_CODE_BYTES = 2 ** 26;

/**
 * Code by address at the current position of the log. Discarded code is not removed; newer code at the
 * same address is found first.
 *
 * @template Code
 */
export class CodeMap {
  /** @type {Map<number, { startAddress: number, endAddress: number, code: Code }[]>} */
  #pages = new Map();
  /** @type {Map<number, { sizeBytes: number, code: Code }>} */
  #byStart = new Map();

  /**
   * @param {number} startAddress
   * @param {number} sizeBytes
   * @param {Code} code
   * @throws {FormatError} for an impossible address or size
   */
  add(startAddress, sizeBytes, code) {
    const isSize = Number.isInteger(sizeBytes) && sizeBytes >= 0 && sizeBytes <= MAX_CODE_BYTES;
    if (!isSize || !Number.isSafeInteger(startAddress) || startAddress < 0) {
      throw new FormatError(`invalid code of ${sizeBytes} bytes at address ${startAddress}`, {
        remedy: 'record the log again',
      });
    }
    const endAddress = startAddress + sizeBytes;
    this.#byStart.set(startAddress, { sizeBytes, code });
    for (let page = pageOf(startAddress); page <= pageOf(endAddress); page++) {
      const entries = this.#pages.get(page) ?? [];
      entries.push({ startAddress, endAddress, code });
      this.#pages.set(page, entries);
    }
  }

  /** @param {number} fromAddress @param {number} toAddress */
  move(fromAddress, toAddress) {
    const moved = this.#byStart.get(fromAddress);
    if (moved !== undefined) this.add(toAddress, moved.sizeBytes, moved.code);
  }

  /**
   * @param {number} address within the code or just past its end, the return address of a call at the
   *   end
   * @returns {Code | null}
   */
  find(address) {
    const entries = this.#pages.get(pageOf(address)) ?? [];
    const found = entries.findLast(
      ({ startAddress, endAddress }) => startAddress <= address && address <= endAddress,
    );
    return found?.code ?? null;
  }

  /** @param {number} address @returns {Code | null} the code that starts there */
  at(address) {
    return this.#byStart.get(address)?.code ?? null;
  }
}

/** @param {number} address */
function pageOf(address) {
  return Math.floor(address / PAGE_BYTES);
}
