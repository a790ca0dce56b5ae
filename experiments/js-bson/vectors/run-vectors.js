import { checkReadings } from './check-readings.js';
import { checkStated } from './check-stated.js';
import { loadVectors } from './load-vectors.js';

/** @import { Miss } from './check-stated.js' */
/** @import { VectorFile } from './parse-vector-file.js' */
/** @import { Codec } from './read-bytes.js' */

/**
 * @typedef {object} Outcome
 * @property {number} passed Vectors without a failure.
 * @property {Failure[]} failures At most one for each vector and check.
 *
 * @typedef {Miss & { vector: string }} Failure `vector` is `double: minus zero`.
 */

/**
 * Checks a module against every vector.
 *
 * @param {Codec} module Namespace of a variant.
 * @param {Codec} reference Namespace of npm `bson`.
 * @param {VectorFile[]} [files]
 * @returns {Outcome}
 * @throws {import('../../../harness/lib/errors.js').FormatError} If a file of vectors is invalid.
 */
export function runVectors(module, reference, files = loadVectors()) {
  /** @type {Outcome} */
  const outcome = { passed: 0, failures: [] };
  for (const { type, vectors } of files) {
    for (const vector of vectors) {
      const misses = [...checkStated(module, vector), ...checkReadings(module, reference, vector)];
      if (misses.length === 0) outcome.passed++;
      const name = `${type}: ${vector.name}`;
      outcome.failures.push(...misses.map((miss) => ({ vector: name, ...miss })));
    }
  }
  return outcome;
}
