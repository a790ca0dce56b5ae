import * as bson from 'bson';
import { assertSameOutcome, outcomeOf } from '../codec/test-support/variants.js';
import * as champion from '../variants/champion.js';

const HEX = '0123456789abcdef01234567';
const VERSION = Symbol.for('@@mdb.bson.version');
/** As many as a shape needs to be compiled. */
const ROUNDS = 25;
const OPTIONS = [{}, { ignoreUndefined: false }, { checkKeys: true }, { serializeFunctions: true }];

/** @typedef {Record<string, any>} Codec */

/** @type {(label: string, call: (codec: Codec) => unknown) => void} */
function compare(label, call) {
  const [ours, theirs] = [champion, bson].map((codec) => outcomeOf(() => call(codec)));
  assertSameOutcome(ours, theirs, label);
}

/** @returns {never} */
function fail() {
  throw new TypeError('of the caller');
}

/** @type {(from: any, change: (object: any) => void) => any} */
function change(object, by) {
  by(object);
  return object;
}

/** @type {(make: (self: any) => any) => any} */
function refer(make) {
  /** @type {any} */
  const self = { a: 1 };
  self.held = make(self);
  return self;
}

class Point {
  x = 1;
  #hidden = 2;
  get y() {
    return this.#hidden;
  }
}

/** @param {any} object */
function makeDictionary(object) {
  for (let index = 0; index < 2_000; index++) object[`k${index}`] = index;
  return object;
}

/** A document with the getter `a` after some fields and before others. @type {(before: object, get: (self: any) => unknown, after: object) => any} */
function getting(before, get, after) {
  return {
    ...before,
    get a() {
      return get(this);
    },
    ...after,
  };
}

/** Documents whose keys change while they are written. @type {Record<string, () => any>} */
const CHANGING = {
  'a getter deletes a later key': () => getting({}, (self) => delete self.b, { b: 1, c: 2 }),
  'a getter deletes an earlier key': () => getting({ b: 1 }, (self) => delete self.b, { c: 2 }),
  'a getter adds a key': () => getting({}, (self) => (self.z = 1), { b: 1 }),
  'a getter changes later values': () =>
    getting({}, (self) => Object.assign(self, { b: [{ d: 1 }] }).c, { b: 1, c: 2 }),
  'a getter replaces a later key': () =>
    getting({}, (self) => delete self.b && (self.b = 'new') && 1, { b: 1, c: 2 }),
  'a getter changes the prototype': () =>
    getting({}, (self) => Object.setPrototypeOf(self, { p: 1 }) && 1, { b: 1 }),
  'a getter makes a dictionary': () => getting({}, (self) => makeDictionary(self) && 1, { b: 1 }),
  'toBSON deletes a later key'() {
    const document = {
      a: { toBSON: () => delete (/** @type {any} */ (document).b) },
      b: 1,
      c: { d: 1 },
    };
    return document;
  },
  'toBSON adds a key'() {
    /** @type {any} */
    const document = { a: { toBSON: () => (document.z = 1) }, b: 1 };
    return document;
  },
  'toBSON grows an array'() {
    /** @type {any[]} */
    const list = [{ toBSON: () => (list.length < 9 ? list.push(1, list[0]) : 0) }];
    return { list };
  },
  'toBSON shrinks an array'() {
    /** @type {any[]} */
    const list = [{ toBSON: () => (list.length = 2) }, 1, 2, 3];
    return { list };
  },
  'toBSON changes a Map'() {
    const map = new Map();
    map
      .set('a', { toBSON: () => map.delete('b') && map.set('z', 1) && 1 })
      .set('b', 2)
      .set('c', 3);
    return { map };
  },
};

/** Documents that are not what `JSON.parse` makes. @type {Record<string, (codec: Codec) => any>} */
const DOCUMENTS = {
  ...CHANGING,
  'a proxy': () => new Proxy({ a: 1, b: [1] }, {}),
  'a proxy of a document': () => ({ in: new Proxy({ a: 1, b: { c: 1 } }, {}), after: 1 }),
  'a proxy with other keys': () => ({
    in: new Proxy(/** @type {any} */ ({ a: 1, b: 2 }), {
      ownKeys: () => ['b', 'a'],
      get: (target, key) => (typeof key === 'string' ? target[key] : undefined),
    }),
  }),
  'a proxy that throws': () => ({ a: 1, in: new Proxy({ a: 1 }, { get: fail }) }),
  'a proxy that hides its keys': () => ({ a: 1, in: new Proxy({ a: 1 }, { ownKeys: fail }) }),
  'a proxy of an array': () => ({ in: new Proxy([1, { a: 1 }], {}) }),
  'a proxy of an id': ({ ObjectId }) => ({ id: new Proxy(new ObjectId(HEX), {}) }),
  'an instance': () => new Point(),
  instances: () => ({ a: new Point(), list: [new Point()] }),
  'no prototype': () => ({
    a: Object.assign(Object.create(null), { b: 1 }),
    list: [Object.create(null)],
  }),
  'inherited fields': () => ({
    a: Object.create({ b: 1 }),
    c: Object.assign(Object.create({ d: 1 }), { e: 1 }),
  }),
  'an inherited root': () => Object.assign(Object.create({ a: 1 }), { b: 1 }),
  frozen: () => Object.freeze({ a: Object.freeze([1]), b: Object.freeze({ c: 1 }) }),
  'hidden fields': () =>
    Object.defineProperty({ a: 1, [Symbol('s')]: 2 }, 'h', { value: 1, enumerable: false }),
  'a sparse array': () => ({ list: change([1], (list) => (list[5] = 2)) }),
  'an array with fields': () => ({ list: Object.assign([1, 2], { more: 1 }) }),
  'an array of a class': () => ({ list: class List extends Array {}.from([1, 2]) }),
  'many items': () => ({
    list: Array.from({ length: 1_111 }, (_, index) => (index % 3 ? index : { index })),
  }),
  'typed arrays': () => ({
    a: new Float64Array([1]),
    b: new Int8Array([1]),
    c: new Uint8ClampedArray([1]),
    d: new DataView(new ArrayBuffer(2)),
    e: new ArrayBuffer(2),
    f: new BigInt64Array(1),
  }),
  bytes: () => ({
    a: Buffer.from('a'),
    b: new Uint8Array([1, 2, 3]).subarray(1),
    c: new (class Bytes extends Uint8Array {})(3),
    d: Buffer.alloc(300, 7),
  }),
  dates: () => ({
    a: new Date(NaN),
    b: new Date(8.64e15),
    c: new Date(-8.64e15),
    d: new Date(-1),
    e: new (class Day extends Date {})(5),
  }),
  'a date with fields': () => ({ a: Object.assign(new Date(5), { b: 1 }) }),
  'a date that is no date': () => ({ a: Object.create(Date.prototype) }),
  'a date with a _bsontype': () => ({ a: Object.assign(new Date(5), { _bsontype: 'Date' }) }),
  'an array with a _bsontype': () => ({ a: Object.assign([1], { _bsontype: 'Array' }) }),
  'a document with a _bsontype': () => ({ a: { _bsontype: 'Long', low: 1 } }),
  'a document with a _bsontype that is undefined': () => ({
    a: { _bsontype: undefined, b: 1 },
    b: { _bsontype: null },
  }),
  'a document with the mark of a value class': ({ bsonType }) => ({
    a: Object.assign(Object.create({}), { [bsonType]: 'Long', [VERSION]: 7, low: 1 }),
  }),
  'a value class of another version': () => ({
    a: {
      get _bsontype() {
        return 'Long';
      },
      [VERSION]: 6,
      low: 1,
    },
  }),
  'a Map of a class': () => ({
    a: new (class Sorted extends Map {
      entries() {
        return new Map([['mine', 1]]).entries();
      }
    })([['a', 1]]),
  }),
  'a Map with fields': () => ({ a: Object.assign(new Map([['a', 1]]), { b: 1 }) }),
  'a Map with a number for key': () => ({ a: 1, b: new Map([[5, 1]]) }),
  'an id of bson itself': () => ({ id: new bson.ObjectId(HEX), list: [new bson.ObjectId(HEX)] }),
  'an id of a class': ({ ObjectId }) => ({
    id: Reflect.construct(class Id extends ObjectId {}, [HEX]),
  }),
  'an id with toBSON': ({ ObjectId }) => ({
    id: Object.assign(new ObjectId(HEX), { toBSON: () => 'mine' }),
  }),
  numbers: () => ({
    a: new bson.Long(-1, 5),
    b: new bson.Long(1, 2, true),
    c: new bson.Int32(-5),
    d: new bson.Double(5),
    e: new bson.Double(-0),
    f: bson.Decimal128.fromString('1.50'),
    g: new bson.Timestamp({ t: 4294967295, i: 5 }),
    h: 2n ** 64n + 5n,
    i: -(2n ** 63n),
  }),
  'numbers of a class': () => ({
    a: new (class Five extends bson.Int32 {
      valueOf() {
        return 5;
      }
    })(7),
    b: new (class Low extends bson.Long {
      getLowBits() {
        return 9;
      }
    })(7, 1),
  }),
  'values with another constructor': () => ({
    a: Object.assign(new bson.Long(7, 1), { constructor: bson.Timestamp }),
    b: Object.setPrototypeOf(
      new bson.Int32(7),
      Object.create(bson.Int32.prototype, { valueOf: { value: () => 5 } }),
    ),
    c: Object.assign(new bson.Binary(Buffer.from('x')), { constructor: bson.Code }),
  }),
  'the other value classes': () => ({
    a: new bson.BSONSymbol('é'),
    b: new bson.MinKey(),
    c: new bson.MaxKey(),
    d: new bson.UUID(Buffer.alloc(16, 3)),
    e: new bson.BSONRegExp('a+', 'xsi'),
    f: /b\/c/gim,
    g: new bson.Binary(Buffer.from('x'), 2),
    h: new bson.Binary(),
  }),
  'patterns of bson': () => ({
    a: new bson.BSONRegExp('é{2}', 's'),
    b: new bson.BSONRegExp(''),
    c: [new bson.BSONRegExp('long'.repeat(9), 'mi')],
  }),
  'a pattern of bson with a NUL': () => ({
    a: Object.assign(new bson.BSONRegExp('a'), { pattern: 'b\0' }),
  }),
  'a pattern of bson that is no text': () => ({
    a: Object.assign(new bson.BSONRegExp('a'), { pattern: 5 }),
  }),
  'a pattern of bson with options that are no text': () => ({
    a: Object.assign(new bson.BSONRegExp('a'), { options: undefined }),
  }),
  code: () => ({
    a: new bson.Code('f(é)'),
    b: new bson.Code(fail),
    c: new bson.Code('f', null),
    d: new bson.Code('f', {}),
  }),
  'code with a scope': () => ({
    a: new bson.Code('f', { a: undefined, b: { c: [1] } }),
    b: new bson.Code('f', { toBSON: () => ({ d: 1 }) }),
  }),
  'code with a Map as scope': () => ({ a: new bson.Code('f', new Map([['a', 1]])) }),
  'code with an array as scope': () => ({
    a: new bson.Code('f', /** @type {any} */ ([undefined, 1, { b: 1 }])),
  }),
  'code with a date as scope': () => ({ a: new bson.Code('f', /** @type {any} */ (new Date(5))) }),
  'code with bytes as scope': () => ({ a: new bson.Code('f', Buffer.from('ab')) }),
  'code that is no text': () => ({ a: Object.assign(new bson.Code('f', { b: 1 }), { code: 5 }) }),
  references: ({ ObjectId }) => ({
    a: new bson.DBRef('c', new ObjectId(HEX)),
    b: [
      new bson.DBRef('c.d', new ObjectId(HEX), 'db', {
        $x: 1,
        u: undefined,
        r: new bson.DBRef('e', new ObjectId(HEX)),
      }),
    ],
  }),
  'a reference with toBSON': ({ ObjectId }) => ({
    a: new bson.DBRef('c', new ObjectId(HEX), 'db', { toBSON: () => ({ mine: 1 }) }),
  }),
  'toBSON of everything': ({ ObjectId }) => ({
    a: [
      1,
      'x',
      null,
      undefined,
      true,
      5n,
      [1],
      { b: 1 },
      new Date(5),
      new Map([['c', 1]]),
      new ObjectId(HEX),
      /x/,
      new bson.Long(1),
      Buffer.from('x'),
      'é'.repeat(50),
    ].map((value) => ({ toBSON: () => value })),
  }),
  'toBSON of functions, arrays and Maps': () => ({
    a: Object.assign(fail, { toBSON: () => 1 }),
    b: Object.assign([1], { toBSON: () => [2] }),
    c: Object.assign(new Map([['d', 1]]), { toBSON: () => new Map([['e', 1]]) }),
  }),
  'toBSON twice': () => ({
    a: { toBSON: () => ({ b: 1, toBSON: () => ({ c: 1 }) }) },
    d: { toBSON: () => ({ toBSON: () => null }) },
  }),
  'toBSON that is no function': () => ({ toBSON: 5, a: { toBSON: { b: 1 } } }),
  'toBSON that throws': () => ({ a: 1, b: { c: [{ toBSON: fail }] } }),
  'toBSON that throws once'() {
    let calls = 0;
    return { a: { toBSON: () => (calls++ === 0 ? fail() : calls) } };
  },
  'toBSON under a key with a NUL byte': () => ({ 'a\0': { toBSON: fail } }),
  'a getter that throws': () => ({ a: 1, b: getting({}, fail, {}) }),
  'a key with a NUL byte': () => ({ a: 1, b: [{ 'c\0d': undefined }] }),
  'undefined, functions and symbols': () => ({
    a: undefined,
    b: fail,
    c: Symbol('c'),
    d: [undefined, fail, Symbol('d')],
    e: { f: undefined },
  }),
  'boxed values': () => ({
    a: Object(1),
    b: Object('text'),
    c: Object(true),
    d: Object(5n),
    e: Object(Symbol('s')),
  }),
  'objects of the language': () => ({
    a: new Error('e'),
    b: new WeakMap(),
    c: Promise.resolve(),
    d: new Set([1]),
    e: Math,
    f: globalThis.process.versions,
    g: new URL('http://a/'),
  }),
  texts: () =>
    Object.fromEntries(
      [0, 1, 19, 20, 21, 24, 25].flatMap((length) =>
        ['x', 'é', '漢', '\ud800', '\0', '\udfff😀'].map((letter, index) => [
          `k${length}${index}`,
          letter.repeat(length),
        ]),
      ),
    ),
  'a cycle': () => refer((self) => self),
  'a cycle in an array': () => refer((self) => [[self]]),
  'a cycle in a Map': () => refer((self) => new Map([['m', self]])),
  'a cycle in a scope': () => refer((self) => new bson.Code('f', self)),
  'a cycle in a reference': () =>
    refer((self) => new bson.DBRef('c', new bson.ObjectId(HEX), 'd', { self })),
  'a cycle by toBSON': () => refer((self) => ({ toBSON: () => self })),
  'a cycle by a getter': () => refer((self) => getting({}, () => ({ self }), {})),
  'a cycle of arrays': () => ({ list: change([1], (list) => list.push(list)) }),
  'shared objects': () =>
    change({ s: { a: 1 } }, (root) => Object.assign(root, { t: root.s, u: [root.s, root.s] })),
};

test.each(Object.entries(DOCUMENTS))('%s', (label, make) => {
  for (const options of OPTIONS) {
    for (let visit = 0; visit < 2; visit++) {
      const text = `${label} ${JSON.stringify(options)}`;
      compare(text, (codec) => codec['serialize'](make(codec), options));
      compare(`${text}, inside`, (codec) =>
        codec['serialize']({ a: [{ in: make(codec) }] }, options),
      );
      compare(`${text}, in a Map`, (codec) =>
        codec['serialize'](new Map([['in', make(codec)]]), options),
      );
      compare(`${text}, into a buffer`, (codec) => {
        const target = Buffer.alloc(20_000, 1);
        const place = { ...options, index: 5 };
        return [codec['serializeWithBufferAndIndex'](make(codec), target, place), target];
      });
      compare('the next', ({ serialize }) => serialize({ a: 1, in: { b: [2] } }));
    }
  }
});

const DATA = {
  a: 1,
  text: 'x',
  truth: true,
  big: 5n,
  list: [1, 'y', { b: new Date(5) }],
  in: { c: null },
};

test.each([
  ['Object', 'extra', 1],
  ['Object', 'extra', { deep: 1 }],
  ['Object', 'toBSON', () => 'mine'],
  ['Object', 'toJSON', () => 'mine'],
  ['Object', '_bsontype', 'Long'],
  ['String', 'toBSON', () => 1],
  ['Number', 'toBSON', () => 'one'],
  ['Boolean', 'toBSON', () => 'yes'],
  ['BigInt', 'toBSON', () => 'big'],
  ['Array', 'toBSON', () => 'list'],
  ['Date', 'toBSON', () => 'date'],
])('%s.prototype.%s, for a while', (name, key, value) => {
  const { prototype } = /** @type {any} */ (globalThis)[name];
  const bytes = Buffer.from(bson.serialize(DATA));
  for (const enumerable of [true, false]) {
    for (let round = 0; round < ROUNDS; round++) {
      compare('before', ({ serialize }) => serialize(DATA));
      for (const action of ['serialize', 'deserialize']) {
        compare(`${action} with ${name}.prototype.${key}`, (codec) => {
          const property = { value, enumerable, configurable: true, writable: true };
          Object.defineProperty(prototype, key, property);
          try {
            return codec[action](action === 'serialize' ? DATA : bytes);
          } finally {
            delete prototype[key];
          }
        });
      }
      compare('after', ({ deserialize }) => deserialize(bytes));
    }
  }
});

test('setters of Object.prototype do not let one document into another', () => {
  const bytes = Buffer.from(bson.serialize({ a: 1, setter: 2, in: { b: [3] }, z: 'z' }));
  for (let round = 0; round < 50; round++) {
    Object.defineProperty(Object.prototype, 'setter', {
      set() {
        champion.deserialize(champion.serialize({ other: ['x', { y: 1 }], more: 2 }));
      },
      configurable: true,
    });
    const { a, in: inner, z, ...rest } = champion.deserialize(bytes);
    delete (/** @type {any} */ (Object.prototype).setter);
    expect({ a, inner, z }).toEqual({ a: 1, inner: { b: [3] }, z: 'z' });
    expect(Object.keys(rest).filter((key) => key !== 'setter')).toEqual([]);
  }
});

test('fields that Object.prototype does not let be assigned are refused, also when they are known', () => {
  const bytes = Buffer.from(bson.serialize({ a: 1, valueOf: 'mine' }));
  for (let round = 0; round < 40; round++) {
    compare('before', ({ deserialize }) => deserialize(bytes));
    compare('frozen', ({ deserialize }) => {
      Object.defineProperty(Object.prototype, 'valueOf', { writable: false });
      try {
        return deserialize(bytes);
      } finally {
        Object.defineProperty(Object.prototype, 'valueOf', { writable: true });
      }
    });
  }
});

test('toBSON comes before the check of its key, as in bson', () => {
  expect(() => champion.serialize({ 'a\0': { toBSON: fail } })).toThrow('of the caller');
});

/** What runs while a document is read or written, at several levels. */
const LEVELS = [1, 2, 3, 4];
const PLAIN = { a: 'é'.repeat(30), in: { b: [1, { c: 2 }] }, bytes: Buffer.from('abc'), z: 1 };
const PLAIN_BYTES = Buffer.from(bson.serialize(PLAIN));

/** @type {(level: number, throwsAt: number, results: Uint8Array[]) => object} */
function nest(level, throwsAt, results) {
  const toBSON = () => {
    expect(PLAIN_BYTES.equals(bson.serialize(champion.deserialize(PLAIN_BYTES)))).toBe(true);
    if (level === throwsAt) fail();
    if (level > 1) results.push(champion.serialize(nest(level - 1, throwsAt, results)));
    return PLAIN.in;
  };
  return {
    ...PLAIN,
    in: { toBSON },
    get z() {
      return toBSON() === PLAIN.in ? 1 : 0;
    },
  };
}

test.each(LEVELS)('toBSON and getters that write and read, %d levels', (levels) => {
  for (const throwsAt of [0, ...LEVELS]) {
    for (let round = 0; round < ROUNDS; round++) {
      /** @type {Uint8Array[]} */
      const results = [];
      const outcome = outcomeOf(() => champion.serialize(nest(levels, throwsAt, results)));
      const isRefused = throwsAt > 0 && throwsAt <= levels;
      if (isRefused) expect(outcome).toMatchObject({ error: { message: 'of the caller' } });
      else expect('value' in outcome && PLAIN_BYTES.equals(outcome.value)).toBe(true);
      compare('the next', ({ serialize }) => serialize(PLAIN));
      compare('the next', ({ deserialize }) => deserialize(PLAIN_BYTES));
      // Deeper ones share the buffer of the loop over linked frames, as in bson.
      if (levels === 2) expect(results.every((result) => PLAIN_BYTES.equals(result))).toBe(true);
    }
  }
});

test('input whose methods read other documents', () => {
  for (let round = 0; round < 30; round++) {
    const input = Buffer.from(PLAIN_BYTES);
    Object.defineProperty(input, 'subarray', {
      value(/** @type {number[]} */ ...range) {
        champion.deserialize(
          Buffer.from(champion.serialize({ x: { y: ['other'] }, bytes: Buffer.from('other') })),
        );
        return Uint8Array.prototype.subarray.apply(
          Buffer.from(PLAIN_BYTES),
          /** @type {any} */ (range),
        );
      },
    });
    assertSameOutcome(
      { value: champion.deserialize(input) },
      { value: bson.deserialize(PLAIN_BYTES) },
      'the outer document',
    );
  }
});
