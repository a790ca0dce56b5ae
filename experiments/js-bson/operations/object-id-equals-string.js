import {
  ON_OBJECT_IDS,
  copyHexText,
  describeEach,
  listUnequalTexts,
  readObjectIds,
} from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * ".equals(string)" of NODE-6246 (js-bson #703), each id with its own hex text.
 * @type {Operation<{ ids: any[], texts: string[], equalCount: number }>}
 */
export const operation = {
  summary: 'ObjectId compared with its hex text',
  ...ON_OBJECT_IDS,

  async prepare(module, corpus) {
    const { ids } = await readObjectIds(module, corpus);
    return { ids, texts: ids.map(copyHexText), equalCount: 0 };
  },

  run(state, passes) {
    const { ids, texts } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < ids.length; index++) {
        if (ids[index].equals(texts[index])) state.equalCount++;
      }
    }
  },

  output({ ids, texts }) {
    return describeEach(ids, function compareOne(id, index) {
      const text = texts[index];
      const others = listUnequalTexts(id).map(id.equals, id);
      return { lower: id.equals(text), upper: id.equals(text.toUpperCase()), others };
    });
  },
};
