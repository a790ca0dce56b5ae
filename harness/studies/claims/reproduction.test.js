import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { recallResults, rememberResults } from './reproduction.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { RememberedResult } from '../../formats/types.ts' */

const directory = makeTestDirectory('remember');
const path = join(directory, 'deep', 'claims.json');

beforeEach(() => rmSync(join(directory, 'deep'), { recursive: true, force: true }));

/** @type {(id: string, verdict: RememberedResult['verdict']) => RememberedResult} */
function makeResult(id, verdict) {
  return { id, verdict, measuredAt: '2026-01-02T03:04:05Z', node: '20.20.2', run: 'runs/x' };
}

test('a new result of a claim replaces the earlier one, others stay', () => {
  rememberResults(path, [makeResult('T/a', 'inconclusive'), makeResult('T/b', 'reproduced')]);
  rememberResults(path, [makeResult('T/a', 'reproduced')]);
  expect(recallResults(path)).toEqual({
    'T/a': makeResult('T/a', 'reproduced'),
    'T/b': makeResult('T/b', 'reproduced'),
  });
});

test('a missing file is empty', () => {
  expect(recallResults(path)).toEqual({});
});

const RESULTS = [makeResult('T/a', 'reproduced')];

test.each([
  ['is not JSON', '{"formatVersion"'],
  ['is not an object', 'null'],
  ['has another format', JSON.stringify({ formatVersion: 3, results: RESULTS })],
  ['has no format version', JSON.stringify({ 'T/a': RESULTS[0] })],
  ['has no results', JSON.stringify({ formatVersion: FORMAT_VERSION })],
])('a file that %s counts as empty, and is replaced', (_, text) => {
  rememberResults(path, [makeResult('T/z', 'reproduced')]);
  writeFileSync(path, text);
  expect(recallResults(path)).toEqual({});
  rememberResults(path, [makeResult('T/b', 'reproduced')]);
  expect(Object.keys(recallResults(path))).toEqual(['T/b']);
});

test('an invalid entry is ignored', () => {
  rememberResults(path, RESULTS);
  const content = JSON.parse(readFileSync(path, 'utf8'));
  const unknown = { ...makeResult('T/b', 'reproduced'), verdict: 'perhaps' };
  content.results.push(null, unknown, { id: 'T/c' });
  writeFileSync(path, JSON.stringify(content));
  expect(Object.keys(recallResults(path))).toEqual(['T/a']);
});
