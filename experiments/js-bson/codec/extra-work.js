/** @import { makeCodec } from './make-codec.js' */

/**
 * A codec that does a known amount of useless work after each document: rounds of integer arithmetic,
 * each waiting for the one before, in registers alone. Two variants that differ in the number of
 * rounds differ in nothing else, so what an instrument makes of them shows what it is worth.
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
 * Rounds of a linear congruential generator; never 0 from an odd state, so that a result which is kept
 * keeps the loop.
 *
 * @param {number} state
 * @param {number} rounds
 * @returns {number}
 */
function turn(state, rounds) {
  for (let round = 0; round < rounds; round++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return state;
}
