import { ON_OBJECT_IDS, describeEach, describeId, readHexTexts } from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/** "new ObjectId(string)" of NODE-6246 (js-bson #703). @type {Operation<{ ObjectId: any, texts: string[], last: any }>} */
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
};
