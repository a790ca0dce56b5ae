import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeTestDirectory } from '../testing/support/directories.js';
import { makeCacheDirectory, makeNewDirectory } from './files.js';

test('git ignores the folder of runs and caches, which makes no checkout changed', () => {
  const path = makeTestDirectory('files');
  makeCacheDirectory(join(path, 'other', '.assay', 'cache', 'git'));
  expect(readFileSync(join(path, 'other', '.assay', '.gitignore'), 'utf8')).toMatch(/^\*$/m);
  expect(existsSync(join(path, 'other', '.gitignore'))).toBe(false);
});

test('a new directory is none that is there already, whoever made it', () => {
  const path = makeTestDirectory('new');
  const make = () => basename(makeNewDirectory(join(path, 'runs'), 'run', 'free some space'));
  expect([make(), make()]).toEqual(['run', 'run-2']);
  writeFileSync(join(path, 'runs', 'run-3'), '');
  expect(make()).toBe('run-4');
});
