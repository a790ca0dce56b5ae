import { ID_BYTES, ON_OBJECT_IDS, describeEach, readObjectIds } from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * "serialize" of the second table of NODE-6246 (js-bson #703). At 67 million per second it can only be
 * the id that writes its bytes, without a document.
 * @type {Operation<{ ids: any[], target: Buffer, written: number }>}
 */
export const operation = {
  summary: 'ObjectId to its 12 bytes',
  ...ON_OBJECT_IDS,

  async prepare(module, corpus) {
    const { ids } = await readObjectIds(module, corpus);
    return { ids, target: Buffer.alloc(ID_BYTES), written: 0 };
  },

  run(state, passes) {
    const { ids, target } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < ids.length; index++) {
        state.written += ids[index].serializeInto(target, 0);
      }
    }
  },

  output({ ids, target }) {
    return describeEach(ids, function writeOne(id) {
      target.fill(0);
      const sizeBytes = id.serializeInto(target, 0);
      return { sizeBytes, bytes: target.toString('hex') };
    });
  },
};
