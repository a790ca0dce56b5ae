import { explainByteDifference } from '../../support/explain-difference.js';

/** @import { OperationDescription } from '../../../harness/formats/types.ts' */

/** @type {OperationDescription} */
export const operation = {
  summary: '200 documents as the reply to a find, decoded whole',
  readsDocuments: true,
  defaultCorpora: ['flat', 'tweet'],

  async explainDifference(expected, found) {
    return explainByteDifference(expected, found);
  },
};
