const ARENA_BYTES = 72 * 1024;
/** Where every document ends, so that the same bytes always follow. */
const END = 64 * 1024;
const SURROUNDING_BYTES = 256;

/**
 * Two larger buffers in which a document is placed. What stands around it differs, so a reader that
 * looks beyond its ends, by a view of the underlying memory or an offset that is off, comes to
 * different results.
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
    // An earlier, longer document may have left its bytes there, the same in both.
    arena.fill(which === 0 ? 0x00 : 0xff, start - SURROUNDING_BYTES, start);
    return asPlain
      ? new Uint8Array(arena.buffer, arena.byteOffset + start, bytes.length)
      : arena.subarray(start, END);
  }
}
