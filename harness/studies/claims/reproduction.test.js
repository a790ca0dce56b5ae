import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { recallResults, rememberResults } from './reproduction.js';

/** @import { RememberedResult } from '../../formats/types.ts' */

const directory = mkdtempSync(join(tmpdir(), 'assay-remember-'));
const path = join(directory, 'deep', 'claims.json');

beforeEach(() => rmSync(join(directory, 'deep'), { recursive: true, force: true }));
afterAll(() => rmSync(directory, { recursive: true }));

/**
 * @param {string} id
 * @param {RememberedResult['verdict']} verdict
 * @returns {RememberedResult}
 */
function makeResult(id, verdict) {
  return { id, verdict, measuredAt: '2026-01-02T03:04:05Z', node: '20.20.2', run: 'runs/x' };
}

test('the last result of a claim takes the place of the one before, others stay', () => {
  rememberResults(path, [makeResult('T/a', 'inconclusive'), makeResult('T/b', 'reproduced')]);
  rememberResults(path, [makeResult('T/a', 'reproduced')]);
  expect(recallResults(path)).toEqual({
    'T/a': makeResult('T/a', 'reproduced'),
    'T/b': makeResult('T/b', 'reproduced'),
  });
});

test('without a file nothing is known', () => {
  expect(recallResults(path)).toEqual({});
});

test.each([
  ['no JSON', '{"formatVersion"'],
  ['not an object', 'null'],
  [
    'of another format',
    JSON.stringify({ formatVersion: 3, results: [makeResult('T/a', 'reproduced')] }),
  ],
  ['as before there was a version', JSON.stringify({ 'T/a': makeResult('T/a', 'reproduced') })],
  ['without results', JSON.stringify({ formatVersion: FORMAT_VERSION })],
])('a file that is %s is forgotten, and written anew', (_what, text) => {
  rememberResults(path, [makeResult('T/z', 'reproduced')]);
  writeFileSync(path, text);
  expect(recallResults(path)).toEqual({});
  rememberResults(path, [makeResult('T/b', 'reproduced')]);
  expect(Object.keys(recallResults(path))).toEqual(['T/b']);
});

test('an entry that is not whole is left out', () => {
  rememberResults(path, [makeResult('T/a', 'reproduced')]);
  const content = JSON.parse(readFileSync(path, 'utf8'));
  content.results.push(
    null,
    { ...makeResult('T/b', 'reproduced'), verdict: 'perhaps' },
    { id: 'T/c' },
  );
  writeFileSync(path, JSON.stringify(content));
  expect(Object.keys(recallResults(path))).toEqual(['T/a']);
});
