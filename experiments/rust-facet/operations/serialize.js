import { explainByteDifference } from '../../support/explain-difference.js';

/** @import { OperationDescription } from '../../../harness/formats/types.ts' */

/** @type {OperationDescription} */
export const operation = {
  summary: 'values of a struct to BSON bytes',
  codesCanonical: true,

  async explainDifference(expected, found) {
    return explainByteDifference(expected, found);
  },
};
