import { findKnownDifferences, runContract } from './contract/run-contract.js';
import { runVectors } from './vectors/run-vectors.js';

/** @import { ConformanceFailure, ConformanceJob, ContractRow } from '../../harness/formats/types.ts' */
/** @import { Subject } from './contract/run-contract.js' */

/**
 * Checks a variant against the behaviour contract and, for `just check VARIANT`, against the vectors.
 * A lower bound passes both because it has no URL class.
 *
 * @param {Subject} subject as `compose.js` gives it
 * @param {{ spec: string, modulePath: string, parts: ConformanceJob['parts'] }} job
 * @returns {Promise<{ passed: number, failures: ConformanceFailure[], contract: ContractRow[] }>}
 */
export async function runConformance(subject, { parts }) {
  const contract = await runContract(subject);
  if (parts === 'contract' || subject.URL === undefined) {
    return { passed: 0, failures: [], contract };
  }
  return { ...(await runVectors(subject.URL, findKnownDifferences(subject))), contract };
}
