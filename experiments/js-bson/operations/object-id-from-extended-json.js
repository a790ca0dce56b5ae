import { ON_OBJECT_IDS, describeEach, describeId, readHexTexts } from './support/object-ids.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */

/**
 * "fromExtendedJSON" of NODE-6246 (js-bson #703): what EJSON.parse calls for every `$oid`.
 * @type {Operation<{ ObjectId: any, documents: { $oid: string }[], last: any }>}
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
};
