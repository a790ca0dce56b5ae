import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestDirectory } from '../testing/support/directories.js';
import { writeSite } from './site-files.js';

const directory = makeTestDirectory('site-files');

/** @type {(texts: Record<string, string>) => import('./site-files.js').SiteFile[]} */
function listFiles(texts) {
  return Object.entries(texts).map(([path, text]) => ({ path, makeText: () => text }));
}

/** @type {(name: string) => (path: string) => string | null} reads files of a site; null for one that is not there */
function readerOf(name) {
  return (path) => {
    const file = join(directory, name, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  };
}

test('writes what differs, removes what an earlier build wrote, and nothing else', () => {
  const path = join(directory, 'twice');
  const read = readerOf('twice');
  const first = writeSite(
    path,
    listFiles({ 'index.html': 'a', 'cells/b.html': 'b', 'c.html': 'c' }),
  );
  expect(first).toEqual({ written: 3, removed: 0 });
  writeFileSync(join(path, 'own.html'), 'mine');
  const kept = statSync(join(path, 'index.html')).ino;
  const second = writeSite(path, listFiles({ 'index.html': 'a', 'cells/b.html': 'B' }));
  expect(second).toEqual({ written: 1, removed: 1 });
  expect(statSync(join(path, 'index.html')).ino).toBe(kept);
  expect(['cells/b.html', 'c.html', 'own.html'].map(read)).toEqual(['B', null, 'mine']);
});

test('writes nothing outside of its directory', () => {
  const path = join(directory, 'inside');
  expect(() => writeSite(path, listFiles({ 'merges/../../out.html': 'x' }))).toThrow(
    "'merges/../../out.html' is no path of a site",
  );
  expect(existsSync(path)).toBe(false);
});

test('refuses to replace a file that it did not write', () => {
  const path = join(directory, 'strange');
  mkdirSync(path);
  writeFileSync(join(path, 'index.html'), 'mine');
  expect(() => writeSite(path, listFiles({ 'a.html': 'a', 'index.html': 'b' }))).toThrow(
    'is there and is of no site',
  );
  expect(['a.html', 'index.html'].map(readerOf('strange'))).toEqual([null, 'mine']);
});

test('a build that was interrupted can be repeated', () => {
  const path = join(directory, 'interrupted');
  const files = listFiles({ 'a.html': 'a', 'b.html': 'b' });
  const failing = [
    files[0],
    {
      ...files[1],
      makeText: () => {
        throw new Error('interrupted');
      },
    },
  ];
  expect(() => writeSite(path, failing)).toThrow('interrupted');
  expect(writeSite(path, files)).toEqual({ written: 1, removed: 0 });
});

test('a list that was edited removes nothing outside of the directory', () => {
  const path = join(directory, 'edited');
  writeSite(path, listFiles({ 'a.html': 'a' }));
  writeFileSync(join(directory, 'outside.html'), 'mine');
  writeFileSync(join(path, 'assay-site.txt'), '../outside.html\n/etc/none\na.html\n');
  writeSite(path, listFiles({ 'b.html': 'b' }));
  expect(readerOf('.')('outside.html')).toBe('mine');
  expect(readerOf('edited')('a.html')).toBeNull();
});
