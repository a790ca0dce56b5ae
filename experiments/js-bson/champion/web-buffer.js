/**
 * What the champion and what it shares with other codecs use of Node's Buffer, for where there is none: in a bundle for
 * the web, their files have it in place of the global. Programs get plain arrays of bytes from it, as from bson.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

class Bytes extends Uint8Array {
  /** Parts, which become results, are plain. */
  static get [Symbol.species]() {
    return Uint8Array;
  }

  /** @type {(text: string, offset: number) => number} bytes written; never a part of a character */
  utf8Write(text, offset) {
    return encoder.encodeInto(text, this.subarray(offset)).written;
  }

  /** @type {(text: string, offset: number) => number} */
  write(text, offset) {
    return this.utf8Write(text, offset);
  }

  /** @type {(start: number, end: number) => string} invalid UTF-8 becomes U+FFFD */
  utf8Slice(start, end) {
    return decoder.decode(this.subarray(start, end));
  }

  /** @type {(encoding?: 'utf8', start?: number, end?: number) => string} */
  toString(_encoding, start = 0, end = this.length) {
    return this.utf8Slice(start, end);
  }

  /** @type {(target: Uint8Array, targetStart: number, start: number, end: number) => void} */
  copy(target, targetStart, start, end) {
    target.set(this.subarray(start, end), targetStart);
  }
}

export const Buffer = {
  /** There is no pool: each result has memory of its own. */
  poolSize: 0,

  /** @type {(value: unknown) => boolean} */
  isBuffer: (value) => value instanceof Bytes,

  /** @type {(source: string | ArrayBuffer, offset?: number, length?: number) => Uint8Array} */
  from: (source, offset, length) =>
    typeof source === 'string' ? encoder.encode(source) : new Bytes(source, offset, length),

  /** @type {(text: string) => number} size in bytes as UTF-8 */
  byteLength: (text) => encoder.encode(text).length,

  /** @type {(size: number) => Bytes} */
  alloc: (size) => new Bytes(size),
  /** @type {(size: number) => Bytes} */
  allocUnsafeSlow: (size) => new Bytes(size),
  /** Only what programs get is made by it. @type {(size: number) => Uint8Array} */
  allocUnsafe: (size) => new Uint8Array(size),
};
