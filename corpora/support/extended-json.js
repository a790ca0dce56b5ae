import { EJSON, deserialize } from 'bson';

/**
 * Reads one BSON document with every type kept: Int32 and Double as objects, expressions as
 * BSONRegExp.
 *
 * @param {Uint8Array} bytes
 * @returns {import('bson').Document}
 * @throws {Error} of the package `bson`, when the bytes are no document
 */
export function readExactTypes(bytes) {
  return deserialize(bytes, { promoteValues: false, bsonRegExp: true });
}

/**
 * Writes a document as one line of Extended JSON in the form the drivers' benchmark files have:
 * plain numbers where both a relaxed and a canonical reader get the exact type back, which is int32
 * and doubles that are no integers; everything else canonical.
 *
 * @param {import('bson').Document} document
 * @returns {string}
 */
export function formatExtendedJson(document) {
  return EJSON.stringify(document, (_key, value) => unwrapNumber(value), { relaxed: false });
}

/** @param {any} value part of canonical Extended JSON */
function unwrapNumber(value) {
  if (typeof value?.$numberInt === 'string') return Number(value.$numberInt);
  if (typeof value?.$numberDouble === 'string') {
    const number = Number(value.$numberDouble);
    if (Number.isFinite(number) && !Number.isInteger(number)) return number;
  }
  return value;
}
