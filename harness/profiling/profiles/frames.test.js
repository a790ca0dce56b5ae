import { findRecordedAssay, functionKey, matchLoopFrame, shortenFile } from './frames.js';

/** @import { Frame } from '../../formats/profile-types.ts' */

/** @type {Frame} */
const FRAME = { name: 'run', kind: 'js', file: 'x.js', line: 1, column: 1 };

test('a function is identified by name, kind and file, not by its position', () => {
  const moved = { ...FRAME, line: 7 };
  expect(functionKey(moved)).toBe(functionKey(FRAME));
  for (const other of [
    { name: 'walk' },
    { kind: /** @type {const} */ ('builtin') },
    { file: 'y.js' },
  ]) {
    expect(functionKey({ ...FRAME, ...other })).not.toBe(functionKey(FRAME));
  }
});

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
  [
    'file:///home/ann/assay/.assay/cache/patched/words/0123456789abcdef/experiments/words/a.js',
    'experiments/words/a.js',
  ],
  ['/var/cache/patched/words/0123456789abcdef/experiments/words/a.js', 'experiments/words/a.js'],
  ['evalmachine.<anonymous>', 'evalmachine.<anonymous>'],
  ['', null],
])('%s is shortened to %s', (path, expected) => {
  expect(shortenFile(path, '/home/ann/assay')).toBe(expected);
  expect(shortenFile(path, '/home/ann/assay/')).toBe(expected);
});

const isLoop = matchLoopFrame(['run_passes', 'Work::run']);

test.each([
  ['run_passes', 'code', true],
  ['worker::work::run_passes', 'code', true],
  ['org.example.Work.run', 'code', true],
  ['run_passes', 'js', true],
  ['dry_run_passes', 'code', false],
  ['HomeWork.run', 'code', false],
  ['run_passes', 'native', false],
])('%s of the kind %s is the loop: %s', (name, kind, expected) => {
  expect(isLoop({ ...FRAME, name, kind: /** @type {Frame['kind']} */ (kind) })).toBe(expected);
});

const LOOP = 'harness/worker/exercise-operation.js';

test.each([
  [`file:///home/me/assay/${LOOP}`, '/home/me/assay'],
  [`file:///home/my%20work/${LOOP}`, '/home/my work'],
  [`file:///home/100%/${LOOP}`, '/home/100%'],
  ['file:///x/y.js', null],
])('a profile with %s was recorded in %s', (url, expected) => {
  const text = JSON.stringify({ nodes: [{ url: 'file:///a/b.js' }, { url }] });
  expect(findRecordedAssay(text)).toBe(expected);
});
