import * as bson from 'bson';
import { testMore } from '../../../harness/testing/support/gates.js';
import { loadVariants } from '../codec/test-support/variants.js';
import { runVectors } from './check-vectors.js';
import { loadVectors, parseVectorFile } from './vector-files.js';

/** @import { Codec } from './read-bytes.js' */

const BROKEN = oneField('08', '02');

/** @type {(type: string, value: string) => string} Document with one field `b`. */
function oneField(type, value) {
  return `09000000 ${type} 6200 ${value} 00`;
}

const FILE = parseVectorFile(
  JSON.stringify({
    type: 'boolean',
    typeByte: '08',
    summary: 'For these tests.',
    vectors: [
      { name: 'true', kind: 'valid', bson: oneField('08', '01'), extendedJson: { b: true } },
      {
        name: 'twice',
        kind: 'degenerate',
        bson: '0d000000 08 6200 00 08 6200 01 00',
        reencoded: oneField('08', '01'),
      },
      { name: 'byte 02', kind: 'decode-error', bson: BROKEN },
    ],
  }),
  'boolean.json',
);

/**
 * @param {Partial<Codec>} changes To the reference.
 * @returns {string[]} `vector / check` of each failure.
 */
function listFailures(changes) {
  const { passed, failures } = runVectors({ ...bson, ...changes }, bson, [FILE]);
  const failed = new Set(failures.map(({ vector }) => vector));
  expect(passed).toBe(FILE.vectors.length - failed.size);
  return failures.map(({ vector, check }) => `${vector} / ${check}`);
}

describe('runVectors', () => {
  test('passes the reference', () => {
    expect(listFailures({})).toEqual([]);
  });

  test('finds a wrong byte and its place', () => {
    /** @type {Codec['serialize']} */
    const serialize = (document) => {
      const bytes = bson.serialize(document);
      if (bytes.length === 9) bytes[7] = 7;
      return bytes;
    };
    const { failures } = runVectors({ ...bson, serialize }, bson, [FILE]);
    expect(failures[0]).toEqual({
      vector: 'boolean: true',
      check: 'encode',
      path: 'b',
      expected: 'boolean value, offset 7: … 00 08 62 00 [01] 00',
      found: 'offset 7: … 00 08 62 00 [07] 00',
    });
    expect(listFailures({ serialize })).toContain('boolean: twice / encode');
    expect(listFailures({ serialize })).toContain('boolean: true / encode from Extended JSON');
  });

  test('finds a wrong value and its place', () => {
    /** @type {Codec['deserialize']} */
    const deserialize = (bytes, options) => {
      const document = bson.deserialize(bytes, options);
      return 'b' in document ? { ...document, b: document['b'] ? 1 : 0 } : document;
    };
    const { failures } = runVectors({ ...bson, deserialize }, bson, [FILE]);
    expect(failures).toContainEqual({
      vector: 'boolean: true',
      check: 'decode, default',
      path: 'b',
      expected: 'boolean true',
      found: 'number 1',
    });
    expect(listFailures({ deserialize })).toContain('boolean: true / Extended JSON');
  });

  test('finds an accepted document that must be rejected', () => {
    /** @type {Codec['deserialize']} */
    const deserialize = (bytes, options) =>
      bytes[7] === 2 ? { b: true } : bson.deserialize(bytes, options);
    expect(listFailures({ deserialize })).toContain('boolean: byte 02 / decode, exact');
  });

  test('finds a rejected document that must be accepted', () => {
    const deserialize = () => {
      throw new bson.BSONError('no');
    };
    expect(listFailures({ deserialize })).toContain('boolean: true / decode');
  });

  test('finds an error of another class', () => {
    /** @type {Codec['deserialize']} */
    const deserialize = (bytes, options) => {
      if (bytes[7] === 2) throw new RangeError('no');
      return bson.deserialize(bytes, options);
    };
    expect(listFailures({ deserialize })).toContain('boolean: byte 02 / decode, default');
  });

  test('accepts a BSONError where the reference fails by accident', () => {
    const vectors = [{ name: 'no value', kind: 'decode-error', bson: '08000000 12 6e00 00' }];
    const file = { type: 'int64', typeByte: '12', summary: 'For this test.', vectors };
    const parsed = parseVectorFile(JSON.stringify(file), 'int64.json');
    /** @type {Codec['deserialize']} */
    const deserialize = (bytes, options) => {
      if (bytes.length === 8) throw new bson.BSONError('no');
      return bson.deserialize(bytes, options);
    };
    const noValue = Buffer.from('08000000126e0000', 'hex');
    expect(() => bson.deserialize(noValue, { useBigInt64: true })).toThrow(RangeError);
    expect(runVectors({ ...bson, deserialize }, bson, [parsed])).toEqual({
      passed: 1,
      failures: [],
    });
  });

  test('finds an accepted document that was truncated', () => {
    /** @type {Codec['deserialize']} */
    const deserialize = (bytes, options) =>
      bytes.length === 7 ? {} : bson.deserialize(bytes, options);
    expect(listFailures({ deserialize })).toContain('boolean: true / decode, cut to 7 bytes');
  });
});

// One value of each type that the specification lists, in hex.
const TYPE_BYTES = Array.from({ length: 0x13 }, (_, index) =>
  (index + 1).toString(16).padStart(2, '0'),
);

const files = loadVectors();
const variants = await loadVariants();

describe('the vectors', () => {
  test('cover every BSON type', () => {
    const covered = new Set(files.map(({ typeByte }) => typeByte));
    expect([...TYPE_BYTES, '7f', 'ff'].filter((byte) => !covered.has(byte))).toEqual([]);
  });

  test.each(files)('of $type have valid and invalid documents', ({ vectors }) => {
    const isInvalid = new Set(vectors.map(({ kind }) => kind === 'decode-error'));
    expect(isInvalid).toEqual(new Set([true, false]));
  });

  testMore.each([['the reference', bson], ...variants])('hold for %s', (_name, codec) => {
    const { passed, failures } = runVectors(codec, bson, files);
    expect(failures).toEqual([]);
    expect(passed).toBe(files.flatMap(({ vectors }) => vectors).length);
  });
});
