import { readFileSync } from 'node:fs';
import { describeValue } from '../../../harness/worker/describe-value.js';
import { spotCheckReader } from '../../support/spot-check.js';
import {
  ByteVariations,
  collectOutput,
  findWrongResults,
  patternOf,
} from '../../support/variations.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */
/** @import { Sample } from '../../support/variations.js' */

/**
 * @typedef {object} State
 * @property {(bytes: Uint8Array) => object} deserialize
 * @property {ByteVariations} variations
 * @property {number} turn of the next pass
 * @property {object | null} last result of the latest call, kept to prevent dead-code elimination
 * @property {Sample<object> | null} sample
 */

/** @type {Operation<State>} */
export const operation = {
  summary: 'BSON bytes to documents',
  readsDocuments: true,
  codesCanonical: true,

  prepare(module, corpus) {
    const { deserialize } = /** @type {{ deserialize: State['deserialize'] }} */ (module);
    const variations = new ByteVariations(readFileSync(corpus.files.bytes));
    return { deserialize, variations, turn: 0, last: null, sample: null };
  },

  run(state, passes) {
    const { deserialize } = state;
    const { documents, view, offsets } = state.variations;
    for (let pass = 0; pass < passes; pass++) {
      const pattern = patternOf(state.turn++);
      for (let index = 0; index < documents.length; index++) {
        view.setUint32(offsets[index], pattern, true);
        state.last = deserialize(documents[index]);
      }
    }
  },

  keepSample(state) {
    const { last, turn } = state;
    if (last !== null) state.sample = { turn: turn - 1, results: [last] };
  },

  spotCheck(state, chance) {
    return spotCheckReader(state, chance, {
      call: state.deserialize,
      takeLast: ({ last }) => last,
    });
  },

  values({ deserialize, variations: { documents } }) {
    return documents.map(function makeOnce(bytes) {
      return deserialize(bytes);
    });
  },

  output({ deserialize, variations, sample }) {
    const { documents } = variations;
    /** @param {number} index */
    function deserializeOnce(index) {
      return deserialize(documents[index]);
    }
    function deserializeLast() {
      return deserializeOnce(documents.length - 1);
    }
    /** @param {object} value */
    function describe(value) {
      return Buffer.from(describeValue(value));
    }
    const wrong = findWrongResults(sample, variations, deserializeLast, describe);
    return [...collectOutput(variations, documents.length, deserializeOnce, describe), ...wrong];
  },

  async explainDifference(expected, found) {
    const { explainTextDifference } = await import('../../support/explain-difference.js');
    return explainTextDifference(expected, found);
  },
};
