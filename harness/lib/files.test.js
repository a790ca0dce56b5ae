import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestDirectory } from '../testing/support/directories.js';
import { makeCacheDirectory } from './files.js';

test('git ignores the folder of runs and caches, which makes no checkout changed', () => {
  const path = makeTestDirectory('files');
  makeCacheDirectory(join(path, 'other', '.assay', 'cache', 'git'));
  expect(readFileSync(join(path, 'other', '.assay', '.gitignore'), 'utf8')).toMatch(/^\*$/m);
  expect(existsSync(join(path, 'other', '.gitignore'))).toBe(false);
});
