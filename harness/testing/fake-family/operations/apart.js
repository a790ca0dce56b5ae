/** @import { OperationDescription } from '../../../formats/types.ts' */

/** For `figures=scripted` alone, of which all outputs are the same. @type {OperationDescription} */
export const operation = {
  summary: 'the candidate is a fifth slower, which one look shows',
  explainDifference: async () => ({ path: '', expected: '', found: '' }),
};
