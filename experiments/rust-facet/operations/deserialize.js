import { explainByteDifference } from '../../support/explain-difference.js';

/** @import { OperationDescription } from '../../../harness/formats/types.ts' */

/** @type {OperationDescription} */
export const operation = {
  summary: 'BSON bytes to values of a struct; the output is what serde writes for them',
  readsDocuments: true,
  codesCanonical: true,

  async explainDifference(expected, found) {
    return explainByteDifference(expected, found);
  },
};
