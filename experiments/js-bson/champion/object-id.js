/** The ObjectId of bson 7.3.4, which stores its bytes as four integers, and the ids of documents. */
import { ObjectId } from 'bson';

export { ObjectId };

/**
 * Makes an id of bson's class, whose constructor tells several kinds of input apart.
 * @this {any}
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function ReadId(bytes, at) {
  this.i0 = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
  this.i1 = (bytes[at + 3] << 16) | (bytes[at + 4] << 8) | bytes[at + 5];
  this.i2 = (bytes[at + 6] << 16) | (bytes[at + 7] << 8) | bytes[at + 8];
  this.i3 = (bytes[at + 9] << 16) | (bytes[at + 10] << 8) | bytes[at + 11];
}
ReadId.prototype = ObjectId.prototype;

/** Reads an ObjectId of a document. @type {(bytes: Uint8Array, at: number) => any} */
export function readObjectId(bytes, at) {
  return new /** @type {any} */ (ReadId)(bytes, at);
}
