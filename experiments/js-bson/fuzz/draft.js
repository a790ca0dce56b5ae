/** Longest document that a mutation may make. */
const MAX_BYTES = 32 * 1024;

/**
 * The document in the making. One is used for all documents, since making a buffer for each would
 * take more time than reading it.
 */
export class Draft {
  constructor() {
    this.bytes = Buffer.alloc(MAX_BYTES);
    this.length = 0;
    /** Where the document begins, when bytes stand in front of it. */
    this.index = 0;
  }

  /** @param {Uint8Array} bytes what to start from */
  load(bytes) {
    this.bytes.set(bytes.subarray(0, MAX_BYTES), 0);
    this.length = Math.min(bytes.length, MAX_BYTES);
    this.index = 0;
  }

  /**
   * Puts bytes in the place of others. Nothing happens where the result would be too long.
   *
   * @param {number} at
   * @param {number} removedCount
   * @param {Uint8Array} inserted
   * @returns {boolean} whether it was done
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

  /**
   * @param {number} offset
   * @returns {number} 0 where the document is too short
   */
  readSize(offset) {
    return offset + 4 <= this.length ? this.bytes.readInt32LE(offset) : 0;
  }

  /**
   * Nothing happens where the document is too short.
   *
   * @param {number} offset
   * @param {number} value
   */
  writeSize(offset, value) {
    if (offset + 4 <= this.length) this.bytes.writeInt32LE(value | 0, offset);
  }

  /** Makes the root say what the draft's length is. */
  agree() {
    this.writeSize(0, this.length);
  }
}
