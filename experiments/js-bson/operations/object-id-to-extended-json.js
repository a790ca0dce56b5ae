import { ON_OBJECT_IDS, describeEach, readObjectIds, spotCheckIds } from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * "toExtendedJSON" of NODE-6246 (js-bson #703): what EJSON.stringify calls for every ObjectId.
 * @type {Operation<{ ids: any[], last: any }>}
 */
export const operation = {
  summary: 'ObjectId to Extended JSON object',
  ...ON_OBJECT_IDS,

  async prepare(module, corpus) {
    const { ids } = await readObjectIds(module, corpus);
    return { ids, last: null };
  },

  run(state, passes) {
    const { ids } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < ids.length; index++) {
        state.last = ids[index].toExtendedJSON();
      }
    }
  },

  spotCheck(state, chance) {
    return spotCheckIds(state, chance, (id) => id.toExtendedJSON());
  },

  output({ ids }) {
    return describeEach(ids, function convertOne(id) {
      return id.toExtendedJSON();
    });
  },
};
