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
   * @returns {number} 0 if the document is too short
   */
  readSize(offset) {
    return offset + 4 <= this.length ? this.bytes.readInt32LE(offset) : 0;
  }

  /**
   * Does nothing if the document is too short.
   *
   * @param {number} offset
   * @param {number} value
   */
  writeSize(offset, value) {
    if (offset + 4 <= this.length) this.bytes.writeInt32LE(value | 0, offset);
  }

  /** Sets the size of the root to the length of the draft. */
  agree() {
    this.writeSize(0, this.length);
  }
}
