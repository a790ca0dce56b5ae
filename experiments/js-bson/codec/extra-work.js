/** @import { makeCodec } from './make-codec.js' */

/**
 * A codec that wastes a known amount of work after each document. Variants that differ only in the number
 * of rounds test the instrument.
 * @template {Pick<ReturnType<typeof makeCodec>, 'serialize' | 'deserialize'>} T
 * @param {T} codec
 * @param {number} rounds after each serialize and each deserialize
 * @param {typeof turn} work what they do
 * @returns {T}
 */
export function addExtraWork(codec, rounds, work) {
  const { serialize, deserialize } = codec;
  let state = 1;

  /** @param {Parameters<T['serialize']>[0]} document @param {Parameters<T['serialize']>[1]} [options] */
  function serializeAndWork(document, options) {
    const bytes = serialize(document, options);
    state = work(state, rounds);
    return bytes;
  }

  /** @param {Parameters<T['deserialize']>[0]} bytes @param {Parameters<T['deserialize']>[1]} [options] */
  function deserializeAndWork(bytes, options) {
    const document = deserialize(bytes, options);
    state = work(state, rounds);
    return document;
  }

  return { ...codec, serialize: serializeAndWork, deserialize: deserializeAndWork };
}

/**
 * Dependent integer arithmetic in registers: rounds of a linear congruential generator; never 0 from an odd
 * state, so the loop cannot be eliminated.
 * @type {(state: number, rounds: number) => number}
 */
export function turn(state, rounds) {
  for (let round = 0; round < rounds; round++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return state;
}

/** So few objects are alive at a time that none costs the collector anything but the room it took. */
const ALIVE = 16;
/** @type {unknown[]} */
const latest = Array(ALIVE).fill(null);

/**
 * Garbage: an array of eight numbers a round, about a hundred bytes, which is lost sixteen rounds later. It is
 * stored where V8 cannot know that nobody reads it, so its allocation cannot be eliminated.
 * @type {typeof turn}
 */
export function litter(state, rounds) {
  for (let round = 0; round < rounds; round++) {
    latest[round % ALIVE] = [state, round, state, round, state, round, state, round];
  }
  return (state + 1) | 0;
}
