/**
 * Fast seeded random numbers. Every document has its own state, derived from the seed and its
 * number, so one document can be reproduced without those before it.
 */
export class FastChance {
  constructor() {
    this.state = 1;
  }

  /**
   * @param {number} seed
   * @param {number} number of the document
   */
  reseed(seed, number) {
    // Adjacent numbers must not give similar states: the finalizer of MurmurHash3.
    let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ number;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    // Xorshift never leaves zero.
    this.state = (mixed ^ (mixed >>> 16)) | 0 || 1;
  }

  /**
   * Marsaglia's xorshift (2003), 32 bits.
   * @returns {number} a 32-bit integer, signed
   */
  next() {
    let state = this.state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.state = state;
    return state;
  }

  /**
   * @param {number} limit
   * @returns {number} whole, 0 ≤ n < limit
   */
  below(limit) {
    return (this.next() >>> 0) % limit;
  }

  /**
   * @template T
   * @param {readonly T[]} choices
   * @returns {T}
   */
  pick(choices) {
    return choices[this.below(choices.length)];
  }

  /**
   * @param {number} percent
   * @returns {boolean}
   */
  happens(percent) {
    return this.below(100) < percent;
  }
}
