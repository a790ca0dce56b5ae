import { writeDocuments } from './support/write-documents.js';

export const operation = writeDocuments(
  {
    summary: 'as encode, where messages may differ as long as the package reads the same of them',

    messages({ encode, documents }) {
      return documents.map(function encodeOnce(document) {
        return Buffer.from(encode(document));
      });
    },

    async explainDifference(expected, found) {
      const { explainTextDifference } = await import('../../support/explain-difference.js');
      return explainTextDifference(expected, found);
    },
  },
  (message, { decode }) => decode(message),
);
