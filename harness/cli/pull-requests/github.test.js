import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { appendSummary } from './github.js';

const folder = mkdtempSync(join(tmpdir(), 'assay-summary-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('existing text stays, followed by a blank line', () => {
  const path = join(folder, 'summary.md');
  expect(appendSummary(path, 'one\n')).toBe(true);
  expect(appendSummary(path, 'two\n')).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('one\n\n\ntwo\n');
});

test('the limit is in bytes, and nothing is written beyond it', () => {
  const path = join(folder, 'full.md');
  const existing = 'é'.repeat(2 ** 19 - 2);
  writeFileSync(path, existing);
  expect(appendSummary(path, 'four')).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe(existing);
  expect(appendSummary(path, 'up')).toBe(true);
});

test('a file that cannot be written is named in the error', () => {
  expect(() => appendSummary(join(folder, 'missing', 'summary.md'), 'x')).toThrow(
    "cannot write the summary to 'summary.md'",
  );
});
