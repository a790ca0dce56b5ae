/** Right, but for documents of one length, which it never comes back from. */
import { deserialize as deserializeRight } from 'bson';

export * from 'bson';

const FATAL_BYTES = 61;

/**
 * @param {Uint8Array} bytes
 * @param {object} options
 */
export function deserialize(bytes, options) {
  while (bytes.length === FATAL_BYTES);
  return deserializeRight(bytes, options);
}
