import { countForms } from '../count-forms.js';

/** @import { Operation, ValueForms } from '../../formats/types.ts' */

/**
 * Describes an operation's values after the work, which changes them: strings are flattened and
 * properties change their representation.
 *
 * @param {{ operation: Operation, state: unknown }} exercise
 * @returns {Promise<() => Promise<ValueForms | null>>} resolves to null if the operation does not
 *   define `values`
 */
export async function observe({ operation, state }) {
  return async function describeNow() {
    return operation.values === undefined ? null : countForms(operation.values(state));
  };
}
