import { isBytes, takeBytes } from '../../../../harness/worker/bound.js';
import { spotCheckWriter } from '../../../support/spot-check.js';
import { VALUE_COUNT, collectOutput, findWrongResults } from '../../../support/variations.js';
import { openCodec, requireCodec } from './open-codec.js';

/** @import { Operation } from '../../../../harness/formats/types.ts' */
/** @import { Sample } from '../../../support/variations.js' */
/** @import { Codec, Message } from './open-codec.js' */

/**
 * @typedef {Codec & {
 *   turn: number,
 *   last: Message | null,
 *   sample: Sample<Message> | null,
 * }} State `turn`: of the next pass; `last`: result of the latest call, kept to prevent dead-code elimination
 */

/**
 * An operation that writes documents.
 *
 * @param {Pick<Operation<State>, 'summary' | 'explainDifference' | 'messages'>} description
 * @param {(message: Message, codec: Codec) => unknown} check what has to be equal, of a message
 * @returns {Operation<State>}
 */
export function writeDocuments(description, check) {
  return {
    ...description,

    async prepare(module, corpus) {
      return { ...(await openCodec(module, corpus)), turn: 0, last: null, sample: null };
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
      if (last !== null) state.sample = { turn: turn - 1, results: [last, copyMessage(last)] };
    },

    spotCheck(state, chance) {
      return spotCheckWriter(state, chance, {
        call: (document) => check(state.encode(document), state),
        takeLast: ({ last }) => check(/** @type {Message} */ (last), state),
        // A format may not tell types apart: a query has text only.
        extent: 'same-type',
      });
    },

    values({ documents }) {
      return documents;
    },

    output(state) {
      requireCodec(state);
      const { encode, documents, variations, sample } = state;
      const encodeLast = () => encode(documents[documents.length - 1]);
      const checkOne = (/** @type {Message} */ message) => check(message, state);
      const wrong = findWrongResults(sample, variations, encodeLast, checkOne);
      const frames = collectOutput(
        variations,
        documents.length,
        (index) => copyMessage(encode(documents[index])),
        checkOne,
      );
      return [...frames, ...wrong];
    },
  };
}

/** @type {(message: any) => any} a message of the same class that later calls do not overwrite */
export function copyMessage(message) {
  if (!isBytes(message)) return message;
  return Buffer.isBuffer(message) ? takeBytes(message) : Uint8Array.from(message);
}
