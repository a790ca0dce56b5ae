import { takeExports } from './support/operation.js';
import { ON_OBJECT_IDS, describeNewIds, explainIdDifference } from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} State
 * @property {any} ObjectId the class of the variant
 * @property {number} count of documents
 * @property {any} last result of the latest call, kept to prevent dead-code elimination
 */

/**
 * "new ObjectId()" of NODE-6246 (js-bson #703): one new id for each document of the corpus.
 * @type {Operation<State>}
 */
export const operation = {
  summary: 'nothing to a new ObjectId',
  defaultCorpora: ON_OBJECT_IDS.defaultCorpora,

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

  explainDifference: explainIdDifference,
};
