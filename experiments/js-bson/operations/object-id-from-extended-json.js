import {
  ON_OBJECT_IDS,
  describeEach,
  describeId,
  explainIdDifference,
  readHexTexts,
} from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * @typedef {object} State
 * @property {any} ObjectId the class of the variant
 * @property {{ $oid: string }[]} documents
 * @property {any} last result of the latest call, kept to prevent dead-code elimination
 */

/**
 * "fromExtendedJSON" of NODE-6246 (js-bson #703): what EJSON.parse calls for every `$oid`.
 * @type {Operation<State>}
 */
export const operation = {
  summary: 'Extended JSON object to ObjectId',
  ...ON_OBJECT_IDS,

  async prepare(module, corpus) {
    const { ObjectId, texts } = await readHexTexts(module, corpus);
    const documents = texts.map(function wrapText($oid) {
      return { $oid };
    });
    return { ObjectId, documents, last: null };
  },

  run(state, passes) {
    const { ObjectId, documents } = state;
    for (let pass = 0; pass < passes; pass++) {
      for (let index = 0; index < documents.length; index++) {
        state.last = ObjectId.fromExtendedJSON(documents[index]);
      }
    }
  },

  output({ ObjectId, documents }) {
    return describeEach(documents, function describeMade(document) {
      return describeId(ObjectId.fromExtendedJSON(document));
    });
  },

  explainDifference: explainIdDifference,
};
