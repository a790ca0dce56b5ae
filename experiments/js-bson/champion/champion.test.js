import * as bson from 'bson';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isLong, testMore } from '../../../harness/testing/support/gates.js';
import { assertSameOutcome, outcomeOf } from '../codec/test-support/variants.js';
import * as champion from '../variants/champion.js';
import { ShapeTrie, UNKNOWN } from './shapes.js';

/** More visits than a shape needs to be compiled. */
const VISITS = 40;
const HEX = '0123456789abcdef01234567';
const MEGABYTE = 2 ** 20;
/** More than the shapes that are kept; in CI, so many that the search for shapes starts anew several times. */
const OBJECTS = isLong ? 210_000 : 10_000;
const RESULTS = isLong ? 10_000 : 1_000;
/** Bytes that replace one of a known document. */
const BYTES = isLong ? [0, 1, 2, 3, 4, 5, 16, 0x80, 0xff] : [0, 2, 16, 0xff];
/** Steps between the lengths that are tried. */
const STEP = isLong ? 1 : 5;

/** What both codecs do is the same, down to the class of the error. @type {(label: string, call: (codec: any) => unknown) => void} */
function compare(label, call) {
  const [ours, theirs] = [champion, bson].map((codec) => outcomeOf(() => call(codec)));
  assertSameOutcome(ours, theirs, label);
}

/** Writes documents after which the next one is expected to be small, too. @param {number} count */
function writeSmall(count) {
  for (let small = 0; small < count; small++) champion.serialize({ small });
}

/** @type {(label: string, make: (codec: any) => any, options?: any) => void} */
function compareWriting(label, make, options) {
  compare(`${label}, written`, (codec) => codec.serialize(make(codec), options));
}

/** @type {(label: string, bytes: Uint8Array, options?: any) => void} */
function compareReading(label, bytes, options) {
  compare(`${label}, read`, (codec) => codec.deserialize(bytes, options));
}

/** @type {(program: string, ...flags: string[]) => any} */
function runProgram(program, ...flags) {
  const path = join(import.meta.dirname, 'test-support', program);
  const env = { ...process.env, NODE_OPTIONS: '' };
  return JSON.parse(String(execFileSync(process.execPath, [...flags, path], { env })));
}

// prettier-ignore
const KEYS = [
  '', '"', "'", '`', '\\', '\\"', '\n', '\r', '\u2028', '\u2029', '${x}', '*/', '//', '</script>', '": 1 }; throw 1; ({ "',
  '__proto__', 'constructor', 'hasOwnProperty', 'toString', 'toBSON', '_bsontype', 'values', 'from', 'then', 'length',
  '0', '7', '00', '-1', '1.5', '4294967294', '4294967295', '$ref', '$id', '$x', 'é', '漢', '😀', '\ud800', 'a\udc00b', '\ufffd',
  ...[62, 63, 64, 65, 255, 256].map((length) => 'x'.repeat(length)),
  ...[31, 32, 33].map((length) => 'é'.repeat(length)),
  ...[20, 21, 22, 62].map((length) => '漢'.repeat(length)),
];

test.each(KEYS)('a key %j is a field like any other, also in compiled code', (key) => {
  const make = (number = 1) => ({
    z: 1,
    [key]: { [key]: 'v', b: number },
    list: [{ [key]: 3 }],
    1: 4,
  });
  const bytes = outcomeOf(() => bson.serialize(make(2)));
  for (let visit = 0; visit < VISITS; visit++) {
    compareWriting(key, () => make(visit));
    if ('value' in bytes) compareReading(key, bytes.value);
  }
  expect('b' in {}).toBe(false);
});

/** @type {(...fields: [key: string, value: number][]) => Buffer} a document of int32 values; the bytes of keys as latin1 */
function makeBytes(...fields) {
  const elements = fields.map(([key, value]) => {
    const element = Buffer.from(`\x10${key}\0....`, 'latin1');
    element.writeInt32LE(value, element.length - 4);
    return element;
  });
  const size = elements.reduce((sum, { length }) => sum + length, 5);
  const bytes = Buffer.concat([Buffer.alloc(4), ...elements], size);
  bytes.writeInt32LE(size);
  return bytes;
}

test.each([
  ['repeated keys', ['a', 'b', 'a', 'c']],
  ['keys that differ in invalid bytes only', ['\xff', 'a', '\xfe', '\xc0', '\xef\xbf\xbd']],
  ['invalid bytes after a common word', ['abcdefg\xff', 'abcdefg\xfe', 'abcdefg']],
  ['repeated __proto__', ['__proto__', 'a', '__proto__']],
  ['numbers as keys', ['b', '10', '9', '09', 'a', '1']],
  ['prefixes', ['a', 'ab', 'abc', 'abcd', 'abcde', '', 'abcdefgh']],
  ['keys as long as the limit', [62, 63, 64, 65].map((length) => 'x'.repeat(length))],
  ['long keys that are not ASCII', [30, 31, 32, 33].map((length) => '\xc3\xa9'.repeat(length))],
])('%s', (label, keys) => {
  for (let visit = 0; visit < VISITS; visit++) {
    compareReading(
      label,
      makeBytes(...keys.map((key, at) => /** @type {[string, number]} */ ([key, visit + at]))),
    );
    compareReading(
      label,
      makeBytes(...keys.map((key) => /** @type {[string, number]} */ ([key, 0])).reverse()),
    );
  }
});

/** @type {(codec: any) => any} */
const makeBase = ({ ObjectId }) => ({
  _id: new ObjectId(HEX),
  number: 1,
  text: 'x',
  in: { b: 1.5, list: [1, { d: true }], e: { f: 'é' } },
  at: new Date(5),
  bytes: Buffer.from('abc'),
  last: null,
});

/** Documents like the one above. @type {Record<string, (base: any) => any>} */
const CHANGES = {
  nothing: (base) => base,
  'a value': (base) => ({ ...base, number: -7 }),
  'number to double': (base) => ({ ...base, number: 0.5 }),
  'number to minus zero': (base) => ({ ...base, number: -0 }),
  'number to bigint': (base) => ({ ...base, number: 2n ** 60n }),
  'text to number': (base) => ({ ...base, text: 7 }),
  'text to a long one': (base) => ({ ...base, text: 'é'.repeat(40) }),
  'text to document': (base) => ({ ...base, text: { b: 1 } }),
  'document to array': (base) => ({ ...base, in: [base.in, base.in] }),
  'document to number': (base) => ({ ...base, in: 5 }),
  'document to undefined': (base) => ({ ...base, in: undefined }),
  'document to function': (base) => ({ ...base, in: () => 1 }),
  'document to Map': (base) => ({ ...base, in: new Map(Object.entries(base.in)) }),
  'document to scope': (base) => ({ ...base, in: new bson.Code('f', base.in) }),
  'document to reference': (base) => ({ ...base, in: { $ref: 'c', $id: base.in } }),
  'document to a class': (base) => ({ ...base, in: Object.assign(new (class A {})(), base.in) }),
  'array to document': (base) => ({ ...base, in: { ...base.in, list: { 0: 1, 1: { d: true } } } }),
  'item to array': (base) => ({ ...base, in: { ...base.in, list: [[{ d: 1 }], { d: [1] }] } }),
  'an id to text': (base) => ({ ...base, _id: HEX }),
  'null to an id': (base) => ({ ...base, last: base._id }),
  'a missing key': ({ text: _text, ...rest }) => rest,
  'no first key': ({ _id, ...rest }) => rest,
  'no last key': ({ last: _last, ...rest }) => rest,
  'a key more': ({ _id, ...rest }) => ({ _id, more: 1, ...rest }),
  'a key at the end': (base) => ({ ...base, more: 1 }),
  'an inner key more': (base) => ({ ...base, in: { ...base.in, more: 1 } }),
  'reversed keys': (base) => Object.fromEntries(Object.entries(base).reverse()),
  'a changed letter': ({ last, ...rest }) => ({ ...rest, lasu: last }),
  'a longer key': ({ last, ...rest }) => ({ ...rest, last_: last }),
  'a shorter key': ({ last, ...rest }) => ({ ...rest, las: last }),
  'a number as key': (base) => ({ ...base, 3: 1 }),
  'nothing left': () => ({}),
};

const READ_OPTIONS = [
  { promoteValues: false },
  { promoteLongs: false },
  { promoteBuffers: true },
  { useBigInt64: true },
  { raw: true },
  { fieldsAsRaw: {} },
  { fieldsAsRaw: { list: true } },
  { bsonRegExp: true },
  { validation: { utf8: false } },
  { validation: { utf8: { text: true } } },
  { index: 0, allowObjectSmallerThanBufferSize: true },
];
const WRITE_OPTIONS = [
  { ignoreUndefined: false },
  { checkKeys: true },
  { serializeFunctions: true },
];

test('documents that differ a little from earlier ones', () => {
  for (let visit = 0; visit < VISITS; visit++) {
    for (const [label, change] of Object.entries(CHANGES)) {
      compareWriting(label, (codec) => change(makeBase(codec)));
      const bytes = bson.serialize(change(makeBase(bson)));
      compareReading(label, bytes);
      const readOptions = READ_OPTIONS[visit % READ_OPTIONS.length];
      compareReading(`${label} with ${JSON.stringify(readOptions)}`, bytes, readOptions);
      const options = WRITE_OPTIONS[visit % WRITE_OPTIONS.length];
      compareWriting(
        `${label} with ${JSON.stringify(options)}`,
        (codec) => change(makeBase(codec)),
        options,
      );
    }
  }
});

test('arrays that have a name of Object.prototype stay bytes even with an empty fieldsAsRaw', () => {
  const lists = { list: [{ a: 1 }], nested: { toString: [{ a: 1 }], valueOf: { a: 1 } } };
  // The last has more keys than a shape.
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index]));
  for (const document of [lists, { list: [[{ a: 1 }]] }, { ...many, ...lists }]) {
    for (let visit = 0; visit < VISITS; visit++) {
      compareReading('with fieldsAsRaw', bson.serialize(document), { fieldsAsRaw: {} });
    }
  }
  Object.defineProperty(Object.prototype, 0, { value: true, configurable: true });
  try {
    const bytes = bson.serialize({ list: [[{ a: 1 }]] });
    compareReading('with a name added later', bytes, { fieldsAsRaw: {} });
  } finally {
    delete (/** @type {any} */ (Object.prototype)[0]);
  }
});

testMore('known documents with one byte changed, or cut off', () => {
  const bytes = Buffer.from(bson.serialize(makeBase(bson)));
  for (let at = 0; at < bytes.length; at++) {
    for (const value of [...BYTES, bytes[at] + 1, bytes[at] - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = value;
      compareReading(`byte ${at} = ${changed[at]}`, changed);
      compareReading('the original', bytes);
    }
    const cut = Buffer.from(bytes.subarray(0, at));
    if (at >= 4) cut.writeInt32LE(at);
    compareReading(`the first ${at} bytes`, cut);
  }
});

test.each([-1, 0.5, 2.5, '3', true, NaN, 2 ** 31, 2 ** 32 + 3, -(2 ** 32), null, [3]])(
  'index %p',
  (index) => {
    const bytes = Buffer.concat([
      Buffer.alloc(3),
      bson.serialize(makeBase(bson)),
      Buffer.alloc(70_000),
    ]);
    for (const first of [0, 1, 3]) {
      bytes[0] = first;
      compareReading(String(index), bytes, { index, allowObjectSmallerThanBufferSize: true });
      compareReading('as usual', bytes, { index: 3, allowObjectSmallerThanBufferSize: true });
    }
  },
);

describe('limits', () => {
  test('a trie has at most 8192 nodes, and starts anew after many unknown objects', () => {
    const trie = new ShapeTrie();
    const first = trie.root;
    let shape = first;
    let most = 0;
    for (let step = 0; step < 100_000; step++) {
      shape = step % 300 === 0 ? first : trie.followKey(trie.nestedIn(shape), `k${step % 9973}`);
      most = Math.max(most, trie.nodeCount);
    }
    expect(most).toBe(8192);
    expect(trie.followKey(first, 'not there')).toBe(UNKNOWN);
    for (let object = 0; object < 200_000; object++) trie.followKey(first, 'not there');
    expect(trie.root).not.toBe(first);
    expect(trie.nodeCount).toBeLessThan(8192);
    expect(trie.followKey(trie.root, 'not there').key).toBe('not there');
  });

  test('fields of one name have one root, and so have those whose names do not repeat', () => {
    const trie = new ShapeTrie();
    const [one, other] = [trie.root, trie.followKey(trie.root, 'before')].map((shape) =>
      trie.nestedIn(trie.followKey(shape, 'name')),
    );
    expect(one).toBe(other);
    const dictionary = trie.nestedIn(trie.followKey(trie.root, 'dictionary'));
    const names = Array.from({ length: 16 }, (_, index) => `name ${index}`);
    const roots = new Set(names.map((name) => trie.nestedIn(trie.followKey(dictionary, name))));
    expect(roots.size).toBeLessThan(8);
    expect(roots).toContain(trie.unknownFieldOf(dictionary, 'another').nested);
    expect(trie.unknownFieldOf(dictionary, 'name').nested).toBe(one);
  });

  test('keys that do not repeat are those of the document, also when some come again', () => {
    const names = Array.from({ length: 6000 }, (_, index) =>
      index % 2 === 0 ? `${index}`.padEnd(index % 50, '.') : `é${index}`.padEnd(index % 30, '漢'),
    );
    for (const step of [1, 7, 1]) {
      for (let first = 0; first < names.length; first += 100 * step) {
        const fields = names.slice(first, first + 100).map((name) => [name, { name: { name } }]);
        compareReading(`${step}, ${first}`, bson.serialize(Object.fromEntries(fields)));
      }
    }
    compareReading('all', bson.serialize(Object.fromEntries(names.map((name) => [name, 1]))));
  });

  testMore.each(isLong ? [15, 16, 17, 31, 32, 33, 34, 255, 256, 257, 300] : [16, 17, 32, 33, 257])(
    '%d keys, and as many documents with one',
    (count) => {
      const keys = Array.from({ length: count }, (_, index) => `key${index}`);
      const wide = Object.fromEntries(keys.map((key, index) => [key, index]));
      const documents = [
        wide,
        { list: [wide, wide] },
        ...keys.map((key) => ({ [key]: { [key]: 1 } })),
      ];
      for (let visit = 0; visit < 3 + VISITS / (count / 15); visit++) {
        for (const document of documents) {
          compareWriting(`${count} keys`, () => document);
          compareReading(`${count} keys`, bson.serialize(document));
        }
      }
    },
  );

  testMore.each(
    isLong ? [198, 199, 200, 201, 202, 998, 999, 1000, 1001, 1002] : [200, 201, 1000, 1001],
  )('%d levels', (levels) => {
    /** @type {((inner: any, codec: any) => any)[]} */
    const wraps = [
      (inner) => ({ a: inner, b: 1 }),
      (inner) => [inner, 1],
      (inner) => new Map(Object.entries({ a: inner, b: 1 })),
      (inner, { Code }) => new Code('f', { inner }),
      (inner, { DBRef, ObjectId }) =>
        new DBRef('c', new ObjectId(HEX), 'd', { inner, u: undefined }),
      (inner) => ({ toBSON: () => ({ inner }) }),
    ];
    for (const wrap of wraps) {
      const make = (/** @type {any} */ codec) => {
        let document = { leaf: Buffer.from('leaf') };
        for (let level = 0; level < levels; level++) document = wrap(document, codec);
        return { document, after: 1 };
      };
      const bytes = Buffer.from(bson.serialize(make(bson)));
      compareWriting(`${levels} levels`, make);
      const again = bson.serialize(champion.deserialize(bytes));
      expect(Buffer.compare(again, bson.serialize(bson.deserialize(bytes)))).toBe(0);
      // A level takes seven bytes: a wrong origin would find another one.
      const place = { index: 7, allowObjectSmallerThanBufferSize: true };
      const placed = champion.deserialize(Buffer.concat([Buffer.alloc(7), bytes]), place);
      expect(Buffer.compare(again, bson.serialize(placed))).toBe(0);
    }
  });

  testMore('more shapes than are kept, and those seen before', () => {
    const objects = Array.from({ length: OBJECTS }, (_, index) => ({ [`k${index}`]: index, a: 1 }));
    for (const list of [
      objects,
      objects.slice(0, 100),
      [{ k5: 1, a: { b: 2 } }, ...objects.slice(0, 50)],
    ]) {
      const bytes = Buffer.from(bson.serialize({ list }));
      expect(bytes.equals(champion.serialize({ list }))).toBe(true);
      expect(bytes.equals(bson.serialize(champion.deserialize(bytes)))).toBe(true);
    }
    compareWriting('a document from before', makeBase);
    compareReading('a document from before', bson.serialize(makeBase(bson)));
  });

  testMore.each(isLong ? [16.9, 17, 17.1] : [17, 17.1])('a document of %d MiB', (megabytes) => {
    const length = Math.floor(megabytes * MEGABYTE) - 300;
    for (const value of [
      'x'.repeat(length),
      '漢'.repeat(length / 3),
      Buffer.alloc(length),
      new bson.Code('漢'.repeat(length / 3)),
    ]) {
      writeSmall(300);
      const [ours, theirs] = [champion, bson].map((codec) =>
        outcomeOf(() => codec.serialize({ a: 1, value })),
      );
      // bson returns bytes that it has cut off, where the champion throws; see REFUSES_OVERFLOW.
      const isCut = 'value' in theirs && megabytes > 17;
      if ('value' in theirs && !isCut)
        expect('value' in ours ? ours.value.equals(theirs.value) : ours.error).toBe(true);
      else expect('value' in ours ? 'written' : ours.error.name).toBe('RangeError');
    }
    compareWriting('the next document', makeBase);
  });
});

test('without code generation, documents are the same', () => {
  const usual = runProgram('round-trip.js');
  const safe = runProgram('round-trip.js', '--disallow-code-generation-from-strings');
  expect(usual.generates).toBe(true);
  expect(safe).toEqual({ ...usual, generates: false });
});

test('no value, document or input is kept', () => {
  for (const [name, { watched, remaining }] of Object.entries(
    runProgram('watch-values.js', '--expose-gc'),
  )) {
    expect(watched).toBeGreaterThanOrEqual(VISITS);
    expect({ name, remaining }).toEqual({
      name,
      remaining: name === 'kept on purpose' ? watched : 0,
    });
  }
});

describe('results', () => {
  testMore('never change, and share no byte', () => {
    const lengths = Array.from(
      { length: RESULTS },
      (_, index) => (index * 7919) % (index % 50 === 0 ? 9_000 : 700),
    );
    const results = lengths.map((length, index) =>
      champion.serialize({ index, text: 'é'.repeat(length / 2) }),
    );
    for (const [index, result] of results.entries()) {
      const expected = bson.serialize({ index, text: 'é'.repeat(lengths[index] / 2) });
      expect(Buffer.compare(expected, result)).toBe(0);
    }
    for (const result of results) result.fill(0xff);
    for (const [index, result] of results.entries()) {
      result.fill(index & 0x7f);
      expect(
        results[(index + 1) % results.length].every(
          (byte) => byte === 0xff || index + 1 === results.length,
        ),
      ).toBe(true);
    }
  });

  test.each([NaN, -60, 2.5, 2 ** 32, 100, '4'])('outlive a Binary of size %j', (position) => {
    const earlier = Array.from({ length: 40 }, (_, index) => champion.serialize({ index }));
    const before = earlier.map((result) => Buffer.from(result));
    const binary = new bson.Binary(Buffer.from('abc'));
    outcomeOf(() => champion.serialize({ a: 1, binary: Object.assign(binary, { position }) }));
    compareWriting('the next document', () => ({ text: 'x'.repeat(20_000) }));
    for (const [index, result] of earlier.entries()) {
      expect(Buffer.compare(result, before[index])).toBe(0);
    }
  });

  test('keep their memory when one of them is transferred', () => {
    const [first, second] = [champion.serialize({ a: 1 }), champion.serialize({ a: 2 })];
    // Newer versions of Node throw, others ignore the list.
    outcomeOf(() => structuredClone(first, { transfer: [first.buffer] }));
    expect(Buffer.compare(first, bson.serialize({ a: 1 }))).toBe(0);
    expect(Buffer.compare(second, bson.serialize({ a: 2 }))).toBe(0);
    compareWriting('the next document', makeBase);
  });

  test('of reading are views of the same bytes of the input as those of bson', () => {
    for (const text of ['', 'x'.repeat(70_000)]) {
      const document = {
        text,
        in: [{ b: Buffer.from('abc') }],
        uuid: new bson.UUID(),
        old: new bson.Binary(Buffer.alloc(3), 2),
      };
      const bytes = Buffer.concat([Buffer.alloc(3), bson.serialize(document), Buffer.alloc(3)]);
      for (const promoteBuffers of [false, true]) {
        compare('places', (codec) => {
          const options = { index: 3, allowObjectSmallerThanBufferSize: true, promoteBuffers };
          const { in: list, uuid, old } = codec.deserialize(bytes, options);
          return [list[0].b, uuid, old]
            .map((value) => (promoteBuffers ? value : value.buffer))
            .map(showPlace);
        });
      }
      /** @param {Uint8Array} view */
      function showPlace(view) {
        return [
          view.buffer === bytes.buffer,
          view.byteOffset,
          view.byteLength,
          Buffer.isBuffer(view),
        ];
      }
    }
  });
});

describe('wherever the pool ends', () => {
  /** What codecs look up to find the kind of a value. @type {unknown[]} */
  const PROBED = [
    '_bsontype',
    'toBSON',
    'Symbol(Symbol.toStringTag)',
    'Symbol(@@mdb.bson.version)',
  ];
  const TEXTS = ['x', 'é', '漢', '😀'];
  /** @type {[string, (text: string) => object][]} */
  const HOLDERS = [
    ['text', (text) => ({ text })],
    ['item', (text) => ({ list: [text] })],
    ['key', (text) => ({ [text]: 1 })],
    ['key of a Map', (text) => new Map([[text, 1]])],
    ['code', (text) => ({ code: new bson.Code(text) })],
    ['code with scope', (text) => ({ code: new bson.Code(text, { a: 1 }) })],
    ['symbol', (text) => ({ symbol: new bson.BSONSymbol(text) })],
    ['pattern', (text) => ({ in: { pattern: new RegExp(text) } })],
    ['pattern of bson', (text) => ({ pattern: new bson.BSONRegExp(text, 'xi') })],
    ['bytes', (text) => ({ bytes: Buffer.from(text) })],
    ['replaced', (text) => ({ a: { toBSON: () => text } })],
    ['reference', (text) => ({ a: new bson.DBRef(text, /** @type {any} */ (text)) })],
    [
      'rare values',
      (text) => ({
        a: Array.from({ length: text.length / 5 }, () => new bson.Decimal128(Buffer.alloc(16, 7))),
      }),
    ],
    [
      'levels',
      (text) =>
        Array.from({ length: Math.min(190, text.length / 8) }).reduce(
          (inner) => ({ [text.slice(0, 5)]: inner }),
          {},
        ),
    ],
  ];

  testMore.each(HOLDERS)('a long %s is whole', (label, hold) => {
    for (const letter of TEXTS) {
      for (let length = 10; length < 3_000; length += 23 * STEP) {
        for (let small = 0; small <= length % 4; small++) champion.serialize({ a: small });
        compareWriting(`${label} of ${length} ${letter}`, () => hold(letter.repeat(length)));
      }
    }
  });

  testMore('getters and toBSON are called as often and in the same order', () => {
    for (let length = 0; length < 9_000; length += 61 * STEP) {
      for (const value of [
        'x'.repeat(length),
        Buffer.alloc(length),
        new bson.Code('é'.repeat(length / 2)),
      ]) {
        writeSmall(40);
        compare(`calls with ${length}`, (codec) => {
          /** @type {unknown[]} */
          const calls = [];
          const logged = (/** @type {string} */ name) => ({ toBSON: () => (calls.push(name), 1) });
          const inner = new Proxy(
            { a: logged('proxied'), value },
            { get: (target, key) => (calls.push(String(key)), Reflect.get(target, key)) },
          );
          const document = {
            first: logged('first'),
            get got() {
              calls.push('got');
              return 1;
            },
            value,
            list: [value, logged('item')],
            last: logged('last'),
          };
          return [
            codec.serialize(document),
            codec.serialize({ inner }),
            calls.filter((call) => !PROBED.includes(call)),
          ];
        });
      }
    }
  });
});
