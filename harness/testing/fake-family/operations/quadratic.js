/** @import { OperationDescription } from '../../../formats/types.ts' */

/** For `figures=scripted` alone, of which all outputs are the same. @type {OperationDescription} */
export const operation = {
  summary:
    'the slower one takes four times as long for a document twice as large, the other one twice as long',
  explainDifference: async () => ({ path: '', expected: '', found: '' }),
};
