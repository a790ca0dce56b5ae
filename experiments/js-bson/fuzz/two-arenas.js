const ARENA_BYTES = 72 * 1024;
/** Common end of all documents, so that the same bytes follow. */
const END = 64 * 1024;
const SURROUNDING_BYTES = 256;

/**
 * Two larger buffers with different bytes around the document, so a reader that reads outside of
 * it, through the underlying memory or a wrong offset, gets different results.
 */
export class TwoArenas {
  constructor() {
    this.arenas = [0x00, 0xff].map((filling) => Buffer.alloc(ARENA_BYTES, filling));
  }

  /**
   * @param {number} which 0 or 1
   * @param {Uint8Array} bytes
   * @param {boolean} asPlain whether a Uint8Array is wanted rather than a Buffer
   * @returns {Uint8Array} the document as a view
   */
  place(which, bytes, asPlain) {
    const arena = this.arenas[which];
    const start = END - bytes.length;
    arena.set(bytes, start);
    // An earlier, longer document may have left the same bytes in both.
    arena.fill(which === 0 ? 0x00 : 0xff, start - SURROUNDING_BYTES, start);
    return asPlain
      ? new Uint8Array(arena.buffer, arena.byteOffset + start, bytes.length)
      : arena.subarray(start, END);
  }
}
