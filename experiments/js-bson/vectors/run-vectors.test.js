import { describe, expect, test } from '@jest/globals';
import * as bson from 'bson';
import { LIMITS } from './limits.js';
import { parseVectorFile } from './parse-vector-file.js';
import { runLimits } from './run-limits.js';
import { runVectors } from './run-vectors.js';

/** @import { Codec } from './read-bytes.js' */

const BROKEN = oneField('08', '02');

/**
 * @param {string} type
 * @param {string} value
 * @returns {string} Document with one field `b`.
 */
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

describe('a codec that', () => {
  test('is the reference passes', () => {
    expect(listFailures({})).toEqual([]);
  });

  test('writes a wrong byte fails, with the place of the byte', () => {
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

  test('reads a wrong value fails, with the place of the value', () => {
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

  test('accepts what must be refused fails', () => {
    /** @type {Codec['deserialize']} */
    const deserialize = (bytes, options) =>
      bytes[7] === 2 ? { b: true } : bson.deserialize(bytes, options);
    expect(listFailures({ deserialize })).toContain('boolean: byte 02 / decode, exact');
  });

  test('refuses what must be read fails', () => {
    const deserialize = () => {
      throw new bson.BSONError('no');
    };
    expect(listFailures({ deserialize })).toContain('boolean: true / decode');
  });

  test('refuses with another class of error fails', () => {
    /** @type {Codec['deserialize']} */
    const deserialize = (bytes, options) => {
      if (bytes[7] === 2) throw new RangeError('no');
      return bson.deserialize(bytes, options);
    };
    expect(listFailures({ deserialize })).toContain('boolean: byte 02 / decode, default');
  });

  test('refuses by BSONError what the reference refuses by accident passes', () => {
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

  test('reads a document that was cut short fails', () => {
    /** @type {Codec['deserialize']} */
    const deserialize = (bytes, options) =>
      bytes.length === 7 ? {} : bson.deserialize(bytes, options);
    expect(listFailures({ deserialize })).toContain('boolean: true / decode, cut to 7 bytes');
  });
});

describe('a codec that runs out of stack in deep documents', () => {
  const limits = LIMITS.filter(({ name }) => /nested|fields/.test(name));
  const deepCount = limits.filter(({ isDeep }) => isDeep).length;

  /** @type {Codec['deserialize']} */
  const deserialize = (bytes, options) => {
    const isDeep = Buffer.from(bytes).includes(Buffer.alloc(5_000));
    if (isDeep) throw new RangeError('stack');
    return bson.deserialize(bytes, options);
  };

  test('fails where its variant does not say so', () => {
    const { passed, failures } = runLimits({ ...bson, deserialize }, bson, limits);
    expect(failures).toHaveLength(deepCount);
    expect(failures).toContainEqual({
      vector: 'limits: 10 000 nested scopes',
      check: 'decode, exact',
      path: '(whole document)',
      expected: 'object',
      found: '(absent); instead (decoding): refused RangeError',
    });
    expect(passed).toBe(limits.length - deepCount);
  });

  test('passes where it says so', () => {
    const variant = { idea: 'For this test.', source: 'None.', usesCallStack: true };
    expect(runLimits({ ...bson, deserialize, variant }, bson, limits)).toEqual({
      passed: limits.length,
      failures: [],
    });
  });
});
