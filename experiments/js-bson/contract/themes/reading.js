import { types } from 'node:util';
import { demand, demandSame } from '../breach.js';

/** @import { Codec, Theme } from '../breach.js' */

/** How `deserialize` reads ambiguous documents. @type {Theme} */
export const reading = {
  title: 'Reading',
  rows: [
    {
      name: 'dbref-promotion',
      promise: 'documents become DBRefs depending only on their fields, exactly as in bson',
      check: checkDbRefs,
    },
    {
      name: 'code-with-scope',
      promise: 'code keeps its scope, with any content; inconsistent sizes are rejected',
      check: checkScopes,
    },
    {
      name: 'raw',
      promise: 'raw and fieldsAsRaw return the same documents as bytes, of the same class',
      check: checkRaw,
    },
    {
      name: 'promotion-options',
      promise: 'promoteValues, promoteLongs, promoteBuffers, useBigInt64, bsonRegExp as in bson',
      check: checkPromotion,
    },
    {
      name: 'data-properties',
      promise: 'a document that was read holds its values: no getters and no proxies, at any level',
      check: checkDataProperties,
    },
  ],
};

/** @param {Codec} codec @param {Codec} reference */
function checkDbRefs(codec, reference) {
  const id = new reference.ObjectId('0123456789abcdef01234567');
  for (const document of [
    { $ref: 'c', $id: id },
    { $ref: 'd.c', $id: 1, $db: 'x', extra: { $ref: 'c', $id: id } },
    { extra: 1, $ref: 'c', $id: id },
    { $ref: 'c', $id: id, $other: 1 },
    { $other: 1, $ref: 'c', $id: id },
    { $ref: 'c', $id: null },
    { $ref: 5, $id: id },
    { $ref: 'c', $id: id, $db: 5 },
    { $id: id, plain: 1 },
    { $ref: 'c', $db: 'x' },
  ]) {
    const code = new reference.Code('f', document);
    for (const [place, whole] of Object.entries({
      'whole document': document,
      field: { in: document },
      item: { in: [document, [document]] },
      scope: { code },
    })) {
      const bytes = reference.serialize(whole);
      const label = `${Object.keys(document)} as ${place}`;
      demandSame(label, codec, reference, (bson) => bson.deserialize(bytes));
      demandSame(`${label}, round trip`, codec, reference, (bson) =>
        bson.serialize(bson.deserialize(bytes)),
      );
    }
  }
}

/** @param {Codec} codec @param {Codec} reference */
function checkScopes(codec, reference) {
  /** @type {((bson: Codec) => any)[]} */
  const scopes = [
    () => ({}),
    () => ({ a: { b: [1] } }),
    (bson) => ({ code: new bson.Code('g', { deeper: 1 }) }),
    (bson) => ({ id: new bson.ObjectId('a'.repeat(24)), bytes: Buffer.from('x') }),
  ];
  for (const make of scopes) {
    demandSame('written and read', codec, reference, (bson) =>
      bson.deserialize(bson.serialize({ c: new bson.Code('f(é)', make(bson)), after: 1 })),
    );
  }
  for (const source of ['', 'x', namedSource]) {
    demandSame('without a scope', codec, reference, (bson) =>
      bson.deserialize(bson.serialize({ c: new bson.Code(source) })),
    );
  }
  const bytes = Buffer.from(reference.serialize({ c: new reference.Code('f', { a: 1 }), b: 1 }));
  for (let at = 7; at < bytes.length; at++) {
    for (const value of [0, bytes[at] + 1, bytes[at] - 1, 0xff]) {
      const broken = Buffer.from(bytes);
      broken[at] = value;
      const label = `byte ${at} set to ${broken[at]}`;
      demandSame(label, codec, reference, (bson) => bson.deserialize(broken));
    }
  }
}

function namedSource() {
  return 1;
}

/** @param {Codec} codec @param {Codec} reference */
function checkRaw(codec, reference) {
  const inner = { a: 1, deeper: { list: [{ b: 1 }] } };
  const inherited = { constructor: [inner], toString: [[inner]], valueOf: inner };
  const lists = { list: [inner, [inner], 5], other: [inner], inherited };
  const bytes = reference.serialize({ inner, ...lists, last: 1 });
  for (const options of [
    { raw: true },
    { raw: true, promoteBuffers: true },
    { fieldsAsRaw: {} },
    { fieldsAsRaw: Object.create(null) },
    { fieldsAsRaw: { list: true } },
    { fieldsAsRaw: { list: true, other: false, inner: true } },
    { fieldsAsRaw: { 0: true, 1: true } },
    { raw: true, promoteValues: false },
  ]) {
    for (const input of [bytes, new Uint8Array(bytes)]) {
      demandSame(JSON.stringify(options), codec, reference, (bson) =>
        bson.deserialize(input, options),
      );
    }
  }
}

/** @param {Codec} codec @param {Codec} reference */
function checkPromotion(codec, reference) {
  const { Long, Int32, Double, Binary, BSONRegExp, BSONSymbol } = reference;
  const bytes = reference.serialize({
    longs: [Long.fromNumber(5), Long.fromString('9007199254740993'), Long.fromNumber(-1)],
    numbers: [new Int32(5), new Double(5), new Double(1.5)],
    bytes: [new Binary(Buffer.from('x'), 0), new Binary(Buffer.from('y'), 128), Buffer.from('z')],
    pattern: new BSONRegExp('a', 'imsx'),
    symbol: new BSONSymbol('s'),
  });
  for (const options of [
    {},
    { promoteValues: false },
    { promoteLongs: false },
    { promoteBuffers: true },
    { promoteBuffers: true, promoteValues: false },
    { useBigInt64: true },
    { useBigInt64: true, promoteLongs: false },
    { bsonRegExp: true },
  ]) {
    demandSame(JSON.stringify(options), codec, reference, (bson) =>
      bson.deserialize(bytes, options),
    );
  }
}

/** @param {Codec} codec @param {Codec} reference */
function checkDataProperties({ deserialize }, reference) {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`key${index}`, index]),
  );
  const document = { a: 1, text: 'x'.repeat(1_000), in: { list: [{ b: [2] }] }, many };
  const bytes = reference.serialize(document);
  for (const options of [{}, { promoteValues: false }]) {
    for (const [place, value] of listObjects(deserialize(bytes, options))) {
      demand(!types.isProxy(value), `${place} is a proxy`);
      for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
        demand('value' in property, `${key} of ${place} is a getter`);
      }
    }
  }
}

/**
 * @param {any} document as read in `checkDataProperties`
 * @returns {[place: string, value: object][]}
 */
function listObjects(document) {
  const { in: inner, many } = document;
  return [
    ['the document', document],
    ['a nested document', inner],
    ['an array', inner.list],
    ['a document in an array', inner.list[0]],
    ['an array in a document in an array', inner.list[0].b],
    ['a document of 200 keys', many],
  ];
}
