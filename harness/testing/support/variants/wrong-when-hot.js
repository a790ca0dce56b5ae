/** Right when it is checked, wrong once it has been called often, as a miscompiled function is. */
import { serialize as serializeRight } from 'bson';

export * from 'bson';

let calls = 0;

/**
 * @param {object} document
 * @param {object} [options]
 */
export function serialize(document, options) {
  const bytes = serializeRight(document, options);
  calls += 1;
  if (calls > 1000) bytes[bytes.length >> 1] += 1;
  return bytes;
}
