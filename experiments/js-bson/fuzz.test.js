import * as bson from 'bson';
import { gatherPool, runFuzz } from './fuzz.js';

/** @import { Codec } from './vectors/read-bytes.js' */

/** @typedef {(bytes: Buffer, options: object) => any} Deserialize */

const DOCUMENTS = 1_000;
const JOB = { seed: 3, maxMs: 60_000, casesPaths: [], isCareful: false };
const pool = gatherPool(JOB);

/**
 * @param {object} overrides of bson
 * @param {{ firstDocument?: number, maxDocuments?: number }} [range]
 */
function fuzz(overrides, { firstDocument = 0, maxDocuments = DOCUMENTS } = {}) {
  const variant = /** @type {any} */ ({ ...bson, ...overrides });
  return runFuzz(variant, { ...JOB, firstDocument, maxDocuments }, pool);
}

/**
 * bson with another outcome of valid documents.
 * @type {(change: (value: any, bytes: Uint8Array) => any) => { deserialize: Deserialize }}
 */
function changeValue(change) {
  return { deserialize: (bytes, options) => change(bson.deserialize(bytes, options), bytes) };
}

/**
 * bson with another outcome of invalid documents.
 * @type {(handle: () => any) => { deserialize: Deserialize }}
 */
function changeError(handle) {
  return {
    deserialize(bytes, options) {
      try {
        return bson.deserialize(bytes, options);
      } catch {
        return handle();
      }
    },
  };
}

/** @returns {{ deserialize: Deserialize }} */
function makeStateful() {
  let isBroken = false;
  return {
    deserialize(bytes, options) {
      const wasBroken = isBroken;
      isBroken = true;
      const value = bson.deserialize(bytes, options);
      isBroken = false;
      return wasBroken ? {} : value;
    },
  };
}

/** @returns {{ serialize: Codec['serialize'] }} bson with one buffer for all results */
function makeReusing() {
  const memory = Buffer.alloc(2 ** 20);
  return {
    serialize(value, options) {
      const bytes = bson.serialize(value, options);
      memory.set(bytes);
      return memory.subarray(0, bytes.length);
    },
  };
}

test('the reference has no failures', () => {
  const result = fuzz({});
  expect(result).toMatchObject({ documents: DOCUMENTS, differences: 0, failures: [] });
  expect(result.accepted + result.refused).toBe(DOCUMENTS);
  expect(result.checks).toBeGreaterThan(DOCUMENTS);
});

/** @type {[string, object, object][]} */
const FAULTS = [
  [
    'returns another value, shown by the smallest document',
    changeValue((value) => {
      for (const key of Object.keys(value)) if (value[key] === true) value[key] = 1;
      return value;
    }),
    // One boolean field with an empty key: the shortest document that can contain a boolean.
    { kind: 'other-value', hex: '08000000' + '0800' + '01' + '00' },
  ],
  [
    'accepts an invalid document',
    changeError(() => ({})),
    { kind: 'wrongly-read', expected: 'refused by BSONError' },
  ],
  [
    'rejects a valid document',
    changeValue((value) => {
      if (Object.keys(value).length > 3) throw new RangeError('too many');
      return value;
    }),
    { kind: 'not-read', found: 'refused by RangeError' },
  ],
  [
    'throws an undocumented error',
    changeError(() => {
      throw new TypeError('undefined is not a function');
    }),
    { kind: 'other-error', found: 'refused by TypeError' },
  ],
  [
    'reads beyond the document',
    changeValue((value, bytes) => {
      const next = new Uint8Array(bytes.buffer, bytes.byteOffset + bytes.length, 1)[0];
      if (next !== 0) throw new bson.BSONError('no terminator');
      return value;
    }),
    { kind: 'reads-outside' },
  ],
  [
    'writes to its input',
    changeValue((value, bytes) => {
      bytes[0] ^= 1;
      return value;
    }),
    { kind: 'changes-input' },
  ],
  ['fails once more after an error', makeStateful(), { kind: 'broken-after-error' }],
  [
    'writes other bytes for a correct value',
    {
      serialize(/** @type {object} */ value, /** @type {object} */ options) {
        const bytes = bson.serialize(value, options);
        if (bytes.length > 20) bytes[5] ^= 1;
        return bytes;
      },
    },
    { kind: 'other-bytes' },
  ],
  ['changes an earlier result', makeReusing(), { kind: 'changes-result' }],
];

test.each(FAULTS)('finds a variant that %s', (_fault, overrides, failure) => {
  expect(fuzz(overrides).failures).toContainEqual(expect.objectContaining(failure));
});

test('finds a variant that pollutes Object.prototype, and cleans it', () => {
  const polluting = changeValue((value) => {
    if (Object.hasOwn(value, '__proto__')) Object.assign(Object.prototype, { polluted: 1 });
    return value;
  });
  const { failures } = fuzz(polluting);
  expect(failures.map(({ kind }) => kind)).toContain('prototype-pollution');
  expect('polluted' in {}).toBe(false);
});

test('the same seed gives the same documents, whatever the first one of a job', () => {
  const broken = changeValue((value) => (Object.keys(value).length > 2 ? {} : value));
  const [all] = fuzz(broken).failures;
  const again = fuzz(broken, { firstDocument: all.document, maxDocuments: 1 });
  expect(again.failures).toEqual([all]);
});

test('another reference is what the variant is compared with', () => {
  const wrong = /** @type {any} */ ({
    ...bson,
    ...changeValue((value) => ({ ...value, more: 1 })),
  });
  const job = { ...JOB, firstDocument: 0, maxDocuments: 200 };
  expect(runFuzz(wrong, { ...job, reference: wrong }, pool).differences).toBe(0);
  const right = /** @type {any} */ (bson);
  expect(runFuzz(right, { ...job, reference: wrong }, pool).differences).toBeGreaterThan(0);
});
