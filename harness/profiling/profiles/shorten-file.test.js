import { expect, test } from '@jest/globals';
import { shortenFile } from './shorten-file.js';

test.each([
  ['file:///home/ann/assay/experiments/js-bson/codec/x.js', 'experiments/js-bson/codec/x.js'],
  ['/home/ann/assay/experiments/js-bson/codec/x.js', 'experiments/js-bson/codec/x.js'],
  ['file:///home/ann/assay/experiments/a%20b.js?axis=1#top', 'experiments/a b.js'],
  ['file:///home/ann/assay/experiments/100%.js', 'experiments/100%.js'],
  ['file:///home/ann/assay/node_modules/bson/lib/bson.mjs', 'bson/lib/bson.mjs'],
  [
    'file:///home/ann/assay/.assay/cache/npm/bson@7.2.0/node_modules/bson/lib/bson.mjs',
    'bson/lib/bson.mjs',
  ],
  ['/home/ann/assay/node_modules/a/node_modules/@b/c/index.js', '@b/c/index.js'],
  ['/home/ann/assay-2/lib/bson.mjs', '…/assay-2/lib/bson.mjs'],
  ['/srv/x.js', '…/srv/x.js'],
  ['node:internal/buffer', 'node:internal/buffer'],
  ['evalmachine.<anonymous>', 'evalmachine.<anonymous>'],
])('%s is %s', (path, expected) => {
  expect(shortenFile(path, '/home/ann/assay')).toBe(expected);
  expect(shortenFile(path, '/home/ann/assay/')).toBe(expected);
});

test('what has no file has no name', () => {
  expect(shortenFile('', '/home/ann/assay')).toBeNull();
});
