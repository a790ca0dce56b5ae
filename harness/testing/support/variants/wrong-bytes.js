/** Writes one byte too high in the middle of every document. */
import { serialize as serializeRight } from 'bson';

export * from 'bson';

/**
 * @param {object} document
 * @param {object} [options]
 */
export function serialize(document, options) {
  const bytes = serializeRight(document, options);
  bytes[bytes.length >> 1] += 1;
  return bytes;
}
