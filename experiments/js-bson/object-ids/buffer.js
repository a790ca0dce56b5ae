import { ObjectId } from 'bson';

export { ObjectId };

/** Bytes of an ObjectId. */
const OBJECT_ID_BYTES = 12;

/**
 * Reads an ObjectId into a value that owns its bytes.
 * @param {Uint8Array} bytes
 * @param {number} offset
 * @returns {ObjectId}
 */
export function readObjectId(bytes, offset) {
  const id = Buffer.allocUnsafe(OBJECT_ID_BYTES);
  for (let at = 0; at < OBJECT_ID_BYTES; at++) id[at] = bytes[offset + at];
  return new ObjectId(id);
}
