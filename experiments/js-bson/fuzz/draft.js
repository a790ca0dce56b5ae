/** Size limit for a mutated document, in bytes. */
const MAX_BYTES = 32 * 1024;

/**
 * The document being mutated. One instance serves all documents, because allocating a buffer for
 * each would take longer than reading it.
 */
export class Draft {
  constructor() {
    this.bytes = Buffer.alloc(MAX_BYTES);
    this.length = 0;
    /** Start of the document, if bytes precede it. */
    this.index = 0;
  }

  /** @param {Uint8Array} bytes initial content */
  load(bytes) {
    this.bytes.set(bytes.subarray(0, MAX_BYTES), 0);
    this.length = Math.min(bytes.length, MAX_BYTES);
    this.index = 0;
  }

  /**
   * Replaces bytes, unless the result would be too long.
   * @type {(at: number, removedCount: number, inserted: Uint8Array) => boolean} whether it was done
   */
  replace(at, removedCount, inserted) {
    const tail = at + removedCount;
    const grown = this.length - removedCount + inserted.length;
    if (tail > this.length || grown > MAX_BYTES) return false;
    this.bytes.copyWithin(at + inserted.length, tail, this.length);
    this.bytes.set(inserted, at);
    this.length = grown;
    return true;
  }

  /** @type {(offset: number) => number} 0 if the document is too short */
  readSize(offset) {
    return offset + 4 <= this.length ? this.bytes.readInt32LE(offset) : 0;
  }

  /** Does nothing if the document is too short. @param {number} offset @param {number} value */
  writeSize(offset, value) {
    if (offset + 4 <= this.length) this.bytes.writeInt32LE(value | 0, offset);
  }

  /** Sets the size of the root to the length of the draft. */
  agree() {
    this.writeSize(0, this.length);
  }
}

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

  /** Marsaglia's xorshift (2003), 32 bits. @returns {number} a 32-bit integer, signed */
  next() {
    let state = this.state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.state = state;
    return state;
  }

  /** @type {(limit: number) => number} whole, 0 ≤ n < limit */
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

  /** @type {(percent: number) => boolean} */
  happens(percent) {
    return this.below(100) < percent;
  }
}
