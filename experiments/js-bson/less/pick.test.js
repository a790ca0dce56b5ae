import * as bson from 'bson';
import { gatherPool, runFuzz } from '../fuzz.js';
import { nameError } from '../vectors/read-bytes.js';
import { loadVectors } from '../vectors/vector-files.js';
import * as fieldOffsets from '../variants/field-offsets.js';
import * as onDemand from '../variants/on-demand.js';
import * as skipFields from '../variants/skip-fields.js';
import { describeValue } from '../../../harness/worker/describe-value.js';
import { listFields, makeObjectPicker } from './pick-objects.js';

const JOB = { seed: 5, firstDocument: 0, maxMs: 60_000, casesPaths: [], isCareful: false };
const pool = gatherPool(JOB);

/** Elements as they are, which no object can hold. @param {object[]} documents each of one element */
function join(...documents) {
  const elements = documents.map((document) => bson.serialize(document).subarray(4, -1));
  const bytes = Buffer.concat([Buffer.alloc(4), ...elements, Buffer.of(0)]);
  bytes.writeInt32LE(bytes.length);
  return bytes;
}

/** @param {() => unknown} call @returns {string} value, or the class of the error */
function outcomeOf(call) {
  try {
    return describeValue(call());
  } catch (error) {
    return `refused by ${nameError(error)}`;
  }
}

describe.each([
  ['skip-fields', skipFields],
  ['field-offsets', fieldOffsets],
  ['on-demand', onDemand],
])('%s', (_, variant) => {
  /** @param {Uint8Array} bytes @param {string[][]} paths */
  function expectSame(bytes, paths) {
    const expected = outcomeOf(() => makeObjectPicker(bson.deserialize, paths)(bytes));
    expect(outcomeOf(() => variant.makePicker(paths)(bytes))).toBe(expected);
  }

  /** @param {object} document @param {string[][]} paths */
  function expectSameFor(document, paths) {
    expectSame(bson.serialize(document), paths);
  }

  test('fields of valid vectors, and keys of these that are missing', () => {
    for (const { vectors } of loadVectors()) {
      for (const { bytes } of vectors) {
        let document;
        try {
          document = bson.deserialize(bytes);
        } catch {
          continue;
        }
        const paths = [...listFields(document), ...Object.keys(document).map((key) => [key])];
        expectSame(bytes, [...paths, ...paths.map((path) => [...path, 'more'])]);
      }
    }
  });

  test('fields of several levels, also of a document that is a field itself', () => {
    const document = { a: { b: { c: 1, d: 'é' }, e: [{ f: 2 }] }, '': { '': 3 }, g: null };
    expectSameFor(document, [['a', 'b', 'd'], ['a'], ['a', 'b'], ['a', 'e'], ['', ''], ['g', 'h']]);
    expectSameFor(document, [
      ['a', 'e', '0', 'f'],
      ['a', 'b', 'c', 'x'],
      ['toString'],
      ['__proto__'],
    ]);
    expectSameFor(JSON.parse('{"__proto__":{"a":1}}'), [['__proto__', 'a'], ['__proto__']]);
  });

  test('of a key that repeats the last value counts', () => {
    const paths = [['a'], ['a', 'b'], ['a', 'c']];
    expectSame(join({ a: 1 }, { a: 2 }), paths);
    expectSame(join({ a: { b: 1 } }, { a: { c: 2 } }), paths);
    expectSame(join({ a: { b: 1 } }, { a: 3 }), paths);
    expectSame(join({ a: 3 }, { a: { b: 1 } }, { z: 0 }), paths);
  });

  test('a DBRef is no document', () => {
    const document = { a: { $ref: 'c', $id: 1, b: 2 }, d: { $ref: 'c', b: 2 } };
    expectSameFor(document, [['a', 'b'], ['a', '$id'], ['d', 'b'], ['d', '$ref'], ['a']]);
  });

  test('keys that UTF-8 cannot represent', () => {
    const bytes = Buffer.from(bson.serialize({ kx: 1, '\uFFFD': 2 }));
    bytes[bytes.indexOf('k')] = 0xff;
    expectSame(bytes, [['\uFFFDx'], ['\uFFFD'], ['\ud800'], ['kx']]);
  });

  test('a damaged field is refused, damage elsewhere is not seen', () => {
    const bytes = bson.serialize({ a: 'text', b: { c: true }, d: 1 });
    const damaged = Buffer.from(bytes);
    damaged[damaged.indexOf('text')] = 0xff;
    expect(() => variant.makePicker([['a']])(damaged)).toThrow(bson.BSONError);
    expect(variant.makePicker([['b', 'c'], ['d']])(damaged)).toEqual([true, 1]);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => variant.makePicker([['d']])(bytes.subarray(0, length))).toThrow();
    }
    damaged.writeInt32LE(bytes.length + 1);
    expect(() => variant.makePicker([['d']])(damaged)).toThrow(bson.BSONError);
  });

  test('results of one picker are independent', () => {
    const pick = variant.makePicker([['a'], ['b']]);
    const first = pick(bson.serialize({ a: 1, b: 2 }));
    expect(pick(bson.serialize({ b: 3 }))).toEqual([undefined, 3]);
    expect(first).toEqual([1, 2]);
  });

  test('fuzzed documents', () => {
    const { failures } = runFuzz(variant, { ...JOB, maxDocuments: 2_000 }, pool);
    expect(failures).toEqual([]);
  });
});

test('fuzzing finds a wrong field', () => {
  /** @param {string[][]} paths */
  const makePicker = (paths) => {
    const pick = makeObjectPicker(bson.deserialize, paths);
    return (/** @type {Uint8Array} */ bytes) => pick(bytes).map((value) => value ?? null);
  };
  const { failures } = runFuzz({ ...bson, makePicker }, { ...JOB, maxDocuments: 2_000 }, pool);
  expect(failures.map(({ kind }) => kind)).toContain('other-value');
});
