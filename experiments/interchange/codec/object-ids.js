import { ObjectId } from 'bson';

/** Number of the extension type for ObjectIds, where a format has such types. */
export const ID_TYPE = 1;

/** @type {(id: ObjectId) => Uint8Array} */
export function bytesOfId(id) {
  return id.id;
}

/** @type {(bytes: Uint8Array) => ObjectId} with bytes of its own, not those of the message */
export function idOfBytes(bytes) {
  return new ObjectId(Uint8Array.from(bytes));
}
