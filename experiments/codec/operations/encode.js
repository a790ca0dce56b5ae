import { takeBytes } from '../../../harness/worker/bound.js';
import { writeDocuments } from './support/write-documents.js';

export const operation = writeDocuments(
  {
    summary: 'documents to messages',

    async explainDifference(expected, found) {
      const { explainMessageDifference } = await import('../../support/explain-difference.js');
      const difference = explainMessageDifference(expected, found);
      const hint = 'if other messages are intended: --op encode-by-value,decode';
      return { ...difference, found: `${difference.found}; ${hint}` };
    },
  },
  takeBytes,
);
