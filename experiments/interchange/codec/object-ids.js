import { ByteUtils, ObjectId } from 'bson';

/** Number of the extension type for ObjectIds, where a format has such types. */
export const ID_TYPE = 1;

/** @type {(id: ObjectId) => Uint8Array} */
export function bytesOfId(id) {
  return id.id;
}

/** @type {(bytes: Uint8Array) => ObjectId} with a copy of the bytes, allocated as by the reader of BSON */
export function idOfBytes(bytes) {
  const own = ByteUtils.allocateUnsafe(bytes.length);
  own.set(bytes);
  return new ObjectId(own);
}
