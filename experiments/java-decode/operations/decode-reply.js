import { explainByteDifference } from '../../support/explain-difference.js';

/** @import { OperationDescription } from '../../../harness/formats/types.ts' */

/** @type {OperationDescription} */
export const operation = {
  summary: 'a reply to a find with 200 documents, decoded as a whole',
  readsDocuments: true,
  defaultCorpora: ['flat', 'tweet'],

  async explainDifference(expected, found) {
    return explainByteDifference(expected, found);
  },
};
