import { Binary, BSONRegExp, Code, Long, ObjectId, serialize } from 'bson';
import { describeValue } from '../../harness/worker/describe-value.js';
import { explainByteDifference, explainTextDifference } from './explain-difference.js';

/**
 * @param {Record<string, unknown>} expected
 * @param {Record<string, unknown>} found
 * @returns {import('./explain-difference.js').Explanation}
 */
function explainBytes(expected, found) {
  return explainByteDifference(serialize(expected), serialize(found));
}

/** @type {(expected: unknown, found: unknown) => import('./explain-difference.js').Explanation} */
function explainText(expected, found) {
  return explainTextDifference(
    Buffer.from(describeValue(expected)),
    Buffer.from(describeValue(found)),
  );
}

describe('a difference between bytes', () => {
  test('is located at the element of the expected document', () => {
    expect(explainBytes({ a: { b: [1, 2, 3] } }, { a: { b: [1, 2, 4] } })).toEqual({
      path: 'a.b[2]',
      expected: 'int32 value, offset 35: … 00 10 32 00 [03] 00 00 00 00 …',
      found: 'offset 35: … 00 10 32 00 [04] 00 00 00 00 …',
    });
  });

  test.each([
    ['type byte', { a: { b: 1 } }, { a: { b: -0.5 } }, 'a.b', 'int32 type byte'],
    ['key', { a: { bc: 1 } }, { a: { bd: 1 } }, 'a.bc', 'int32 key'],
    ['length of a string', { a: { b: 'xy' } }, { a: { b: 'xyz' } }, 'a.b', 'string length'],
    ['text of a string', { a: { b: 'xy' } }, { a: { b: 'xz' } }, 'a.b', 'string value'],
    ['missing element', { a: { b: 1, c: 1 } }, { a: { b: 1 } }, 'a.c', 'int32 type byte'],
    ['extra element', { a: { b: 1 } }, { a: { b: 1, c: 1 } }, 'a', 'document terminator'],
    ['options', rx('i'), rx('m'), 'a[1]', 'regex value'],
    ['subtype', { a: bin(1), b: 1 }, { a: bin(0x80), b: 1 }, 'a', 'binary value'],
    [
      'code',
      { a: new Code('f', { x: 1 }) },
      { a: new Code('g', { x: 1 }) },
      'a',
      'code with scope value',
    ],
    [
      'scope',
      { a: new Code('f', { x: 1 }) },
      { a: new Code('f', { x: 2 }) },
      'a<scope>.x',
      'int32 value',
    ],
    ['after each type', everyType(1), everyType(2), 'last', 'int32 value'],
    ['odd key', { 'a b': 1 }, { 'a b': 2 }, '"a b"', 'int32 value'],
  ])('names the part: %s', (_, expected, found, path, part) => {
    const explanation = explainBytes(expected, found);
    expect(explanation.path).toBe(path);
    expect(explanation.expected.split(',')[0]).toBe(part);
  });

  test('in the size alone is located at the size', () => {
    const found = serialize({ a: { b: 1 } });
    found[7] = 99;
    expect(explainByteDifference(serialize({ a: { b: 1 } }), found)).toEqual({
      path: 'a',
      expected: 'document size, offset 7: … 00 03 61 00 [0c] 00 00 00 10 …',
      found: 'offset 7: … 00 03 61 00 [63] 00 00 00 10 …',
    });
  });

  test('in length names both lengths', () => {
    const bytes = serialize({ a: 1 });
    expect(explainByteDifference(bytes, bytes.subarray(0, 9))).toEqual({
      path: 'a',
      expected: 'int32 value, offset 9: … 61 00 01 00 [00] 00 00',
      found: 'offset 9: … 61 00 01 00 [end], 9 bytes, not 12',
    });
    expect(explainByteDifference(bytes, Buffer.concat([bytes, bytes]))).toEqual({
      path: '(whole document)',
      expected: 'after the end, offset 12: … 00 00 00 00 [end]',
      found: 'offset 12: … 00 00 00 00 [0c] 00 00 00 10 …, 24 bytes, not 12',
    });
  });

  test('accepts invalid BSON as expected and found', () => {
    const good = serialize(everyType(1));
    const wrong = [];
    for (let position = 0; position < good.length; position++) {
      for (const byte of [0x00, 0x02, 0x0f, 0xff]) {
        const broken = Uint8Array.from(good);
        broken[position] = byte;
        for (const [expected, found] of [
          [good, broken],
          [broken, good],
        ]) {
          const { path, ...texts } = explainByteDifference(
            /** @type {Uint8Array} */ (expected),
            /** @type {Uint8Array} */ (found),
          );
          const isShort = Math.max(texts.expected.length, texts.found.length) < 80;
          const isRight = (texts.found === 'the same') === (good[position] === byte);
          if (path === '' || !isShort || !isRight) wrong.push({ position, byte, path, ...texts });
        }
      }
    }
    expect(wrong).toEqual([]);
    const nothing = new Uint8Array();
    expect(explainByteDifference(good, nothing).found).toBe(
      `offset 0: [end], 0 bytes, not ${good.length}`,
    );
    expect(explainByteDifference(nothing, good).path).toBe('(whole document)');
  });

  test('is found 10 000 levels down', () => {
    const explanation = explainByteDifference(nestBytes(10_000, 1), nestBytes(10_000, 2));
    expect(explanation.path).toMatch(/^a\.a.*deep\)\.a.*\.end$/);
    expect(explanation.expected).toMatch(
      /^int32 value, offset \d+: … 65 6e 64 00 \[01] 00 00 00 00 …$/,
    );
  });
});

describe('a difference between descriptions', () => {
  test.each([
    ['value', { a: [1, 2] }, { a: [1, 3] }, 'a[1]', 'number 2', 'number 3'],
    ['longer value', { a: 1 }, { a: 12 }, 'a', 'number 1', 'number 12'],
    ['type', { a: 1, b: 1 }, { a: 1n, b: 1 }, 'a', 'number 1', 'bigint 1'],
    ['missing', { a: 1, b: 2, c: 3 }, { a: 1, c: 3 }, 'b', 'number 2', '(absent)'],
    ['missing at the end', { a: 1, b: 2 }, { a: 1 }, 'b', 'number 2', '(absent)'],
    ['extra', { a: 1, c: 3 }, { a: 1, b: {}, c: 3 }, 'b', '(absent)', 'object'],
    ['extra at the end', { a: 1 }, { a: 1, b: 2 }, 'b', '(absent)', 'number 2'],
    ['renamed', { a: 1 }, { b: 1 }, 'a', 'number 1', '(absent); instead b: number 1'],
    ['order', { a: 1, b: 2 }, { b: 2, a: 1 }, 'a', 'number 1', 'later; here comes b'],
    ['whole', 1, 2, '(whole document)', 'number 1', 'number 2'],
    ['none', { a: 1 }, { a: 1 }, '(whole document)', 'the same', 'the same'],
  ])('%s', (_, one, other, path, expected, found) => {
    expect(explainText(one, other)).toEqual({ path, expected, found });
  });

  test('in a long value is shown with the text around it', () => {
    const explanation = explainText(
      { a: `${'x'.repeat(1000)}é${'y'.repeat(1000)}` },
      { a: `${'x'.repeat(1000)}è${'y'.repeat(1000)}` },
    );
    expect(explanation.expected).toBe(
      `string …${'x'.repeat(24)}é${'y'.repeat(39)}… (2010 characters)`,
    );
    expect(explanation.found).toContain('xè');
  });
});

/** @type {(options: string) => Record<string, unknown>} */
function rx(options) {
  return { a: [0, new BSONRegExp('p', options)] };
}

/** @type {(subtype: number) => Binary} */
function bin(subtype) {
  return new Binary(Buffer.from([1, 2, 3]), subtype);
}

/** @type {(last: number) => Record<string, unknown>} */
function everyType(last) {
  return {
    double: 1.5,
    string: 'text',
    document: { inner: [] },
    binary: bin(2),
    objectId: new ObjectId('64f0c3a1b2d4e5f60718293a'),
    boolean: true,
    date: new Date(5),
    null: null,
    regex: new BSONRegExp('a', 'i'),
    code: new Code('f'),
    scope: new Code('f', { x: { y: 1 } }),
    int64: Long.fromInt(5),
    last,
  };
}

/** @type {(depth: number, end: number) => Uint8Array} */
function nestBytes(depth, end) {
  /** @type {Record<string, unknown>} */
  let document = { end };
  for (let level = 0; level < depth; level++) document = { a: document };
  return serialize(document);
}
