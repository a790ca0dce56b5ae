import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * Seeded random numbers for tests.
 */
export class Chance {
  /**
   * @param {number} seed
   */
  constructor(seed) {
    this.generator = xoroshiro128plus(seed);
  }

  /**
   * @param {number} low
   * @param {number} high inclusive
   * @returns {number}
   */
  integer(low, high) {
    return uniformInt(this.generator, low, high);
  }

  /**
   * @template T
   * @param {readonly T[]} choices
   * @returns {T}
   */
  pick(choices) {
    return choices[this.integer(0, choices.length - 1)];
  }

  /**
   * @param {number} percent
   * @returns {boolean}
   */
  happens(percent) {
    return this.integer(1, 100) <= percent;
  }

  /**
   * @param {number} count
   * @returns {Buffer}
   */
  bytes(count) {
    return Buffer.from(Array.from({ length: count }, () => this.integer(0, 255)));
  }
}
