import { compareReadings } from './check-readings.js';
import { LIMITS } from './limits.js';
import { EXACT, readBytes } from './read-bytes.js';

/**
 * @typedef {import('./limits.js').Limit} Limit
 * @typedef {import('./read-bytes.js').Codec} Codec
 * @typedef {import('./run-vectors.js').Outcome} Outcome
 */

const STACK_OVERFLOW = 'RangeError';

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
  for (const { name, build, isDeep } of limits) {
    const bytes = build();
    const isExcused = isDeep && module.variant?.usesCallStack === true && overflows(module, bytes);
    const misses = isExcused
      ? []
      : compareReadings('decode, exact', module, reference, bytes, EXACT);
    if (misses.length === 0) outcome.passed++;
    outcome.failures.push(...misses.map((miss) => ({ vector: `limits: ${name}`, ...miss })));
  }
  return outcome;
}

/**
 * @param {Codec} module
 * @param {Uint8Array} bytes
 * @returns {boolean}
 */
function overflows(module, bytes) {
  return readBytes(module, bytes, EXACT).includes(`\trefused\t${STACK_OVERFLOW}`);
}
