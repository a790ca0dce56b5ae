import { materializeDocuments } from '../../../corpora/support/materialize.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} State
 * @property {(document: object) => Uint8Array} serialize
 * @property {object[]} documents
 * @property {Uint8Array | null} last result of the latest call, kept to prevent dead-code elimination
 */

/** @type {Operation<State>} */
export const operation = {
  summary: 'documents to BSON bytes',

  async prepare(module, corpus) {
    const { serialize } = /** @type {{ serialize: State['serialize'] }} */ (module);
    return { serialize, documents: await materializeDocuments(module, corpus), last: null };
  },

  run(state, passes) {
    const { serialize, documents } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < documents.length; index++) {
        state.last = serialize(documents[index]);
      }
    }
  },

  values({ documents }) {
    return documents;
  },

  output({ serialize, documents }) {
    return documents.map(function serializeOnce(document) {
      return serialize(document);
    });
  },

  async explainDifference(expected, found) {
    const { explainByteDifference } = await import('../../support/explain-difference.js');
    return explainByteDifference(expected, found);
  },
};
