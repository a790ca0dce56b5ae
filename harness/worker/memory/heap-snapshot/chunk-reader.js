const COMMA = 0x2c;
const CLOSING_BRACKET = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Reads JSON of known structure incrementally, since snapshots can exceed V8's longest string.
 *
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} chunks
 */
export function openChunkReader(chunks) {
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  /** @type {Buffer} */
  let chunk = Buffer.alloc(0);
  let position = 0;

  /** @returns {Promise<boolean>} whether there is more */
  async function advance() {
    const { done, value } = await iterator.next();
    if (done) return false;
    chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    position = 0;
    return true;
  }

  return {
    /**
     * @param {string} marker ASCII
     * @returns {Promise<string>} text before the marker, which is skipped
     * @throws {SyntaxError} when it is missing
     */
    async readUntil(marker) {
      let text = '';
      do {
        const searchFrom = Math.max(0, text.length - marker.length);
        text += chunk.toString('latin1', position);
        const found = text.indexOf(marker, searchFrom);
        if (found !== -1) {
          position = chunk.length - (text.length - found - marker.length);
          return text.slice(0, found);
        }
      } while (await advance());
      throw new SyntaxError(`the heap snapshot has no ${marker}`);
    },

    /**
     * Reads whole numbers up to the end of their array.
     *
     * @param {(value: number, index: number) => void} deliver
     * @returns {Promise<number>} number of values
     * @throws {SyntaxError} when the array does not end
     */
    async readNumbers(deliver) {
      let value = 0;
      let digits = 0;
      let count = 0;
      do {
        while (position < chunk.length) {
          const byte = chunk[position++];
          if (byte >= ZERO && byte <= NINE) {
            value = value * 10 + byte - ZERO;
            digits++;
          } else if (digits > 0 && (byte === COMMA || byte === CLOSING_BRACKET)) {
            deliver(value, count++);
            value = 0;
            digits = 0;
          }
          if (byte === CLOSING_BRACKET) return count;
        }
      } while (await advance());
      throw new SyntaxError('the heap snapshot ends within its numbers');
    },

    /** @returns {Promise<string>} the rest as UTF-8 */
    async readRest() {
      const rest = [chunk.subarray(position)];
      while (await advance()) rest.push(chunk);
      return Buffer.concat(rest).toString('utf8');
    },
  };
}
