import * as zlib from 'node:zlib';

/** @import { MessageSizes } from '../formats/types.ts' */

/** @typedef {(message: Uint8Array) => Uint8Array} Compress */

/**
 * Sizes of messages, each compressed on its own: that is how they travel.
 * @type {(messages: Uint8Array[]) => MessageSizes}
 */
export function measureSizes(messages) {
  // Node has zstd since 22.15.
  /** @type {Compress | undefined} */
  const zstd = Reflect.get(zlib, 'zstdCompressSync');
  return {
    messages: messages.length,
    raw: sumLengths(messages, (message) => message),
    gzip: sumLengths(messages, zlib.gzipSync),
    brotli: sumLengths(messages, zlib.brotliCompressSync),
    ...(zstd === undefined ? {} : { zstd: sumLengths(messages, zstd) }),
  };
}

/** @type {(messages: Uint8Array[], compress: Compress) => number} */
function sumLengths(messages, compress) {
  return messages.reduce((sum, message) => sum + compress(message).length, 0);
}
