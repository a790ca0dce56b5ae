/** @import { FuzzFailure, FuzzResult } from '../../formats/types.ts' */

/** @type {FuzzResult} */
export const NO_RESULT = {
  documents: 0,
  differences: 0,
  accepted: 0,
  refused: 0,
  checks: 0,
  errors: {},
  failures: [],
};

/**
 * What two jobs found together.
 *
 * @param {FuzzResult} a
 * @param {FuzzResult} b
 * @returns {FuzzResult}
 */
export function addResults(a, b) {
  const errors = { ...a.errors };
  for (const [name, count] of Object.entries(b.errors)) errors[name] = (errors[name] ?? 0) + count;
  return {
    documents: a.documents + b.documents,
    differences: a.differences + b.differences,
    accepted: a.accepted + b.accepted,
    refused: a.refused + b.refused,
    checks: a.checks + b.checks,
    errors,
    failures: [...a.failures, ...b.failures],
  };
}

/**
 * A document on which the variant hung or died, as a result of its own.
 *
 * @param {FuzzFailure} failure
 * @returns {FuzzResult}
 */
export function failureResult(failure) {
  return { ...NO_RESULT, documents: 1, differences: 1, failures: [failure] };
}
