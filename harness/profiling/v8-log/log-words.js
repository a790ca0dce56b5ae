/** @import { CacheSite, DeoptEntry, FunctionLog } from '../../formats/types.ts' */

/** Versions without a middle tier know no `+`. */
const TIERS = new Map(
  /** @type {[string, FunctionLog['tier']][]} */ ([
    ['~', 'interpreter'],
    ['^', 'baseline'],
    ['+', 'mid'],
    ['*', 'optimized'],
  ]),
);

const STATES = new Map(
  /** @type {[string, CacheSite['state']][]} */ ([
    ['P', 'polymorphic'],
    ['N', 'megamorphic'],
    // Megamorphic as well, with one and the same accessor of the DOM.
    ['D', 'megamorphic'],
    ['G', 'generic'],
  ]),
);

const DEOPT_KINDS = new Map(
  /** @type {[string, DeoptEntry['kind']][]} */ ([
    ['deopt-eager', 'eager'],
    ['deopt-lazy', 'lazy'],
    ['deopt-soft', 'soft'],
    ['dependency-change', 'dependency-change'],
  ]),
);

/**
 * @param {string} mark behind a function's code: `~`, `*'` where it is bound to a context, `o+`
 *   where it replaced running code
 * @returns {FunctionLog['tier'] | null} null for what is no mark
 */
export function readTier(mark) {
  return TIERS.get(mark.replace(/^o/, '').charAt(0)) ?? null;
}

/**
 * @param {string} letter for the state of an inline cache
 * @returns {CacheSite['state'] | null} null where it has met one hidden class or none
 */
export function readCacheState(letter) {
  return STATES.get(letter) ?? null;
}

/**
 * @param {string} kind
 * @returns {DeoptEntry['kind']}
 */
export function readDeoptKind(kind) {
  return DEOPT_KINDS.get(kind) ?? 'other';
}
