import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize } from 'bson';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { extractDocuments } from './extract.js';

const folder = makeTestDirectory('elsewhere');

/** @type {(file: string, value: unknown) => void} */
function write(file, value) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify(value));
}

/** @type {(files: string, path?: string[]) => object[]} */
function extract(files, path = []) {
  return extractDocuments(folder, { files, path }).map((bytes) => deserialize(bytes));
}

beforeAll(() => {
  write('list.json', [{ a: 1 }, 'no object', { a: 2 }, [3]]);
  write('shop.json', { meta: 1, items: { x: { tags: [{ t: 1 }] }, y: { tags: [{ t: 2 }] } } });
  write('parts/b.json', { name: 'b' });
  write('parts/a.json', { name: 'a' });
  write('parts/a.jsonld', { name: 'no JSON' });
  write('parts/deep/c.json', { name: 'c' });
  write(
    'many.json',
    Array.from({ length: 1001 }, (_, index) => ({ index })),
  );
  write(
    'large.json',
    Array.from({ length: 5 }, (_, index) => ({ index, s: 'x'.repeat(1e6) })),
  );
});

test('a file is a document', () => {
  expect(extract('parts/a.json')).toEqual([{ name: 'a' }]);
});

test('* is part of a name, ** any folders; files are in the order of their names', () => {
  expect(extract('parts/*.json')).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(extract('**/c.json')).toEqual([{ name: 'c' }]);
  expect(extract('parts/**/*.json')).toHaveLength(3);
});

test('items that are no objects are left out', () => {
  expect(extract('list.json', ['*'])).toEqual([{ a: 1 }, { a: 2 }]);
});

test('a path goes through keys, values of objects and items of arrays', () => {
  expect(extract('shop.json', ['items', '*', 'tags', '*'])).toEqual([{ t: 1 }, { t: 2 }]);
});

test('of many documents, every n-th is taken', () => {
  const documents = extract('many.json', ['*']);
  expect(documents).toHaveLength(334);
  expect(documents.slice(0, 3)).toEqual([{ index: 0 }, { index: 3 }, { index: 6 }]);
});

test('of large documents, too', () => {
  expect(extract('large.json', ['*'])).toMatchObject([{ index: 0 }, { index: 2 }, { index: 4 }]);
});

test.each([
  ['no.json', []],
  ['shop.json', ['goods', '*']],
  ['shop.json', ['meta', '*']],
])('a rule that finds nothing is refused: %s %j', (files, path) => {
  expect(() => extract(files, path)).toThrow(/has no object at/);
});
