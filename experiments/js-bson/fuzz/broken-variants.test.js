import { expect, test } from '@jest/globals';
import * as bson from 'bson';
import { runFuzz } from './run-fuzz.js';

/**
 * @param {object} overrides what is wrong with the variant
 * @param {number} [maxDocuments]
 */
function fuzz(overrides, maxDocuments = 3_000) {
  return runFuzz(/** @type {any} */ ({ ...bson, ...overrides }), bson, {
    seed: 1,
    firstDocument: 0,
    maxDocuments,
    maxMs: 60_000,
    casesPaths: [],
    isCareful: false,
  });
}

/** @type {(change: (value: any, bytes: Uint8Array) => any) => object} */
const changeValue = (change) => ({
  deserialize: (/** @type {Uint8Array} */ bytes, /** @type {object} */ options) =>
    change(bson.deserialize(bytes, options), bytes),
});

/** @type {(handle: (error: Error) => any) => object} */
const changeError = (handle) => ({
  deserialize(/** @type {Uint8Array} */ bytes, /** @type {object} */ options) {
    try {
      return bson.deserialize(bytes, options);
    } catch (error) {
      return handle(/** @type {Error} */ (error));
    }
  },
});

test('a variant that is right has no failures', () => {
  const result = fuzz({});
  expect(result).toMatchObject({ documents: 3_000, differences: 0, failures: [] });
  expect(result.accepted + result.refused).toBe(3_000);
  expect(result.checks).toBeGreaterThan(3_000);
});

test('another value is found, and shown by the smallest document', () => {
  const { failures } = fuzz(
    changeValue((value) => {
      for (const key of Object.keys(value)) if (value[key] === true) value[key] = 1;
      return value;
    }),
  );
  const found = failures.find(({ kind }) => kind === 'other-value');
  // A document with one boolean field with an empty key, as short as BSON can say it.
  expect(found).toMatchObject({ hex: '080000000800' + '01' + '00', options: {} });
});

test('a document that ought to be refused', () => {
  const { failures } = fuzz(changeError(() => ({})));
  expect(failures).toContainEqual(
    expect.objectContaining({ kind: 'wrongly-read', expected: 'refused by BSONError' }),
  );
});

test('a document that ought to be read', () => {
  const { failures } = fuzz(
    changeValue((value) => {
      if (Object.keys(value).length > 3) throw new RangeError('too many');
      return value;
    }),
  );
  expect(failures).toContainEqual(
    expect.objectContaining({ kind: 'not-read', found: 'refused by RangeError' }),
  );
});

test('an error of a class that nobody promised', () => {
  const { failures } = fuzz(
    changeError(() => {
      throw new TypeError('undefined is not a function');
    }),
  );
  expect(failures).toContainEqual(
    expect.objectContaining({ kind: 'other-error', found: 'refused by TypeError' }),
  );
});

test('a reader that looks beyond the document', () => {
  const { failures } = fuzz({
    deserialize(/** @type {Buffer} */ bytes, /** @type {object} */ options) {
      const beyond = new Uint8Array(bytes.buffer, bytes.byteOffset + bytes.length, 1)[0];
      if (beyond !== 0) throw new bson.BSONError('no terminator');
      return bson.deserialize(bytes, options);
    },
  });
  expect(failures.map(({ kind }) => kind)).toContain('reads-outside');
});

test('a reader that writes to its input', () => {
  const { failures } = fuzz(
    changeValue((value, bytes) => {
      bytes[0] ^= 1;
      return value;
    }),
  );
  expect(failures.map(({ kind }) => kind)).toContain('changes-input');
});

test('a reader that pollutes prototypes, which are clean afterwards', () => {
  const { failures } = fuzz(
    changeValue((value) => {
      if (Object.hasOwn(value, '__proto__')) Object.assign(Object.prototype, { polluted: 1 });
      return value;
    }),
    30_000,
  );
  expect(failures.map(({ kind }) => kind)).toContain('prototype-pollution');
  expect('polluted' in {}).toBe(false);
});

test('a reader that is broken after an error', () => {
  let isBroken = false;
  const { failures } = fuzz({
    deserialize(/** @type {Buffer} */ bytes, /** @type {object} */ options) {
      const wasBroken = isBroken;
      isBroken = true;
      const value = bson.deserialize(bytes, options);
      isBroken = false;
      return wasBroken ? {} : value;
    },
  });
  expect(failures.map(({ kind }) => kind)).toContain('broken-after-error');
});

test('other bytes, for a value that was read right', () => {
  const { failures } = fuzz({
    serialize(/** @type {object} */ value, /** @type {object} */ options) {
      const bytes = bson.serialize(value, options);
      if (bytes.length > 20) bytes[5] ^= 1;
      return bytes;
    },
  });
  expect(failures.map(({ kind }) => kind)).toContain('other-bytes');
});

test('the same seed gives the same documents, wherever a job begins', () => {
  const broken = changeValue((value) => (Object.keys(value).length > 2 ? {} : value));
  const [all] = fuzz(broken).failures;
  const again = runFuzz(/** @type {any} */ ({ ...bson, ...broken }), bson, {
    seed: 1,
    firstDocument: all.document,
    maxDocuments: 1,
    maxMs: 60_000,
    casesPaths: [],
    isCareful: false,
  });
  expect(again.failures).toEqual([all]);
});
