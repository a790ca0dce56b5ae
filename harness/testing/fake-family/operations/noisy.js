/** @import { OperationDescription } from '../../../formats/types.ts' */

/** For `figures=scripted` alone, of which all outputs are the same. @type {OperationDescription} */
export const operation = {
  summary: 'so much noise that no look decides it',
  explainDifference: async () => ({ path: '', expected: '', found: '' }),
};
