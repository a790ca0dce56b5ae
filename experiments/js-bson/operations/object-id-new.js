import { takeExports } from './support/operation.js';
import { ON_NEW_IDS, describeNewIds } from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * "new ObjectId()" of NODE-6246 (js-bson #703): one new id for each document of the corpus.
 * @type {Operation<{ ObjectId: any, count: number, last: any }>}
 */
export const operation = {
  summary: 'nothing to a new ObjectId',
  ...ON_NEW_IDS,

  prepare(module, corpus) {
    const { ObjectId } = takeExports(module, ['ObjectId']);
    return { ObjectId, count: corpus.documentCount, last: null };
  },

  run(state, passes) {
    const { ObjectId, count } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < count; index++) {
        state.last = new ObjectId();
      }
    }
  },

  output({ ObjectId, count }) {
    return describeNewIds(count, function makeBytes() {
      return new ObjectId().id;
    });
  },
};
