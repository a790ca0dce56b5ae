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
 * Checks a module with documents of maximum size, length and depth. A variant that declares
 * `usesCallStack` may exhaust the stack.
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
 * The document of a limit and the outcome of the reference, cached because it takes as long as
 * checking a variant.
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
