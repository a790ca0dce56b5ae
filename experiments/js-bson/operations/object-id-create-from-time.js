import { ON_OBJECT_IDS, describeEach, describeId, readObjectIds } from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * "createFromTime" of NODE-6246 (js-bson #703): an id that sorts before all others of its second.
 * @type {Operation<{ ObjectId: any, times: number[], last: any }>}
 */
export const operation = {
  summary: 'seconds to ObjectId',
  ...ON_OBJECT_IDS,

  async prepare(module, corpus) {
    const { ObjectId, ids } = await readObjectIds(module, corpus);
    const times = ids.map(function readSeconds(id) {
      return id.getTimestamp().getTime() / 1000;
    });
    return { ObjectId, times, last: null };
  },

  run(state, passes) {
    const { ObjectId, times } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < times.length; index++) {
        state.last = ObjectId.createFromTime(times[index]);
      }
    }
  },

  output({ ObjectId, times }) {
    return describeEach(times, function describeMade(time) {
      return { time, ...describeId(ObjectId.createFromTime(time)) };
    });
  },
};
