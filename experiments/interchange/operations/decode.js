import { spotCheckMessages } from '../../support/spot-check.js';
import { VALUE_COUNT, collectOutput, findWrongResults } from '../../support/variations.js';
import { MessageVariations } from './support/message-variations.js';
import { describeRead, explainValueDifference, openDocuments } from './support/state.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */
/** @import { Format, Value } from '../codec/types.ts' */
/** @import { Sample } from '../../support/variations.js' */

/**
 * @typedef {object} State
 * @property {Value[]} documents
 * @property {Format['encode']} encode
 * @property {Format['decode']} decode
 * @property {(index: number, received: unknown) => Uint8Array} describe
 * @property {MessageVariations} variations
 * @property {number} turn of the next pass
 * @property {Value | null} last result of the latest call, kept to prevent dead-code elimination
 * @property {Sample<Value> | null} sample
 */

/** @type {Operation<State>} */
export const operation = {
  summary: 'messages to documents',

  async prepare(module, corpus) {
    const { documents, encode, ...opened } = await openDocuments(module, corpus);
    const variations = new MessageVariations(documents, encode);
    return { ...opened, documents, encode, variations, turn: 0, last: null, sample: null };
  },

  run(state, passes) {
    const { decode } = state;
    const { messages, offsets, patches } = state.variations;
    for (let pass = 0; pass < passes; pass++) {
      const turn = state.turn++ % VALUE_COUNT;
      for (let index = 0; index < messages.length; index++) {
        messages[index].set(patches[index][turn], offsets[index]);
        state.last = decode(messages[index]);
      }
    }
  },

  keepSample(state) {
    const { last, turn } = state;
    if (last !== null) state.sample = { turn: turn - 1, results: [last] };
  },

  spotCheck(state, chance) {
    return spotCheckMessages(state, chance, {
      encode: state.encode,
      call: state.decode,
      takeLast: ({ last }) => last,
    });
  },

  values({ decode, variations: { current } }) {
    return current.map(function makeOnce(message) {
      return decode(message);
    });
  },

  output({ decode, describe, variations, sample }) {
    const count = variations.current.length;
    const lastIndex = count - 1;
    // From a copy, which a decoder that remembers results by message does not know.
    const decodeLast = () => decode(Buffer.from(variations.current[lastIndex]));
    const wrong = findWrongResults(sample, variations, decodeLast, describeRead);
    const frames = collectOutput(
      variations,
      count,
      (index) => ({ index, document: decode(variations.current[index]) }),
      ({ index, document }) => describe(index, document),
    );
    return [...frames, ...wrong];
  },

  explainDifference: explainValueDifference,
};
