import { readFileSync } from 'node:fs';
import {
  encodeText,
  explainJsonDifference,
  formatPage,
  splitPages,
  stringify,
  takeExports,
} from './support/operation.js';
import { spotCheckPages } from '../../support/spot-check.js';
import { ByteVariations, collectOutput, findWrongResults } from '../../support/variations.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */
/** @import { Sample } from '../../support/variations.js' */

/**
 * @typedef {object} State
 * @property {(bytes: Uint8Array) => object} deserialize
 * @property {ByteVariations} variations
 * @property {Uint8Array[][]} pages of the documents of `variations`
 * @property {number} turn of the next pass
 * @property {string} last response, kept to prevent dead-code elimination
 * @property {Sample<string> | null} sample
 */

/** "GET 100 docs" of NODE-6246 (js-bson #703). @type {Operation<State>} */
export const operation = {
  summary: 'an application answers a GET: BSON of 100 documents to one JSON text',
  defaultCorpora: ['comments:100'],

  prepare(module, corpus) {
    const { deserialize } = takeExports(module, ['deserialize']);
    const variations = new ByteVariations(readFileSync(corpus.files.bytes));
    const pages = splitPages(variations.documents);
    return { deserialize, variations, pages, turn: 0, last: '', sample: null };
  },

  run(state, passes) {
    const { deserialize, variations, pages } = state;
    for (let pass = 0; pass < passes; pass++) {
      variations.apply(state.turn++);
      for (let index = 0; index < pages.length; index++) {
        state.last = formatPage(deserialize, pages[index]);
      }
    }
  },

  keepSample(state) {
    state.sample = { turn: state.turn - 1, results: [state.last] };
  },

  spotCheck(state, chance) {
    return spotCheckPages(state, chance, (page) => formatPage(state.deserialize, page));
  },

  output({ deserialize, variations, pages, sample }) {
    const { documents } = variations;
    function formatLast() {
      return formatPage(deserialize, pages[pages.length - 1]);
    }
    /** @param {number} index */
    function formatOnce(index) {
      return stringify(deserialize(documents[index]));
    }
    const wrong = findWrongResults(sample, variations, formatLast, encodeText);
    return [...collectOutput(variations, documents.length, formatOnce, encodeText), ...wrong];
  },

  explainDifference: explainJsonDifference,
};
