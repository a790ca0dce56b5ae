import { ON_OBJECT_IDS, describeEach, readHexTexts, spoilText } from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * "isValid(string)" of NODE-6246 (js-bson #703) with valid texts only; see object-id-is-valid-mixed.
 * @type {Operation<{ ObjectId: any, texts: string[], validCount: number }>}
 */
export const operation = {
  summary: 'whether text is a valid ObjectId, all of it valid',
  ...ON_OBJECT_IDS,

  async prepare(module, corpus) {
    return { ...(await readHexTexts(module, corpus)), validCount: 0 };
  },

  run(state, passes) {
    const { ObjectId, texts } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < texts.length; index++) {
        if (ObjectId.isValid(texts[index])) state.validCount++;
      }
    }
  },

  output({ ObjectId, texts }) {
    return describeEach(texts, function judgeOne(text, index) {
      const spoilt = spoilText(text, index);
      return { given: ObjectId.isValid(text), spoilt: ObjectId.isValid(spoilt) };
    });
  },
};
