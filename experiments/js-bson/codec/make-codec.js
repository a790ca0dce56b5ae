import * as buffer from '../object-ids/buffer.js';
import { makeDeserializer } from './deserializer.js';
import { makeEjson } from './make-ejson.js';
import { makeSerializer } from './serializer.js';

/**
 * One way through nested documents, in both directions.
 * @typedef {object} Traversal
 * @property {import('./serializer.js').WriteDocument} writeDocument
 * @property {import('./deserializer.js').ReadDocument} readDocument
 */

/**
 * One way of keeping ObjectIds: a module of `object-ids/`.
 * @typedef {object} ObjectIds
 * @property {any} ObjectId the class
 * @property {(bytes: Uint8Array, offset: number) => any} readObjectId makes one from 12 bytes of a
 *   document
 */

/**
 * Makes the functions of a variant from its two axes. The rest of a codec (element readers and
 * writers, value classes, options) is the same for all.
 * @param {Traversal} traversal
 * @param {ObjectIds} [objectIds] the baseline of NODE-6246 where none is given
 */
export function makeCodec(traversal, objectIds = buffer) {
  const { ObjectId, readObjectId } = objectIds;
  return {
    ...makeSerializer(traversal.writeDocument),
    ...makeDeserializer(traversal.readDocument, readObjectId),
    ObjectId,
    EJSON: makeEjson(ObjectId),
  };
}
