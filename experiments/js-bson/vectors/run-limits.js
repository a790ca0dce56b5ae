import { checkReading } from './check-readings.js';
import { LIMITS } from './limits.js';
import { EXACT, readBytes } from './read-bytes.js';

/** @import { Limit } from './limits.js' */
/** @import { Codec } from './read-bytes.js' */
/** @import { Outcome } from './run-vectors.js' */

/** @typedef {{ reference: Codec, bytes: Uint8Array, expected: string }} PreparedLimit */

const STACK_OVERFLOW = 'RangeError';

/** @type {WeakMap<Limit, PreparedLimit>} */
const preparedLimits = new WeakMap();

/**
 * Holds a module against documents of the largest size, length and depth. A variant that says that it
 * uses the call stack for nesting may exhaust it.
 *
 * @param {Codec} module Namespace of a variant.
 * @param {Codec} reference Namespace of npm `bson`.
 * @param {Limit[]} [limits]
 * @returns {Outcome}
 */
export function runLimits(module, reference, limits = LIMITS) {
  /** @type {Outcome} */
  const outcome = { passed: 0, failures: [] };
  for (const limit of limits) {
    const { name, isDeep } = limit;
    const { bytes, expected } = prepareLimit(limit, reference);
    const isExcused = isDeep && module.variant?.usesCallStack === true && overflows(module, bytes);
    const misses = isExcused ? [] : checkReading('decode, exact', module, expected, bytes, EXACT);
    if (misses.length === 0) outcome.passed++;
    outcome.failures.push(...misses.map((miss) => ({ vector: `limits: ${name}`, ...miss })));
  }
  return outcome;
}

/**
 * The document of a limit and what the reference makes of it, which takes as long as to hold a
 * variant against it and is remembered for the next one.
 *
 * @param {Limit} limit
 * @param {Codec} reference
 * @returns {PreparedLimit}
 */
function prepareLimit(limit, reference) {
  const known = preparedLimits.get(limit);
  if (known?.reference === reference) return known;
  const bytes = limit.build();
  const prepared = { reference, bytes, expected: readBytes(reference, bytes, EXACT) };
  preparedLimits.set(limit, prepared);
  return prepared;
}

/**
 * @param {Codec} module
 * @param {Uint8Array} bytes
 * @returns {boolean}
 */
function overflows(module, bytes) {
  return readBytes(module, bytes, EXACT).includes(`\trefused\t${STACK_OVERFLOW}`);
}
