/** Writes one byte too high in the middle of every document. */
import { serialize as serializeRight } from 'bson';

export * from 'bson';

/** @param {object} document */
export function serialize(document) {
  const bytes = serializeRight(document);
  bytes[bytes.length >> 1] += 1;
  return bytes;
}
