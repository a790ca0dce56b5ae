import { DocumentVariations, VALUE_COUNT } from '../../../support/variations.js';

/** @import { Format, Value } from '../../codec/types.ts' */

/**
 * Messages to read that change before every call, as documents to write do: one value of each becomes another of
 * the same type and size. A timed loop writes `patches[index]` of the turn to `offsets[index]` itself.
 */
export class MessageVariations {
  /** @type {Buffer[]} */
  messages;
  /** @type {number[]} */
  offsets;
  /** @type {Uint8Array[][]} `VALUE_COUNT` each; empty where a format gives variations several sizes */
  patches;
  /** @type {Buffer[]} the messages of the documents as they are, or of a variation */
  current;
  /** @type {Buffer[]} */
  #originals;

  /**
   * @param {Value[]} documents
   * @param {Format['encode']} encode
   */
  constructor(documents, encode) {
    const encodeAll = () => documents.map((document) => Buffer.from(encode(document)));
    this.#originals = encodeAll();
    this.current = this.#originals;
    const variations = new DocumentVariations(documents);
    const turns = Array.from({ length: VALUE_COUNT }, function encodeTurn(_, turn) {
      variations.apply(turn);
      return encodeAll();
    });
    variations.restore();
    const byMessage = documents.map((_, index) => turns.map((messages) => messages[index]));
    const ranges = byMessage.map(findRange);
    this.messages = turns[0];
    this.offsets = ranges.map(({ start }) => start);
    /** @type {Map<string, Uint8Array>} many messages have the same patches, which so stay in the caches */
    const known = new Map();
    this.patches = byMessage.map((ofTurns, index) =>
      ofTurns.map((message) => {
        const patch = message.subarray(ranges[index].start, ranges[index].end);
        const key = patch.toString('latin1');
        const same = known.get(key) ?? Uint8Array.from(patch);
        known.set(key, same);
        return same;
      }),
    );
  }

  /** @param {number} turn from 0 */
  apply(turn) {
    const { messages, offsets, patches } = this;
    for (let index = 0; index < messages.length; index++) {
      messages[index].set(patches[index][turn % VALUE_COUNT], offsets[index]);
    }
    this.current = messages;
  }

  restore() {
    this.current = this.#originals;
  }
}

/**
 * @param {Uint8Array[]} variations of one message
 * @returns {{ start: number, end: number }} the bytes in which they differ; none if their sizes do
 */
function findRange([first, ...others]) {
  if (others.some(({ length }) => length !== first.length)) return { start: 0, end: 0 };
  const differs = (/** @type {number} */ offset) =>
    others.some((other) => other[offset] !== first[offset]);
  let start = 0;
  let end = first.length;
  while (start < end && !differs(start)) start++;
  while (end > start && !differs(end - 1)) end--;
  return { start, end };
}
