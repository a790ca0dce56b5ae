import { Code, DBRef, EJSON as bsonEJSON, ObjectId as BsonObjectId } from 'bson';

/** @typedef {typeof bsonEJSON} ExtendedJson */

/**
 * Extended JSON of a variant: that of bson, but parsing returns ObjectIds of the variant's class.
 * Formatting needs no change, because every class has `toExtendedJSON`. Parsing converts the result in a
 * second pass, which the operations that parse measure, too: they are for packages and checkouts.
 * @type {(ObjectId: new (bytes: Uint8Array) => any) => ExtendedJson}
 */
export function makeEjson(ObjectId) {
  // In a bundle, the class of the variant may be that of bson.
  if (Object.is(ObjectId, BsonObjectId)) return bsonEJSON;
  /** @type {ExtendedJson['parse']} */
  function parse(text, options) {
    return adoptObjectIds(bsonEJSON.parse(text, options), ObjectId);
  }

  /** @type {ExtendedJson['deserialize']} */
  function deserialize(document, options) {
    return adoptObjectIds(bsonEJSON.deserialize(document, options), ObjectId);
  }

  const { stringify, serialize } = bsonEJSON;
  return Object.freeze(
    Object.assign(Object.create(null), { parse, stringify, serialize, deserialize }),
  );
}

/**
 * Replaces bson's ObjectIds wherever Extended JSON can put one: in documents and arrays, as the id
 * of a DBRef, in the scope of code.
 * @param {any} root
 * @param {new (bytes: Uint8Array) => any} ObjectId
 * @returns {any} the same value, or the ObjectId that replaces it
 */
function adoptObjectIds(root, ObjectId) {
  if (root instanceof BsonObjectId) return new ObjectId(root.id);
  const open = [root];
  while (open.length > 0) {
    const holder = open.pop();
    if (!mayHoldIds(holder)) continue;
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      if (value instanceof BsonObjectId) holder[key] = new ObjectId(value.id);
      else open.push(value);
    }
  }
  return root;
}

/** @type {(value: unknown) => value is Record<string, unknown>} */
function mayHoldIds(value) {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value) || value instanceof DBRef || value instanceof Code) return true;
  return Object.getPrototypeOf(value) === Object.prototype;
}
