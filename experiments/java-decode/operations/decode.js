import { explainByteDifference } from '../../support/explain-difference.js';

/** @import { OperationDescription } from '../../../harness/formats/types.ts' */

/** @type {OperationDescription} */
export const operation = {
  summary: 'one BSON document to a Document, with DocumentCodec',
  readsDocuments: true,
  codesCanonical: true,
  defaultCorpora: ['flat', 'deep', 'full'],

  async explainDifference(expected, found) {
    return explainByteDifference(expected, found);
  },
};
