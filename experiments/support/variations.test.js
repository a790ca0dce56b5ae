import { readFileSync } from 'node:fs';
import * as bson from 'bson';
import { materializeDocuments } from '../../corpora/support/materialize.js';
import { prepareCorpus } from '../../corpora/support/prepare.js';
import {
  ByteVariations,
  DocumentVariations,
  VALUE_COUNT,
  findWrongResults,
  patternOf,
} from './variations.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';

const directory = makeTestDirectory('variations');

const CORPORA = [
  ...['flat', 'flat@deserialized', 'flat@literal', 'deep', 'full'],
  ...['comments:5', 'movies:5', 'theaters:5', 'users:5', 'object-id:5'],
];

/** @param {bson.Document} document */
function toHex(document) {
  return Buffer.from(bson.serialize(document)).toString('hex');
}

/** @param {Uint8Array} bytes */
function hexOf(bytes) {
  return Buffer.from(bytes).toString('hex');
}

/** @type {(document: bson.Document) => bson.Document} after the first turn */
function varyDocument(document) {
  new DocumentVariations([document]).apply(0);
  return document;
}

/** @type {(document: bson.Document) => bson.Document} as read after the first turn */
function varyBytes(document) {
  const variations = new ByteVariations(Buffer.from(bson.serialize(document)));
  variations.apply(0);
  return bson.deserialize(variations.documents[0]);
}

describe.each(CORPORA)('%s', (label) => {
  test('every turn writes other bytes of the same length, and restoring ends that', async () => {
    const documents = await materializeDocuments(bson, await prepareCorpus(label, { directory }));
    const originals = documents.map(toHex);
    const variations = new DocumentVariations(documents);
    const seen = documents.map((_, index) => new Set([originals[index]]));
    for (let turn = 0; turn < VALUE_COUNT; turn++) {
      variations.apply(turn);
      documents.forEach((document, index) => seen[index].add(toHex(document)));
    }
    for (const hexes of seen) {
      expect(hexes.size).toBe(VALUE_COUNT + 1);
      expect(new Set([...hexes].map(({ length }) => length)).size).toBe(1);
    }
    variations.restore();
    expect(documents.map(toHex)).toEqual(originals);
  });

  test('every turn reads other bytes of the same documents, and restoring ends that', async () => {
    const { files } = await prepareCorpus(label, { directory });
    const file = readFileSync(files.bytes);
    const variations = new ByteVariations(file);
    const shapes = variations.documents.map((bytes) => describeShape(bson.deserialize(bytes)));
    const seen = variations.documents.map((bytes) => new Set([hexOf(bytes)]));
    for (let turn = 0; turn < 100; turn++) {
      variations.apply(turn);
      variations.documents.forEach((bytes, index) => seen[index].add(hexOf(bytes)));
    }
    expect(seen.map(({ size }) => size)).toEqual(seen.map(() => 101));
    expect(variations.documents.map((bytes) => describeShape(bson.deserialize(bytes)))).toEqual(
      shapes,
    );
    variations.restore();
    expect(Buffer.concat(variations.documents).equals(file)).toBe(true);
  });
});

/** @type {(value: any) => unknown} its keys and types */
function describeShape(value) {
  if (typeof value !== 'object' || value === null) return typeof value;
  if ('_bsontype' in value) return value._bsontype;
  return Object.entries(value).map(([key, inner]) => [key, describeShape(inner)]);
}

describe('what varies', () => {
  const id = new bson.ObjectId('0123456789abcdef01234567');
  const long = 'x'.repeat(1_000);

  test.each([
    ['a small integer', { long, a: 1.5, b: 7, c: 8 }, ['b']],
    ['a short text', { long, a: null, b: 'x', c: 8 }, ['b']],
    ['an outer value before an inner one', { a: { b: 1 }, c: 2 }, ['c']],
    ['an inner value that is more suitable', { a: true, b: [{ c: 2 }] }, ['b']],
    ['a date before a fraction', { a: 0.5, b: new Date(5) }, ['b']],
    ['a fraction', { a: true, b: 0.5 }, ['b']],
    ['an id, where there is nothing else', { a: null, id }, ['id']],
    ['no key with a meaning', { $ref: 'x', a: 'y' }, ['a']],
    ['nothing', { a: null, b: [], c: new bson.MinKey() }, []],
  ])('of documents to write: %s', (_, document, keys) => {
    const before = copyOf(document);
    const after = varyDocument(document);
    expect(differingKeys(before, after)).toEqual(keys);
  });

  test.each([
    ['an id', { a: true, id, b: 2 }, ['id']],
    ['an integer', { a: true, b: 2 }, ['b']],
    ['a fraction', { a: 2 ** 40, b: 1.5 }, ['b']],
    ['a text', { a: 'abc', b: 'abcd' }, ['b']],
    ['no text with other characters', { a: 'éabcd', b: 2 }, ['b']],
    ['a date', { a: true, b: new Date(5) }, ['b']],
    ['an inner value', { a: { b: [{ c: 2 }] } }, ['a']],
    ['nothing', { a: null, b: 'abc', c: true }, []],
  ])('of bytes to read: %s', (_, document, keys) => {
    expect(differingKeys(copyOf(document), varyBytes(document))).toEqual(keys);
  });

  test('bytes hardly ever repeat', () => {
    const patterns = Array.from({ length: 10_000 }, (_, turn) => patternOf(turn));
    expect(new Set(patterns).size).toBeGreaterThan(9_900);
  });
});

/** @param {bson.Document} document */
function copyOf(document) {
  return bson.deserialize(bson.serialize(document));
}

/** @type {(before: bson.Document, after: bson.Document) => string[]} */
function differingKeys(before, after) {
  return Object.keys(before).filter(
    (key) => toHex({ value: before[key] }) !== toHex({ value: after[key] }),
  );
}

describe('findWrongResults', () => {
  const state = { turn: -1 };
  const variations = {
    apply: (/** @type {number} */ turn) => void (state.turn = turn),
    restore: () => void (state.turn = -1),
  };
  const encode = (/** @type {string} */ text) => Buffer.from(text);
  const call = () => `turn ${state.turn}`;

  test('finds none without a sample, and none where the repeated call agrees', () => {
    expect(findWrongResults(null, variations, call, encode)).toEqual([]);
    const sample = { turn: 7, results: ['turn 7', 'turn 7'] };
    expect(findWrongResults(sample, variations, call, encode)).toEqual([]);
  });

  test('finds every result that differs', () => {
    const sample = { turn: 7, results: ['turn 6', 'turn 7'] };
    expect(findWrongResults(sample, variations, call, encode)).toEqual([Buffer.from('turn 6')]);
  });
});
