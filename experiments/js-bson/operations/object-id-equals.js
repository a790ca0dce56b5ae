import {
  ON_OBJECT_IDS,
  describeEach,
  listUnequalTexts,
  readObjectIds,
} from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * ".equals(objectId)" of NODE-6246 (js-bson #703), with an equal id, which requires a full comparison.
 * @type {Operation<{ ids: any[], twins: any[], equalCount: number }>}
 */
export const operation = {
  summary: 'ObjectId compared with an equal ObjectId',
  ...ON_OBJECT_IDS,

  async prepare(module, corpus) {
    const { ids } = await readObjectIds(module, corpus);
    const { ids: twins } = await readObjectIds(module, corpus);
    return { ids, twins, equalCount: 0 };
  },

  run(state, passes) {
    const { ids, twins } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < ids.length; index++) {
        if (ids[index].equals(twins[index])) state.equalCount++;
      }
    }
  },

  output({ ids, twins }) {
    return describeEach(ids, function compareOne(id, index) {
      const others = listUnequalTexts(id).map(function makeOther(text) {
        return new id.constructor(text);
      });
      return { twin: id.equals(twins[index]), others: others.map(id.equals, id) };
    });
  },
};
