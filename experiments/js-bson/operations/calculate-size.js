import { materializeDocuments } from '../../../corpora/support/materialize.js';
import { takeExports } from './support/operation.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} State
 * @property {(document: object) => number} calculateObjectSize
 * @property {object[]} documents
 * @property {number} total bytes of all calls so far, kept to prevent dead-code elimination
 */

/** @type {Operation<State>} */
export const operation = {
  summary: 'documents to their BSON sizes',

  async prepare(module, corpus) {
    const { calculateObjectSize } = takeExports(module, ['calculateObjectSize']);
    return { calculateObjectSize, documents: await materializeDocuments(module, corpus), total: 0 };
  },

  run(state, passes) {
    const { calculateObjectSize, documents } = state;
    let total = 0;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < documents.length; index++) {
        total += calculateObjectSize(documents[index]);
      }
    }
    state.total += total;
  },

  values({ documents }) {
    return documents;
  },

  output({ calculateObjectSize, documents }) {
    return documents.map(function calculateOnce(document) {
      return Buffer.from(`${calculateObjectSize(document)} bytes`);
    });
  },

  async explainDifference(expected, found) {
    const { WHOLE_DOCUMENT } = await import('../../support/path-text.js');
    return {
      path: WHOLE_DOCUMENT,
      expected: Buffer.from(expected).toString(),
      found: Buffer.from(found).toString(),
    };
  },
};
