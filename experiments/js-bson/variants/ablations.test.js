import * as bson from 'bson';
import { testLong } from '../../../harness/testing/support/gates.js';
import { loadVariants } from '../codec/test-support/variants.js';

const variants = new Map(await loadVariants({ again: true }));

/** Symbol of the property with the major version of a value class. */
const VERSION = Symbol.for('@@mdb.bson.version');

testLong('only the string tags accept an object that claims a type without the symbol', () => {
  const forged = { a: { [VERSION]: 7, _bsontype: 'Int32', valueOf: () => 5 } };
  const expected = Buffer.from(bson.serialize({ a: 5 }));
  expect(() => bson.serialize(forged)).toThrow(bson.BSONError);
  for (const name of ['linked-list', 'pooled-frames']) {
    expect(() => variants.get(name).serialize(forged)).toThrow(bson.BSONError);
  }
  for (const name of ['string-tag', 'repeated-tag']) {
    expect(variants.get(name).serialize(forged).equals(expected)).toBe(true);
  }
});

testLong('an array of a $ as a Map key gives another error without the guard', () => {
  const document = { map: new Map([[['$'], 1]]) };
  const options = { checkKeys: true };
  expect(() => bson.serialize(document, options)).toThrow(TypeError);
  expect(() => variants.get('linked-list').serialize(document, options)).toThrow(TypeError);
  expect(() => variants.get('unguarded-keys').serialize(document, options)).toThrow(bson.BSONError);
});
