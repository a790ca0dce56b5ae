import { ON_OBJECT_IDS, describeEach, readHexTexts, spoilText } from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * "isValid(string)" of NODE-6246 (js-bson #703) with every second text invalid: the reported gain
 * is in rejecting, which used to throw and catch an error.
 * @type {Operation<{ ObjectId: any, texts: string[], validCount: number }>}
 */
export const operation = {
  summary: 'whether text is a valid ObjectId, half of it not hex',
  ...ON_OBJECT_IDS,

  async prepare(module, corpus) {
    const { ObjectId, texts } = await readHexTexts(module, corpus);
    return { ObjectId, texts: texts.map(spoilEverySecond), validCount: 0 };
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
    return describeEach(texts, function judgeOne(text) {
      return { text, isValid: ObjectId.isValid(text) };
    });
  },
};

/** @type {(text: string, index: number) => string} */
function spoilEverySecond(text, index) {
  return index % 2 === 0 ? text : spoilText(text, index);
}
