import { takeBytes } from '../../../harness/worker/bound.js';
import { spotCheckWriter } from '../../support/spot-check.js';
import {
  DocumentVariations,
  VALUE_COUNT,
  collectOutput,
  findWrongResults,
} from '../../support/variations.js';
import { describeRead, explainValueDifference, openDocuments } from './support/state.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */
/** @import { Format, Value } from '../codec/types.ts' */
/** @import { Sample } from '../../support/variations.js' */

/**
 * @typedef {object} State
 * @property {Format['encode']} encode
 * @property {Format['decode']} decode
 * @property {Value[]} documents
 * @property {(index: number, received: unknown) => Uint8Array} describe
 * @property {DocumentVariations} variations of `documents`
 * @property {number} turn of the next pass
 * @property {Uint8Array | null} last result of the latest call, kept to prevent dead-code elimination
 * @property {Sample<Uint8Array> | null} sample
 */

/** @type {Operation<State>} */
export const operation = {
  summary: 'documents to messages',

  async prepare(module, corpus) {
    const opened = await openDocuments(module, corpus);
    const variations = new DocumentVariations(opened.documents);
    return { ...opened, variations, turn: 0, last: null, sample: null };
  },

  run(state, passes) {
    const { encode, documents } = state;
    const { holders, keys, values } = state.variations;
    for (let pass = 0; pass < passes; pass++) {
      const turn = state.turn++ % VALUE_COUNT;
      for (let index = 0; index < documents.length; index++) {
        holders[index][keys[index]] = values[index][turn];
        state.last = encode(documents[index]);
      }
    }
  },

  keepSample(state) {
    const { last, turn } = state;
    // The message itself shows whether later calls overwrite it, the copy whether it was complete.
    if (last !== null) state.sample = { turn: turn - 1, results: [last, Buffer.from(last)] };
  },

  spotCheck(state, chance) {
    /** @param {unknown} message @returns {unknown} */
    const read = (message) => state.decode(/** @type {Buffer} */ (takeBytes(message)));
    return spotCheckWriter(state, chance, {
      call: (document) => read(state.encode(document)),
      takeLast: ({ last }) => read(last),
      // A format may have a schema that was made of the documents.
      extent: 'same-type',
    });
  },

  values({ documents }) {
    return documents;
  },

  output({ encode, decode, documents, describe, variations, sample }) {
    const lastIndex = documents.length - 1;
    const encodeLast = () => encode(documents[lastIndex]);
    const describeLast = (/** @type {Uint8Array} */ message) => describeRead(decode(message));
    const wrong = findWrongResults(sample, variations, encodeLast, describeLast);
    const frames = collectOutput(
      variations,
      documents.length,
      (index) => ({ index, message: Buffer.from(encode(documents[index])) }),
      ({ index, message }) => describe(index, decode(message)),
    );
    return [...frames, ...wrong];
  },

  messages({ encode, documents }) {
    return documents.map(function encodeOnce(document) {
      return Buffer.from(encode(document));
    });
  },

  explainDifference: explainValueDifference,
};
