import * as bson from 'bson';
import { listCorpusModules, loadCorpora } from '../../../corpora/support/registry.js';
import { gatherPool, runFuzz } from '../fuzz.js';
import { nameError } from '../vectors/read-bytes.js';
import { loadVectors } from '../vectors/vector-files.js';
import * as jsonBytes from '../variants/json-bytes.js';
import * as jsonText from '../variants/json-text.js';

const JOB = { seed: 5, firstDocument: 0, maxMs: 60_000, casesPaths: [], isCareful: false };
const pool = gatherPool(JOB);

/** @type {(make: () => unknown) => string} text, or the class of the error */
function outcomeOf(make) {
  try {
    return String(make());
  } catch (error) {
    return `refused by ${nameError(error)}`;
  }
}

/** Documents of one element. @type {(type: number, value: Uint8Array, key?: Uint8Array) => Buffer} */
function wrap(type, value, key = Buffer.from('k')) {
  const bytes = Buffer.concat([
    Buffer.of(0, 0, 0, 0, type),
    key,
    Buffer.of(0),
    value,
    Buffer.of(0),
  ]);
  bytes.writeInt32LE(bytes.length);
  return bytes;
}

/** @param {Uint8Array} text */
function wrapText(text) {
  const size = Buffer.alloc(4);
  size.writeInt32LE(text.length + 1);
  return wrap(2, Buffer.concat([size, text, Buffer.of(0)]));
}

/** Elements as they are, which no object can hold. @param {Uint8Array[]} documents each of one document */
function join(...documents) {
  const elements = documents.map((document) => document.subarray(4, -1));
  const bytes = Buffer.concat([Buffer.alloc(4), ...elements, Buffer.of(0)]);
  bytes.writeInt32LE(bytes.length);
  return bytes;
}

/** @param {number} depth */
function nest(depth) {
  let document = /** @type {object} */ ({ end: 1 });
  for (let level = 0; level < depth; level++)
    document = level % 3 === 0 ? [document] : { document };
  return bson.serialize({ document });
}

describe.each([
  ['json-text', jsonText],
  ['json-bytes', jsonBytes],
])('%s', (_, variant) => {
  const { bsonToJson } = variant;

  /**
   * As with objects: the same text, or the error of `deserialize`, of which only some classes are those of bson.
   * @param {Uint8Array} bytes
   */
  function expectSame(bytes) {
    const [ofBson, expected] = [bson, variant].map(({ deserialize }) =>
      outcomeOf(() => JSON.stringify(deserialize(bytes))),
    );
    expect(outcomeOf(() => bsonToJson(bytes))).toBe(expected);
    if (!expected.startsWith('refused by')) expect(expected).toBe(ofBson);
  }

  /** @param {object} document @param {object} [options] */
  function expectSameFor(document, options) {
    expectSame(bson.serialize(document, options));
  }

  test('vectors, valid or not', () => {
    for (const { vectors } of loadVectors()) for (const { bytes } of vectors) expectSame(bytes);
  });

  test('documents of every corpus', async () => {
    for (const module of listCorpusModules()) {
      for (const corpus of await loadCorpora(module)) {
        for (const document of corpus.documents(corpus.defaultCount && 3)) expectSameFor(document);
      }
    }
  });

  test('every character of ASCII is escaped as in JSON, wherever it is', () => {
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code);
      for (const before of ['', 'a', 'ab', 'abc']) {
        expectSameFor({ text: `${before}${character}${before}`, list: [character] });
      }
      if (code > 0) expectSameFor({ [`a${character}b`]: 1 });
    }
  });

  test('longer characters are copied, and invalid UTF-8 is refused', () => {
    for (const code of [0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x10ffff]) {
      for (const after of ['', 'a', 'abcd']) {
        expectSameFor({ text: `${String.fromCodePoint(code)}${after}` });
      }
    }
    const firsts = [0x80, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef];
    for (const first of [...firsts, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff]) {
      for (const second of [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0]) {
        for (const rest of [[], [0x80], [0x80, 0xbf], [0x80, 0x41], [0xc0]]) {
          expectSame(wrapText(Buffer.of(0x61, first, second, ...rest)));
        }
      }
    }
  });

  test('numbers', () => {
    const integers = [0, -0, 9, 10, 99, 100, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 2 ** 53, -(2 ** 53)];
    const others = [0.1, -1e21, 5e-324, 1.7976931348623157e308, NaN, Infinity, -Infinity, 1e-7];
    for (const value of [...integers, ...others]) {
      expectSameFor({ value, double: new bson.Double(value) });
      if (Number.isFinite(value)) expectSameFor({ long: bson.Long.fromNumber(value) });
    }
    for (let power = 0; power < 31; power++) expectSameFor({ value: [2 ** power, -(2 ** power)] });
    for (const text of ['9007199254740991', '9007199254740992', '9007199254740993', '-1']) {
      expectSameFor({ long: bson.Long.fromString(text) });
      expectSameFor({ long: bson.Long.fromString(`-${text}`.replace('--', '')) });
    }
  });

  test('dates of every month, before and after the years of four digits, and invalid ones', () => {
    for (let month = -24_000; month < 100_000; month += 41) {
      expectSameFor({ date: new Date(Date.UTC(1970, month, 1) - 1) });
      expectSameFor({ date: new Date(Date.UTC(1970, month, 29, 23, 59, 58, month & 1023)) });
    }
    for (const text of ['0000-01-01', '0000-02-29', '9999-12-31T23:59:59.999Z', '2000-02-29']) {
      for (const delta of [-1, 0, 1]) expectSameFor({ date: new Date(Date.parse(text) + delta) });
    }
    for (const ms of [8.64e15, -8.64e15]) expectSameFor({ date: new Date(ms) });
    expectSame(wrap(9, Buffer.alloc(8, 0x7f)));
    expectSame(wrap(9, Buffer.alloc(8, 0x80)));
  });

  test('fields are in the order of objects, and of keys that repeat the last one counts', () => {
    expectSameFor({ b: 1, 10: 2, 9: 3, a: { x: 1, 0: 2 } });
    expectSameFor({ '01': 1, '-1': 2, 1.5: 3, 4294967295: 4, 4294967294: 5 });
    const int = (/** @type {string} */ key, /** @type {number} */ value) =>
      bson.serialize({ [key]: value });
    expectSame(join(int('a', 1), int('b', 2), int('a', 3)));
    expectSame(join(int('a', 1), bson.serialize({ a: undefined }, { ignoreUndefined: false })));
    // Both keys are read as U+FFFD.
    const value = Buffer.of(1, 0, 0, 0);
    expectSame(join(wrap(16, value, Buffer.of(0xff)), wrap(16, value, Buffer.of(0xfe))));
    expectSameFor(JSON.parse('{"a":1,"__proto__":{"b":2},"constructor":3,"toJSON":4,"":5}'));
  });

  test('values that objects have in another form', () => {
    const id = new bson.ObjectId();
    expectSameFor({ a: { $ref: 'c', $id: id }, b: { $id: id, $ref: 'c', more: 1, $db: 'd' } });
    expectSameFor({ a: { $ref: 'c' }, b: { $set: 1, $ref: 'c', $id: id }, $ref: 'c', $id: id });
    expectSameFor({ code: new bson.Code('f()', { a: 1 }), plain: new bson.Code('"') });
    expectSameFor(
      { a: undefined, b: [undefined], c: { d: undefined } },
      { ignoreUndefined: false },
    );
    expectSameFor({});
    expectSameFor({ a: [], b: {}, c: [[], {}] });
  });

  test('nesting of any depth', () => {
    for (const depth of [1, 198, 199, 200, 201, 2_000]) expectSame(nest(depth));
  });

  test('text that is much longer than the document', () => {
    const long = bson.Long.MIN_VALUE;
    expectSameFor({ '': Array.from({ length: 30_000 }, () => long) });
    expectSameFor({ '': '\u0001'.repeat(200_000) });
    expectSameFor({ a: 1 });
  });

  test('a result stays as it is, and any Uint8Array can be read', () => {
    const first = bsonToJson(bson.serialize({ a: 1 }));
    const plain = new Uint8Array(bson.serialize({ a: 2 }));
    expect(String(bsonToJson(plain))).toBe('{"a":2}');
    expect(String(first)).toBe('{"a":1}');
  });

  test('more keys than are remembered', () => {
    for (let number = 0; number < 8_300; number++) {
      expectSameFor({ [`k${number}`]: number, in: { [`k${number % 50}`]: 1 } });
    }
    expectSameFor(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 1])));
    expectSameFor({ ['k'.repeat(100)]: 1 });
  });

  test('fuzzed documents', () => {
    const { failures } = runFuzz(variant, { ...JOB, maxDocuments: 2_000 }, pool);
    expect(failures).toEqual([]);
  });
});

test('a toBSON may make text while the champion writes', () => {
  const inner = bson.serialize({ text: 'x'.repeat(50) });
  const document = { text: 'y'.repeat(9_000), a: { toBSON: () => jsonBytes.bsonToJson(inner) } };
  expect(Buffer.compare(jsonBytes.serialize(document), bson.serialize(document))).toBe(0);
});

test('fuzzing finds text that differs from that of objects', () => {
  const wrong = (/** @type {Uint8Array} */ bytes) =>
    Buffer.from(JSON.stringify(bson.deserialize(bytes)).replaceAll('true', 'false'));
  const { failures } = runFuzz(
    { ...bson, bsonToJson: wrong },
    { ...JOB, maxDocuments: 2_000 },
    pool,
  );
  expect(failures.map(({ kind }) => kind)).toContain('other-value');
});
