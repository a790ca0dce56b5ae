/** Right, but for documents of one length, which it never comes back from. */
import { deserialize as deserializeRight } from 'bson';

export * from 'bson';

const FATAL_BYTES = 61;

/**
 * @param {Uint8Array} bytes
 * @param {object} options
 */
export function deserialize(bytes, options) {
  // Without an end, and without keeping a core busy that other tests need.
  if (bytes.length === FATAL_BYTES) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return deserializeRight(bytes, options);
}
