import * as bson from 'bson';
import vm from 'node:vm';
import { describeMore } from '../../../harness/testing/support/gates.js';
import { assertSameOutcome, loadVariants, outcomeOf } from '../codec/test-support/variants.js';
import { Chance, randomDocument } from '../fuzz/documents.js';

const variants = await loadVariants();

const OPTION_SETS = [
  {},
  { checkKeys: true },
  { ignoreUndefined: false },
  { serializeFunctions: true },
  { checkKeys: true, ignoreUndefined: false, serializeFunctions: true },
];

/** Documents and the outcome of bson, computed once for all variants. */
const random = Array.from({ length: 150 }, (_, index) => {
  const document = randomDocument(new Chance(index + 1), 4);
  return OPTION_SETS.map((options) => ({
    document,
    options,
    label: `seed ${index + 1} ${JSON.stringify(options)}`,
    theirs: outcomeOf(() => bson.serialize(document, options)),
  }));
}).flat();

describeMore.each(variants)('%s serializes like bson', (_name, variant) => {
  /** @param {any} document @param {object} options @param {string} label */
  function compare(document, options, label) {
    const ours = outcomeOf(() => variant.serialize(document, options));
    assertSameOutcome(
      ours,
      outcomeOf(() => bson.serialize(document, options)),
      label,
    );
    return ours;
  }

  test('random documents of all types under all options', () => {
    let accepted = 0;
    for (const { document, options, label, theirs } of random) {
      const outcome = outcomeOf(() => variant.serialize(document, options));
      assertSameOutcome(outcome, theirs, label);
      if ('value' in outcome) accepted++;
    }
    expect(accepted).toBeGreaterThan(300);
  });

  test.each([
    ['null', null],
    ['undefined', undefined],
    ['array', [1]],
    ['text', 'text'],
    ['number', 5],
    ['function', () => 1],
    ['date', new Date(0)],
    ['pattern', /a/],
    ['bytes', Buffer.from('ab')],
    ['ArrayBuffer', new ArrayBuffer(2)],
    ['BSON value', new bson.Long(1)],
    ['_bsontype text', { _bsontype: 'ObjectId' }],
    ['_bsontype number', { _bsontype: 5 }],
    ['boxed', Object(5)],
    ['Map', new Map([['a', new Map([['b', 1]])]])],
    ['typed array', new Int16Array([1, 2])],
    ['object without prototype', Object.assign(Object.create(null), { a: 1 })],
    ['toBSON that returns an object', { toBSON: () => ({ a: 1 }) }],
    ['toBSON that returns a number', { toBSON: () => 5 }],
    ['toBSON that returns null', { toBSON: () => null }],
    ['toBSON that returns an array', { toBSON: () => ['a', 'b'] }],
  ])('%s as the whole document', (label, document) => {
    compare(document, {}, label);
  });

  test.each([
    ['number', 5],
    ['null', null],
    ['symbol', Symbol('key')],
    ['date', new Date(0)],
  ])('a Map with a key that is not a string (%s) is rejected', (_label, key) => {
    for (const checkKeys of [false, true]) {
      const document = { map: new Map([[key, 1]]) };
      expect(() => bson.serialize(document, { checkKeys })).toThrow();
      expect(() => variant.serialize(document, { checkKeys })).toThrow(TypeError);
    }
  });

  test('values of another realm', () => {
    const document = vm.runInNewContext(
      `({ d: new Date(7), r: /a/i, u: new Uint8Array([1, 2]), m: new Map([['k', [1]]]), a: [1] })`,
    );
    const outcome = compare(document, {}, 'other realm');
    expect('value' in outcome && variant.deserialize(outcome.value).u.buffer).toHaveLength(2);
  });

  test('value classes of another major version are rejected', () => {
    const foreign = { a: { _bsontype: 'Int32', value: 1 } };
    const outcome = compare(foreign, {}, 'other version');
    expect(outcome).toMatchObject({ error: { name: 'BSONVersionError' } });
  });

  test('an invalid vector', () => {
    for (const content of [
      [0x03, 1],
      [0x27, 0, 1],
      [0x10, 8, 0],
      [0x10, 1],
      [0x27],
      [0x99, 9],
      [],
    ]) {
      const vector = new bson.Binary(Buffer.from(content), bson.Binary.SUBTYPE_VECTOR);
      compare({ vector }, {}, `vector ${content}`);
    }
  });

  test('toBSON is called as often and in the same order, on the same object', () => {
    /** @type {(serialize: (document: any) => any) => any[]} */
    const logCalls = (serialize) => {
      /** @type {any[]} */
      const calls = [];
      const make = (/** @type {string} */ name, /** @type {any} */ fields) => ({
        ...fields,
        toBSON() {
          calls.push(name);
          return this;
        },
      });
      const inner = make('inner', { x: 1 });
      serialize(make('root', { a: make('a', { inner }), list: [inner, make('b', {})], last: 1 }));
      return calls;
    };
    expect(logCalls(variant.serialize)).toEqual(logCalls(bson.serialize));
  });

  test('into a buffer of the caller, at an index', () => {
    const document = { a: 'text', b: [1, 2] };
    const ours = Buffer.alloc(64);
    const theirs = Buffer.alloc(64);
    const index = variant.serializeWithBufferAndIndex(document, ours, { index: 7 });
    expect(index).toBe(bson.serializeWithBufferAndIndex(document, theirs, { index: 7 }));
    expect(ours.equals(theirs)).toBe(true);
    const tooSmall = outcomeOf(() =>
      variant.serializeWithBufferAndIndex(document, Buffer.alloc(4)),
    );
    expect(tooSmall).toMatchObject({ error: { name: 'RangeError' } });
  });

  test('returned bytes do not change', () => {
    const first = variant.serialize({ a: 'first' });
    const copy = Buffer.from(first);
    variant.serialize({ b: 'second, and longer' });
    expect(Buffer.isBuffer(first)).toBe(true);
    expect(first.equals(copy)).toBe(true);
  });
});
