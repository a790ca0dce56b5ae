import assert from 'node:assert';
import * as bson from 'bson';
import { describeValue } from './describe-value.js';

/** @type {(key: string, value: unknown) => object} with an own property of that name, even `__proto__` */
function makeOwn(key, value) {
  return Object.defineProperty({}, key, { value, enumerable: true });
}

/** @type {(wrap: (inner: unknown) => unknown, depth: number) => unknown} */
function nest(wrap, depth) {
  /** @type {unknown} */
  let value = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

const oid = new bson.ObjectId('64f0c3a1b2d4e5f60718293a');
const uuidBytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex');

describe('a description', () => {
  test('has a line for each value, containers before their contents', () => {
    const value = { name: 'Ada', tags: ['x', { deep: true }], 'two words': null, '': 1n };
    expect(describeValue(value).split('\n')).toEqual([
      '(whole document)\tobject\t',
      'name\tstring\t"Ada"',
      'tags\tarray\tlength 2',
      'tags[0]\tstring\t"x"',
      'tags[1]\tobject\t',
      'tags[1].deep\tboolean\ttrue',
      '"two words"\tnull\t',
      '""\tbigint\t1',
    ]);
  });

  test('escapes control characters and lone surrogates', () => {
    const text = describeValue({ 'k\n': 'tab\t nul\0 del\x7f line\u2028 lone\ud800 pair😀' });
    expect(text).toBe(
      '(whole document)\tobject\t\n"k\\n"\tstring\t' +
        '"tab\\t nul\\u0000 del\\u007f line\\u2028 lone\\ud800 pair😀"',
    );
  });

  test('shows the content of each BSON value class', () => {
    const value = {
      a: new bson.Int32(-7),
      b: new bson.Double(-0),
      c: bson.Long.fromString('-9223372036854775808'),
      d: bson.Long.MAX_UNSIGNED_VALUE,
      e: new bson.Timestamp({ t: 4294967295, i: 2 }),
      f: oid,
      g: new bson.Binary(Buffer.from([1, 2]), 0x80),
      h: new bson.UUID(uuidBytes),
      i: bson.Decimal128.fromString('1.5'),
      j: new bson.BSONRegExp('a\n', 'xi'),
      k: new bson.BSONSymbol('s'),
      l: new bson.MinKey(),
      m: new bson.MaxKey(),
      n: new bson.Code('f()', { x: 1 }),
      o: new bson.DBRef('ships', oid, 'navy', { note: 'n' }),
    };
    expect(describeValue(value).split('\n').slice(1)).toEqual([
      'a\tInt32\t-7',
      'b\tDouble\t-0',
      'c\tLong\t-9223372036854775808 signed',
      'd\tLong\t18446744073709551615 unsigned',
      'e\tTimestamp\tt 4294967295, i 2',
      'f\tObjectId\t64f0c3a1b2d4e5f60718293a',
      'g\tBinary\tsubtype 80, 2 bytes in Buffer: 0102',
      'h\tUUID\tsubtype 04, 16 bytes in Buffer: 00112233445566778899aabbccddeeff',
      'i\tDecimal128\t0f000000000000000000000000003e30',
      'j\tBSONRegExp\t"a\\n" options "ix"',
      'k\tBSONSymbol\t"s"',
      'l\tMinKey\t',
      'm\tMaxKey\t',
      'n\tCode\t"f()"',
      'n<scope>\tobject\t',
      'n<scope>.x\tnumber\t1',
      'o\tDBRef\t"ships"',
      'o<id>\tObjectId\t64f0c3a1b2d4e5f60718293a',
      'o<db>\tstring\t"navy"',
      'o<fields>\tobject\t',
      'o<fields>.note\tstring\t"n"',
    ]);
  });

  test('does not treat a field called _bsontype as a value class', () => {
    expect(describeValue({ _bsontype: 'Long', low: 1 })).toBe(
      '(whole document)\tobject\t\n_bsontype\tstring\t"Long"\nlow\tnumber\t1',
    );
  });

  test('shows a value class without its properties as a plain instance', () => {
    class ObjectId {
      get _bsontype() {
        return 'ObjectId';
      }
    }
    expect(describeValue(new ObjectId())).toBe('(whole document)\tobject of class ObjectId\t');
  });

  test('is the same for classes of another copy of the library', () => {
    class Long {
      low = 5;
      high = 0;
      unsigned = false;
      get _bsontype() {
        return 'Long';
      }
    }
    expect(describeValue(new Long())).toBe(describeValue(bson.Long.fromInt(5)));
  });

  test('is the same for an ObjectID, as the class was called up to bson 4', () => {
    const id = new bson.ObjectId();
    class ObjectID {
      toHexString = () => id.toHexString();
      get _bsontype() {
        return 'ObjectID';
      }
    }
    expect(describeValue(new ObjectID())).toBe(describeValue(id));
  });

  test('is the same for a class that sets its _bsontype in the constructor', () => {
    class Timestamp {
      low = 7;
      high = 5;
      constructor() {
        Object.defineProperty(this, '_bsontype', { value: 'Timestamp' });
      }
    }
    const timestamp = new bson.Timestamp({ t: 5, i: 7 });
    expect(describeValue(new Timestamp())).toBe(describeValue(timestamp));
  });

  test('marks a circular value instead of following it', () => {
    const value = { inner: {} };
    value.inner = value;
    expect(describeValue(value)).toBe('(whole document)\tobject\t\ninner\tcircular\t');
  });

  test('shortens the paths of deep documents and survives 10 000 levels', () => {
    const lines = describeValue(nest((inner) => ({ level: inner }), 10_000)).split('\n');
    expect(lines).toHaveLength(10_001);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500);
    expect(lines.at(-1)).toMatch(/^level\.level.*…\(\d+ deep\)\.level.*\tnumber\t1$/);
  });
});

/** @type {[string, unknown, unknown][]} */
const DIFFERENT = [
  ['zero and minus zero', { a: 0 }, { a: -0 }],
  ['number and bigint', { a: 1 }, { a: 1n }],
  ['number and Int32', { a: 1 }, { a: new bson.Int32(1) }],
  ['Int32 and Double', { a: new bson.Int32(1) }, { a: new bson.Double(1) }],
  ['signed and unsigned Long', bson.Long.fromInt(1, false), bson.Long.fromInt(1, true)],
  ['Long and Timestamp', bson.Long.fromInt(1, true), new bson.Timestamp({ t: 0, i: 1 })],
  ['undefined and missing', { a: undefined }, {}],
  ['undefined and null', { a: undefined }, { a: null }],
  ['order of properties', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['own __proto__ and none', makeOwn('__proto__', { a: 1 }), {}],
  ['own __proto__ and prototype', makeOwn('__proto__', { a: 1 }), Object.create({ a: 1 })],
  ['prototype and none', Object.create({ a: 1 }), {}],
  ['null prototype', Object.create(null), {}],
  ['class and plain object', new (class Ship {})(), {}],
  ['Buffer and Uint8Array', Buffer.from([1]), Uint8Array.from([1])],
  ['Int8Array and Uint8Array', Int8Array.from([1]), Uint8Array.from([1])],
  ['bytes', Buffer.from([1]), Buffer.from([2])],
  [
    'Binary over Buffer and Uint8Array',
    binaryOver(Buffer.from([1])),
    binaryOver(new Uint8Array([1])),
  ],
  ['bytes in use', new bson.Binary(Buffer.from([1, 0])), new bson.Binary(Buffer.from([1]))],
  ['subtype', new bson.Binary(uuidBytes, 3), new bson.Binary(uuidBytes, 4)],
  ['UUID and Binary', new bson.UUID(uuidBytes), new bson.Binary(uuidBytes, 4)],
  ['dates', new Date(0), new Date(1)],
  ['invalid date', new Date(NaN), new Date(0)],
  ['date and its text', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['flags', /a/i, /a/m],
  ['source', /a/, /b/],
  ['RegExp and BSONRegExp', /a/, new bson.BSONRegExp('a')],
  ['symbol and string', new bson.BSONSymbol('a'), 'a'],
  ['code without and with empty scope', new bson.Code('f'), new bson.Code('f', {})],
  ['DBRef and its document', new bson.DBRef('a', oid), { $ref: 'a', $id: oid }],
  ['DBRef without and with db', new bson.DBRef('a', oid), new bson.DBRef('a', oid, 'b')],
  ['decimals of equal value', bson.Decimal128.fromString('1'), bson.Decimal128.fromString('1.0')],
  ['map and object', new Map([['a', 1]]), { a: 1 }],
  ['map keys', new Map([[1, 1]]), new Map([['1', 1]])],
  ['set and map', new Set([1]), new Map([[1, 1]])],
  ['array and object', [1], { 0: 1 }],
  ['hole and undefined', Array(1), [undefined]],
  ['property on an array', Object.assign([1], { x: 1 }), [1]],
  ['property on a date', Object.assign(new Date(0), { x: 1 }), new Date(0)],
  ['symbol property', { [Symbol('s')]: 1 }, {}],
  ['boxed number', Object(1), 1],
  ['nested and beside', { a: {}, b: 1 }, { a: { b: 1 } }],
  ['dotted key and nesting', { 'a.b': 1 }, { a: { b: 1 } }],
  ['nesting below shortened paths', nest(wrapBeside, 400), nest(wrapInside, 400)],
];

/** @type {(bytes: Uint8Array) => object} */
function binaryOver(bytes) {
  const binary = new bson.Binary();
  return Object.assign(binary, { buffer: bytes, position: bytes.length });
}

/** @type {(inner: unknown) => object} */
function wrapBeside(inner) {
  return { level: inner === 1 ? { a: {}, b: 1 } : inner };
}

/** @type {(inner: unknown) => object} */
function wrapInside(inner) {
  return { level: inner === 1 ? { a: { b: 1 } } : inner };
}

describe('values that differ have different descriptions', () => {
  test.each(DIFFERENT)('%s', (_, one, other) => {
    expect(describeValue(one)).not.toBe(describeValue(other));
  });

  test('and values that are deeply equal have the same one', () => {
    for (const [, one] of DIFFERENT) {
      if (Object.prototype.toString.call(one) !== '[object Object]') continue;
      const copy = Object.create(
        Object.getPrototypeOf(one),
        Object.getOwnPropertyDescriptors(/** @type {object} */ (one)),
      );
      assert.deepStrictEqual(copy, one);
      expect(describeValue(copy)).toBe(describeValue(one));
    }
  });
});
