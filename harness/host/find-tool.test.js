import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fakePrograms } from '../profiling/recorders/test-support/fake-programs.js';
import { findTool } from './find-tool.js';

/** @type {ReturnType<typeof fakePrograms>} */
let first;
/** @type {ReturnType<typeof fakePrograms>} */
let second;
beforeAll(() => {
  first = fakePrograms({});
  second = fakePrograms({ gauge: 'true' });
});
afterAll(() => {
  first.remove();
  second.remove();
});

test('the first directory that has the program wins, and others are passed over', () => {
  writeFileSync(join(first.path, 'gauge'), 'text that nobody may run', { mode: 0o644 });
  mkdirSync(join(first.path, 'folder'));
  const environment = { PATH: ['', '/nowhere', first.path, second.path].join(delimiter) };
  expect(findTool('gauge', environment)).toBe(join(second.path, 'gauge'));
  expect(findTool('folder', environment)).toBeNull();
});

test('without a PATH there is nothing', () => {
  expect(findTool('gauge', {})).toBeNull();
});
