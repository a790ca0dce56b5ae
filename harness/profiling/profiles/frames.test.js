import { describe, expect, test } from '@jest/globals';
import { findRecordedProject, functionKey, matchLoopFrame, shortenFile } from './frames.js';

/** @type {import('../../formats/profile-types.ts').Frame} */
const FRAME = { name: 'run', kind: 'js', file: 'x.js', line: 1, column: 1 };

test('a function that moved within its file keeps its key', () => {
  const moved = { ...FRAME, line: 7 };
  expect(functionKey(moved)).toBe(functionKey(FRAME));
});

test('functions differ by name, kind and file', () => {
  const others = [{ name: 'walk' }, { kind: /** @type {const} */ ('builtin') }, { file: 'y.js' }];
  for (const other of others) {
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
  ['evalmachine.<anonymous>', 'evalmachine.<anonymous>'],
])('%s is %s', (path, expected) => {
  expect(shortenFile(path, '/home/ann/assay')).toBe(expected);
  expect(shortenFile(path, '/home/ann/assay/')).toBe(expected);
});

test('no file has no short name', () => {
  expect(shortenFile('', '/home/ann/assay')).toBeNull();
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
])('%s of the kind %s: %s', (name, kind, expected) => {
  const place = { file: null, line: null, column: null };
  const frame = {
    name,
    kind: /** @type {import('../../formats/profile-types.ts').FrameKind} */ (kind),
    ...place,
  };
  expect(isLoop(frame)).toBe(expected);
});

const LOOP = 'harness/worker/exercise-operation.js';

/** @param {string} url */
function makeText(url) {
  return JSON.stringify({ nodes: [{ url: 'file:///a/b.js' }, { url }] });
}

describe('the checkout that a profile was recorded in', () => {
  test('is found by the module of the exercise', () => {
    expect(findRecordedProject(makeText(`file:///home/me/assay/${LOOP}`))).toBe('/home/me/assay');
  });

  test('may have special characters in its path', () => {
    expect(findRecordedProject(makeText(`file:///home/my%20work/${LOOP}`))).toBe('/home/my work');
    expect(findRecordedProject(makeText(`file:///home/100%/${LOOP}`))).toBe('/home/100%');
  });

  test('is unknown for a profile of another program', () => {
    expect(findRecordedProject(makeText('file:///x/y.js'))).toBeNull();
  });
});
