import { spotCheckTurns } from '../../support/spot-check.js';
import { VALUE_COUNT, collectOutput, findWrongResults } from '../../support/variations.js';
import { openCodec, requireCodec, writeDocument } from './support/open-codec.js';
import { copyMessage } from './support/write-documents.js';

/** @import { Operation } from '../../../harness/formats/types.ts' */
/** @import { Sample } from '../../support/variations.js' */
/** @import { Codec, Message } from './support/open-codec.js' */

/**
 * @typedef {Codec & {
 *   messages: Message[][],
 *   current: Message[],
 *   turn: number,
 *   last: unknown,
 *   sample: Sample<unknown> | null,
 * }} State `messages`: of each document, one for each of its variations; `current`: those to read outside of the loop;
 *   `turn`: of the next pass; `last`: result of the latest call, kept to prevent dead-code elimination
 */

/** @type {Operation<State>} */
export const operation = {
  summary: 'messages to documents, those that the package itself has written',

  async prepare(module, corpus) {
    const codec = await openCodec(module, corpus);
    const { documents, variations } = codec;
    const encodeAll = () =>
      documents.map((document) => flatten(copyMessage(writeDocument(codec, document))));
    const current = encodeAll();
    const turns = Array.from({ length: VALUE_COUNT }, function encodeTurn(_, turn) {
      variations.apply(turn);
      return encodeAll();
    });
    variations.restore();
    const messages = documents.map((_, index) => turns.map((ofTurn) => ofTurn[index]));
    return { ...codec, messages, current, turn: 0, last: null, sample: null };
  },

  run(state, passes) {
    const { decode, messages } = state;
    for (let pass = 0; pass < passes; pass++) {
      const turn = state.turn++ % VALUE_COUNT;
      for (let index = 0; index < messages.length; index++) {
        state.last = decode(messages[index][turn]);
      }
    }
  },

  keepSample(state) {
    const { last, turn } = state;
    if (last !== null) state.sample = { turn: turn - 1, results: [last] };
  },

  spotCheck(state, chance) {
    return spotCheckTurns(state, chance, {
      encode: (document) => flatten(copyMessage(state.encode(document))),
      call: state.decode,
      takeLast: ({ last }) => last,
    });
  },

  values({ decode, current }) {
    return current.map(function makeOnce(message) {
      return decode(message);
    });
  },

  output(state) {
    requireCodec(state);
    const { decode, messages, current, sample } = state;
    const variations = {
      /** @param {number} turn */
      apply(turn) {
        state.current = messages.map((ofTurns) => ofTurns[turn % VALUE_COUNT]);
      },
      restore() {
        state.current = current;
      },
    };
    // From a copy, which a decoder that remembers results by message does not know.
    const decodeLast = () => decode(copyMessage(state.current[messages.length - 1]));
    const keep = (/** @type {unknown} */ value) => value;
    const wrong = findWrongResults(sample, variations, decodeLast, keep);
    const decodeOne = (/** @type {number} */ index) => decode(state.current[index]);
    return [...collectOutput(variations, messages.length, decodeOne, keep), ...wrong];
  },

  async explainDifference(expected, found) {
    const { explainTextDifference } = await import('../../support/explain-difference.js');
    return explainTextDifference(expected, found);
  },
};

/** @type {(message: Message) => Message} text in one piece, as it comes from a file or a socket */
function flatten(message) {
  return typeof message === 'string' ? JSON.parse(JSON.stringify(message)) : message;
}
