import { readFileSync } from 'node:fs';
import { splitBsonDocuments } from '../../../corpora/support/document-files.js';
import { explainJsonDifference, formatPage, splitPages, takeExports } from './support/operation.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} State
 * @property {(bytes: Uint8Array) => object} deserialize
 * @property {Uint8Array[][]} pages
 * @property {string} last response, kept to prevent dead-code elimination
 */

/**
 * "GET 100 docs" of NODE-6246 (js-bson #703).
 *
 * @type {Operation<State>}
 */
export const operation = {
  summary: 'an application answers a GET: BSON of 100 documents to one JSON text',
  defaultCorpora: ['comments:100'],

  prepare(module, corpus) {
    const { deserialize } = takeExports(module, ['deserialize']);
    const documents = [...splitBsonDocuments(readFileSync(corpus.files.bytes))];
    return { deserialize, pages: splitPages(documents), last: '' };
  },

  run(state, passes) {
    const { deserialize, pages } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < pages.length; index++) {
        state.last = formatPage(deserialize, pages[index]);
      }
    }
  },

  output({ deserialize, pages }) {
    return pages.flat().map(function formatOnce(bytes) {
      return Buffer.from(JSON.stringify(deserialize(bytes)));
    });
  },

  explainDifference: explainJsonDifference,
};
