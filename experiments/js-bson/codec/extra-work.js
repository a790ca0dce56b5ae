/** @import { makeCodec } from './make-codec.js' */

/**
 * A codec that wastes a known amount of work after each document: rounds of dependent integer
 * arithmetic in registers. Variants that differ only in the number of rounds test the instrument.
 *
 * @template {Pick<ReturnType<typeof makeCodec>, 'serialize' | 'deserialize'>} T
 * @param {T} codec
 * @param {number} rounds after each serialize and each deserialize
 * @returns {T}
 */
export function addExtraWork(codec, rounds) {
  const { serialize, deserialize } = codec;
  let state = 1;

  /**
   * @param {Parameters<T['serialize']>[0]} document
   * @param {Parameters<T['serialize']>[1]} [options]
   */
  function serializeAndWork(document, options) {
    const bytes = serialize(document, options);
    state = turn(state, rounds);
    return bytes;
  }

  /**
   * @param {Parameters<T['deserialize']>[0]} bytes
   * @param {Parameters<T['deserialize']>[1]} [options]
   */
  function deserializeAndWork(bytes, options) {
    const document = deserialize(bytes, options);
    state = turn(state, rounds);
    return document;
  }

  return { ...codec, serialize: serializeAndWork, deserialize: deserializeAndWork };
}

/**
 * Rounds of a linear congruential generator; never 0 from an odd state, so the loop cannot be
 * eliminated.
 *
 * @param {number} state
 * @param {number} rounds
 * @returns {number}
 */
function turn(state, rounds) {
  for (let round = 0; round < rounds; round++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return state;
}
