import { viewAsBuffer } from '../codec/deserializer.js';
import { readInt32 } from '../codec/numbers.js';
import { makeChampion } from './codec.js';
import { ObjectId as BsonObjectId, readObjectId } from './object-id.js';

export { EJSON, onDemand } from 'bson';
export * from '../codec/values.js';

export const {
  serialize,
  serializeWithBufferAndIndex,
  setInternalBufferSize,
  deserialize,
  ObjectId,
} = makeChampion({ ObjectId: BsonObjectId, readObjectId });

/**
 * Reads documents that follow one another.
 * @param {Uint8Array | ArrayBuffer} bytes
 * @param {number} startIndex of the first document
 * @param {number} count of documents to read
 * @param {Record<string, any>[]} documents receives them
 * @param {number} firstIndex in `documents`
 * @param {import('bson').DeserializeOptions} [options] those of `deserialize`, except `index`
 * @returns {number} index after the last document read
 * @throws {import('bson').BSONError} if a document is invalid; those before it have been received
 */
export function deserializeStream(bytes, startIndex, count, documents, firstIndex, options) {
  const buffer = viewAsBuffer(bytes);
  let index = startIndex;
  for (let read = 0; read < count; read++) {
    const sizeBytes = readInt32(buffer, index);
    documents[firstIndex + read] = deserialize(buffer, {
      allowObjectSmallerThanBufferSize: true,
      ...options,
      index,
    });
    index += sizeBytes;
  }
  return index;
}
