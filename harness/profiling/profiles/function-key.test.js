import { expect, test } from '@jest/globals';
import { functionKey } from './function-key.js';

/** @type {import('../../formats/profile-types.ts').Frame} */
const FRAME = { name: 'run', kind: 'js', file: 'x.js', line: 1, column: 1 };

test('a function that moved within its file keeps its key', () => {
  const moved = { ...FRAME, line: 7 };
  expect(functionKey(moved)).toBe(functionKey(FRAME));
});

test('name, kind and file tell functions apart', () => {
  const others = [{ name: 'walk' }, { kind: /** @type {const} */ ('builtin') }, { file: 'y.js' }];
  for (const other of others) {
    expect(functionKey({ ...FRAME, ...other })).not.toBe(functionKey(FRAME));
  }
});
