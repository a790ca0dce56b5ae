import { demand, demandSame } from '../breach.js';

/** @import { Codec, Theme } from '../breach.js' */

/** Keys with a meaning in JavaScript. @type {Theme} */
export const hostileKeys = {
  title: 'Hostile keys',
  rows: [
    {
      name: 'proto-key',
      promise: 'a key __proto__ is a field like any other and changes no prototype',
      check: checkProtoKey,
    },
    {
      name: 'constructor-key',
      promise: 'keys constructor, prototype, toString … are fields and affect no class',
      check: checkConstructorKeys,
    },
    {
      name: 'bson-type-documents',
      promise: 'documents with a _bsontype field are read as data; writing them as bson does',
      check: checkBsonTypeDocuments,
    },
  ],
};

/** @param {Codec} codec @param {Codec} reference */
function checkProtoKey(codec, reference) {
  const hostile = JSON.parse(
    '{"__proto__":{"polluted":1},"in":{"__proto__":[1]},"list":[{"__proto__":null}]}',
  );
  demandSame('written', codec, reference, (bson) => bson.serialize(hostile));
  const bytes = reference.serialize(hostile);
  const found = codec.deserialize(bytes);
  for (const [name, object] of Object.entries({
    root: found,
    inner: found.in,
    item: found.list[0],
  })) {
    demand(
      Object.hasOwn(object, '__proto__'),
      `__proto__ is not an own property of the ${name} document`,
    );
    demand(
      Object.getPrototypeOf(object) === Object.prototype,
      `the prototype of the ${name} document differs`,
    );
  }
  demand(found.polluted === undefined, 'a field of __proto__ is inherited');
  demand(!('polluted' in {}), 'Object.prototype is polluted');
  demandSame('written again', codec, reference, (bson) => bson.serialize(bson.deserialize(bytes)));
  const scope = new codec.Code('f', hostile);
  demandSame('in a scope', codec, reference, (bson) => bson.deserialize(bson.serialize({ scope })));
}

/** @param {Codec} codec @param {Codec} reference */
function checkConstructorKeys(codec, reference) {
  const hostile = {
    constructor: { prototype: { polluted: 1 } },
    prototype: 1,
    toString: 'text',
    valueOf: null,
    hasOwnProperty: 1,
    then: 1,
    length: 7,
    buffer: 'x',
    in: { constructor: 'x', toJSON: 1, toBSON: 2, inspect: 3 },
  };
  demandSame('written', codec, reference, (bson) => bson.serialize(hostile));
  const bytes = reference.serialize(hostile);
  demandSame('read', codec, reference, (bson) => bson.deserialize(bytes));
  demandSame('written again', codec, reference, (bson) => bson.serialize(bson.deserialize(bytes)));
  demand(!('polluted' in {}), 'Object.prototype is polluted');
}

/**
 * Some of these documents can be read but not written: NODE-7608.
 * @param {Codec} codec
 * @param {Codec} reference
 */
function checkBsonTypeDocuments(codec, reference) {
  const key = '_bsontype';
  // Maps are used because most of these documents cannot be written as objects.
  for (const value of ['ObjectId', 'Long', 'Binary', 'no such type', '', 5, null, true, [1], {}]) {
    for (const depth of [0, 1, 2]) {
      const map = new Map(Object.entries({ [key]: value, id: 'x', value: 1, low: 1 }));
      const document = depth === 0 ? map : { a: depth === 1 ? map : [map] };
      const bytes = reference.serialize(document);
      const label = `_bsontype ${JSON.stringify(value)} at depth ${depth}`;
      demandSame(`${label}, from a Map`, codec, reference, (bson) => bson.serialize(document));
      demandSame(`${label}, read`, codec, reference, (bson) => bson.deserialize(bytes));
      demandSame(`${label}, round trip`, codec, reference, (bson) =>
        bson.serialize(bson.deserialize(bytes)),
      );
    }
  }
}
