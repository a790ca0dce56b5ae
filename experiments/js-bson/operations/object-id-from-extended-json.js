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

  *spotCheck(state, { pick, maxPasses }) {
    const { ObjectId, documents } = state;
    const document = documents[pick(documents.length)];
    const { $oid: old } = document;
    state.documents = [document];
    try {
      yield maxPasses;
      document.$oid = old.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
      yield 1;
      const { $oid } = document;
      return state.last.toHexString() === ObjectId.fromExtendedJSON({ $oid }).toHexString() &&
        state.last.toHexString() === $oid
        ? null
        : 'after a change of $oid the id is another';
    } finally {
      document.$oid = old;
      state.documents = documents;
    }
  },

  output({ ObjectId, documents }) {
    return describeEach(documents, function describeMade(document) {
      return describeId(ObjectId.fromExtendedJSON(document));
    });
  },
};
