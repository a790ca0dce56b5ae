import { deserialize, serialize } from 'bson';
import { describeDocuments, writeDescriptions } from './describe.js';

/** @type {(documents: object[]) => { bytes: Uint8Array, document: import('bson').Document }[]} */
function encode(documents) {
  return documents.map((document) => {
    const bytes = serialize(document);
    return { bytes, document: deserialize(bytes, { promoteValues: false }) };
  });
}

test('shapes depend on the order of keys, at every level', () => {
  const documents = encode([
    { a: 1, b: 2 },
    { b: 1, a: 2 },
    { a: 3, b: { a: 1, b: 2 } },
  ]);
  expect(describeDocuments(documents)).toMatchObject({ documents: 3, objects: 4, shapes: 2 });
});

test('a key is known if it occurred before, anywhere', () => {
  const documents = encode([{ a: 1, b: { a: 2 } }, { a: 3 }]);
  expect(describeDocuments(documents).knownKeys).toBe(0.5);
});

test('text is measured in bytes, characters and strings', () => {
  const documents = encode([{ a: 'xyz', b: 'é', n: 1 }]);
  expect(describeDocuments(documents)).toMatchObject({
    text: 5 / serialize({ a: 'xyz', b: 'é', n: 1 }).length,
    nonAscii: 0.5,
    textLength: 2,
  });
});

test('doubles are those of BSON, also in arrays', () => {
  const found = describeDocuments(encode([{ a: [0.5, 1, 'x', [2.5]], b: [] }]));
  expect(found).toMatchObject({ doubles: 0.5, arrays: 3, longestArray: 4 });
  expect(found.arrayLength).toBeCloseTo(5 / 3);
});

test('value classes are no objects', () => {
  const found = describeDocuments([
    { bytes: new Uint8Array(20), document: { d: new Date(0), i: { _bsontype: 'ObjectId' } } },
  ]);
  expect(found).toMatchObject({ objects: 1, text: 0, nonAscii: 0 });
});

test('the table has a row for each corpus', () => {
  const rows = writeDescriptions([['npm-x', describeDocuments(encode([{ a: 'x' }]))]]).split('\n');
  expect(rows[2]).toBe('| npm-x | 1 | 14 | 1 | 1.0 | 0 % | 7 % | 0 % | 1 | 0 % | – |');
});
