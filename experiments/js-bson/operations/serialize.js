import { materializeDocuments } from '../../../corpora/support/materialize.js';
import { takeBytes } from '../../../harness/worker/bound.js';
import { spotCheckWriter } from '../../support/spot-check.js';
import {
  DocumentVariations,
  VALUE_COUNT,
  collectOutput,
  findWrongResults,
} from '../../support/variations.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */
/** @import { Sample } from '../../support/variations.js' */

/**
 * @typedef {object} State
 * @property {(document: object) => unknown} serialize
 * @property {object[]} documents
 * @property {DocumentVariations} variations of `documents`
 * @property {number} turn of the next pass
 * @property {unknown} last result of the latest call, kept to prevent dead-code elimination
 * @property {Sample<unknown> | null} sample
 */

/** @type {Operation<State>} */
export const operation = {
  summary: 'documents to BSON bytes',
  codesCanonical: true,

  async prepare(module, corpus) {
    const { serialize } = /** @type {{ serialize: State['serialize'] }} */ (module);
    const documents = await materializeDocuments(module, corpus);
    const variations = new DocumentVariations(documents);
    return { serialize, documents, variations, turn: 0, last: null, sample: null };
  },

  run(state, passes) {
    const { serialize, documents } = state;
    const { holders, keys, values } = state.variations;
    for (let pass = 0; pass < passes; pass++) {
      const turn = state.turn++ % VALUE_COUNT;
      for (let index = 0; index < documents.length; index++) {
        holders[index][keys[index]] = values[index][turn];
        state.last = serialize(documents[index]);
      }
    }
  },

  keepSample(state) {
    const { last, turn } = state;
    // The result itself shows whether later calls overwrite it, the copy whether it was complete.
    if (last !== null) state.sample = { turn: turn - 1, results: [last, takeBytes(last)] };
  },

  spotCheck(state, chance) {
    return spotCheckWriter(state, chance, {
      call: state.serialize,
      takeLast: ({ last }) => takeBytes(last),
    });
  },

  values({ documents }) {
    return documents;
  },

  output({ serialize, documents, variations, sample }) {
    /** @param {number} index */
    function serializeOnce(index) {
      return serialize(documents[index]);
    }
    function serializeLast() {
      return serializeOnce(documents.length - 1);
    }
    const wrong = findWrongResults(sample, variations, serializeLast, takeBytes);
    return [...collectOutput(variations, documents.length, serializeOnce, takeBytes), ...wrong];
  },

  async explainDifference(expected, found) {
    const { explainByteDifference } = await import('../../support/explain-difference.js');
    return explainByteDifference(expected, found);
  },
};
