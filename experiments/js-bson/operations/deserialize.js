import { readFileSync } from 'node:fs';
import { splitBsonDocuments } from '../../../corpora/support/document-files.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} State
 * @property {(bytes: Uint8Array) => object} deserialize
 * @property {Uint8Array[]} documents
 * @property {object | null} last result of the latest call, kept to prevent dead-code elimination
 */

/** @type {Operation<State>} */
export const operation = {
  summary: 'BSON bytes to documents',
  readsDocuments: true,

  prepare(module, corpus) {
    const { deserialize } = /** @type {{ deserialize: State['deserialize'] }} */ (module);
    const documents = [...splitBsonDocuments(readFileSync(corpus.files.bytes))];
    return { deserialize, documents, last: null };
  },

  run(state, passes) {
    const { deserialize, documents } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < documents.length; index++) {
        state.last = deserialize(documents[index]);
      }
    }
  },

  values({ deserialize, documents }) {
    return documents.map(function makeOnce(bytes) {
      return deserialize(bytes);
    });
  },

  async output({ deserialize, documents }) {
    const { describeValue } = await import('../../support/describe-value.js');
    return documents.map(function describeOnce(bytes) {
      return Buffer.from(describeValue(deserialize(bytes)));
    });
  },

  async explainDifference(expected, found) {
    const { explainTextDifference } = await import('../../support/explain-difference.js');
    return explainTextDifference(expected, found);
  },
};
