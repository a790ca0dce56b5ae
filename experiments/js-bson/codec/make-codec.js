import * as buffer from '../object-ids/buffer.js';
import { makeDeserializer } from './deserializer.js';
import { makeEjson } from './make-ejson.js';
import { makeSerializer } from './serializer.js';

/**
 * How nested documents are traversed when writing and reading.
 * @typedef {object} Traversal
 * @property {import('./serializer.js').WriteDocument} writeDocument
 * @property {import('./deserializer.js').ReadDocument} readDocument
 */

/**
 * How ObjectIds store their bytes: a module of `object-ids/`.
 * @typedef {object} ObjectIds
 * @property {any} ObjectId the class
 * @property {(bytes: Uint8Array, offset: number) => any} readObjectId creates one from 12 bytes of
 *   a document
 */

/**
 * Creates the functions of a variant from its two axes. The rest of a codec (element readers and
 * writers, value classes, options) is the same for all.
 * @param {Traversal} traversal
 * @param {ObjectIds} [objectIds] by default the baseline of NODE-6246
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
