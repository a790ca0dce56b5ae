import {
  ON_OBJECT_IDS,
  describeEach,
  describeId,
  explainIdDifference,
  readHexTexts,
} from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} State
 * @property {any} ObjectId the class of the variant
 * @property {string[]} texts
 * @property {any} last result of the latest call, kept to prevent dead-code elimination
 */

/** "new ObjectId(string)" of NODE-6246 (js-bson #703). @type {Operation<State>} */
export const operation = {
  summary: 'hex text to ObjectId',
  ...ON_OBJECT_IDS,

  async prepare(module, corpus) {
    return { ...(await readHexTexts(module, corpus)), last: null };
  },

  run(state, passes) {
    const { ObjectId, texts } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < texts.length; index++) {
        state.last = new ObjectId(texts[index]);
      }
    }
  },

  output({ ObjectId, texts }) {
    return describeEach(texts, function describeMade(text) {
      return describeId(new ObjectId(text));
    });
  },

  explainDifference: explainIdDifference,
};
