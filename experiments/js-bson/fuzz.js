import * as reference from 'bson';
import { runFuzz as runFuzzAgainst } from './fuzz/run-fuzz.js';

/** @import { FuzzJob, FuzzResult } from '../../harness/formats/types.ts' */
/** @import { Codec } from './vectors/read-bytes.js' */

/**
 * Compares a variant with npm `bson` on mutated documents, for `just fuzz VARIANT`.
 *
 * @param {Codec} module namespace of the variant
 * @param {FuzzJob} job
 * @returns {FuzzResult}
 */
export function runFuzz(module, job) {
  return runFuzzAgainst(module, reference, job);
}
