import * as reference from 'bson';
import { listRows } from '../support/contract.js';
import { CONTRACT, runContract } from './contract/run-contract.js';
import { runLimits } from './vectors/limits.js';
import { runVectors } from './vectors/check-vectors.js';

/** @import { ConformanceFailure, ConformanceJob, ContractRow } from '../../harness/formats/types.ts' */
/** @import { Codec } from './vectors/read-bytes.js' */

/** Names for `--accept`. */
export const rows = listRows(CONTRACT);

/**
 * Checks a variant against the behaviour contract and, for `just check VARIANT`, against the vectors
 * and limits of the family.
 * @param {Codec} module namespace of the variant
 * @param {{ spec: string, modulePath: string, parts: ConformanceJob['parts'] }} job
 * @returns {Promise<{ passed: number, failures: ConformanceFailure[], contract: ContractRow[] }>}
 */
export async function runConformance(module, { parts, ...variant }) {
  const contract = await runContract(module, reference, variant);
  return { ...(parts === 'all' ? runCases(module) : { passed: 0, failures: [] }), contract };
}

/** @type {(module: Codec) => { passed: number, failures: ConformanceFailure[] }} */
function runCases(module) {
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
