/** @import { OperationDescription } from '../../../formats/types.ts' */

/**
 * All outputs are the same, so there is nothing to explain.
 *
 * @type {OperationDescription['explainDifference']}
 */
export async function explainNothing() {
  throw new Error('the outputs of steady-family never differ');
}
