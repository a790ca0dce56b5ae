import { describeValues } from '../describe-values.js';

/** @import { Operation, ValueForms } from '../../formats/types.ts' */

/**
 * Looks at an operation's values once the work is done, as work changes them: strings are flattened,
 * properties find their representation.
 *
 * @param {{ operation: Operation, state: unknown }} exercise
 * @returns {Promise<() => Promise<ValueForms | null>>} what looks; null where the operation names no
 *   values
 */
export async function observe({ operation, state }) {
  return async function describeNow() {
    return operation.values === undefined ? null : describeValues(operation.values(state));
  };
}
