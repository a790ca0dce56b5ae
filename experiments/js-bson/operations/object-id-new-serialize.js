import { takeExports } from './support/operation.js';
import { ID_BYTES, ON_NEW_IDS, describeNewIds } from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * "new ObjectId() + serialize" of NODE-6246 (js-bson #703). Its reported time is that of `new` alone,
 * so it cannot include a document: only the id writes its bytes.
 * @type {Operation<{ ObjectId: any, count: number, target: Buffer, written: number }>}
 */
export const operation = {
  summary: 'nothing to the 12 bytes of a new ObjectId',
  ...ON_NEW_IDS,

  prepare(module, corpus) {
    const { ObjectId } = takeExports(module, ['ObjectId']);
    const target = Buffer.alloc(ID_BYTES);
    return { ObjectId, count: corpus.documentCount, target, written: 0 };
  },

  run(state, passes) {
    const { ObjectId, count, target } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < count; index++) {
        state.written += new ObjectId().serializeInto(target, 0);
      }
    }
  },

  output({ ObjectId, count, target }) {
    return describeNewIds(count, function makeBytes() {
      target.fill(0);
      return target.subarray(0, new ObjectId().serializeInto(target, 0));
    });
  },
};
