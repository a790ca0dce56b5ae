import * as reference from 'bson';
import { runLimits } from './vectors/run-limits.js';
import { runVectors } from './vectors/run-vectors.js';

/** @import { ConformanceFailure } from '../../harness/types.ts' */
/** @import { Codec } from './vectors/read-bytes.js' */

/**
 * Holds a variant against the vectors and limits of the family, for `just check VARIANT`.
 *
 * @param {Codec} module namespace of the variant
 * @returns {{ passed: number, failures: ConformanceFailure[] }}
 */
export function runConformance(module) {
  const outcomes = [runVectors(module, reference), runLimits(module, reference)];
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failures: outcomes
      .flatMap(({ failures }) => failures)
      .map(({ vector, check, path, expected, found }) => ({
        name: `${vector} (${check}, ${path})`,
        expected,
        found,
      })),
  };
}
