import { ObjectId } from 'bson';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERS_AND_DIGITS = `${LETTERS}0123456789`;
const TWO_POW_32 = 2 ** 32;

/**
 * A seeded source of values for documents. The same seed gives the same values in the same order,
 * on every machine.
 */
export class RandomValues {
  /** @type {RandomGenerator} */
  #generator;
  /** @type {Set<string>} */
  #usedWords = new Set();

  /** @param {number} seed 32-bit integer */
  constructor(seed) {
    this.#generator = xoroshiro128plus(seed);
  }

  /**
   * @param {number} low
   * @param {number} high included
   * @returns {number} an integer
   */
  integer(low, high) {
    return uniformInt(this.#generator, low, high);
  }

  /** @returns {boolean} */
  boolean() {
    return this.integer(0, 1) === 1;
  }

  /**
   * @param {number} probability 0…1, to the millionth
   * @returns {boolean}
   */
  chance(probability) {
    return this.integer(1, 1_000_000) <= probability * 1_000_000;
  }

  /**
   * @template T
   * @param {readonly T[]} items at least one
   * @returns {T}
   */
  pick(items) {
    return /** @type {T} */ (items[this.integer(0, items.length - 1)]);
  }

  /**
   * A double that is not an integer, so that it remains a double in JSON and BSON. It carries up to
   * 15 significant digits, as measured values do.
   * @returns {number} from −10⁶ to 10⁶
   */
  fraction() {
    const thousandths = this.integer(1, 999);
    const whole = this.integer(-999_999, 999_998);
    return whole + thousandths / 1000 + this.integer(0, 999_999) / 1e10;
  }

  /**
   * An integer outside int32 and within 2⁵³, so that it is an exact double once promoted.
   * @returns {bigint}
   */
  int64() {
    const high = this.integer(1, 2 ** 21 - 1);
    const low = this.integer(0, TWO_POW_32 - 1);
    const magnitude = BigInt(high) * BigInt(TWO_POW_32) + BigInt(low);
    return this.boolean() ? magnitude : -magnitude;
  }

  /** @type {(length: number) => string} ASCII letters and digits */
  text(length) {
    return this.#characters(LETTERS_AND_DIGITS, length);
  }

  /** @type {(length: number) => string} ASCII letters, not necessarily unique */
  letters(length) {
    return this.#characters(LETTERS, length);
  }

  /**
   * A key not returned before. It has only letters, because V8 stores integer-like keys separately
   * and iterates over them first.
   * @type {(length: number) => string} ASCII letters
   */
  key(length) {
    for (;;) {
      const word = this.#characters(LETTERS, length);
      if (!this.#usedWords.has(word)) {
        this.#usedWords.add(word);
        return word;
      }
    }
  }

  /** @type {(length: number) => Buffer} in its own memory, not in the pool of Node */
  bytes(length) {
    const bytes = Buffer.alloc(length);
    for (let i = 0; i < length; i++) bytes[i] = this.integer(0, 255);
    return bytes;
  }

  /** @returns {ObjectId} */
  objectId() {
    return new ObjectId(this.bytes(12));
  }

  /** @returns {Date} between 1970 and 2096, to the millisecond */
  date() {
    return new Date(this.integer(0, 4_000_000_000_000));
  }

  /**
   * @template T
   * @param {T[]} items
   * @returns {T[]} the same items in another order (Fisher and Yates)
   */
  shuffle(items) {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.integer(0, last);
      const kept = /** @type {T} */ (shuffled[last]);
      shuffled[last] = /** @type {T} */ (shuffled[other]);
      shuffled[other] = kept;
    }
    return shuffled;
  }

  /** @param {string} alphabet @param {number} length */
  #characters(alphabet, length) {
    let text = '';
    for (let i = 0; i < length; i++) text += alphabet[this.integer(0, alphabet.length - 1)];
    return text;
  }
}

/**
 * @template T
 * @param {number} count
 * @param {(index: number) => T} make
 * @returns {T[]}
 */
export function repeat(count, make) {
  return Array.from({ length: count }, (_, index) => make(index));
}

/**
 * Makes `documents` for a corpus that takes a count: all documents come from one seeded source, so
 * a smaller count yields the first documents of a larger one.
 * @param {number} seed 32-bit integer
 * @param {number} defaultCount
 * @param {(random: RandomValues, index: number) => Record<string, unknown>} makeDocument
 */
export function makeSeries(seed, defaultCount, makeDocument) {
  return function* generateDocuments(count = defaultCount) {
    const random = new RandomValues(seed);
    for (let index = 0; index < count; index++) yield makeDocument(random, index);
  };
}
