import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../harness/lib/project.js';
import { makeTestDirectory } from '../../harness/testing/support/directories.js';
import { hashText, parseEdit, replaceLines } from './edit.js';

const EDITS = join(PROJECT.experimentsPath, 'js-bson', 'upstream');
const kept = readdirSync(EDITS).filter((file) => file.endsWith('.edit'));
const directory = makeTestDirectory('edit');

/** @type {(before: string, after: string) => string} what git says, without removed lines */
function makeEdit(before, after) {
  writeFileSync(join(directory, 'before'), before);
  writeFileSync(join(directory, 'after'), after);
  const words = ['diff', '--no-index', '-U0', '--full-index', 'before', 'after'];
  const { stdout } = spawnSync('git', words, { cwd: directory, encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => !line.startsWith('-') && !line.startsWith('+++ '))
    .join('\n');
}

const before = Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join('');

test.each([
  ['changes a line', before.replace('line 7\n', 'another\n')],
  ['adds lines at the start and at the end', `first\n${before}last\n`],
  ['adds a line in between', before.replace('line 9\n', 'line 9\nmore\n')],
  ['removes lines', before.replace('line 3\nline 4\n', '').replace('line 39\n', '')],
  ['changes several places', before.replaceAll(/line (\d)5\n/g, 'one $1\n@@ -1 +1 @@ of two\n')],
])('an edit that %s can be made without the removed lines', (_what, after) => {
  const [file] = parseEdit(makeEdit(before, after));
  expect(file.before).toBe(hashText(before));
  expect(file.after).toBe(hashText(after));
  expect(replaceLines(before, file.hunks)).toBe(after);
});

test.each(kept)('%s holds only our lines, and says which files it changes', (name) => {
  const text = readFileSync(join(EDITS, name), 'utf8');
  expect(
    text.split('\n').filter((line) => !/^(diff --git|index|@@ [^@]* @@$|\+|$)/.test(line)),
  ).toEqual([]);
  for (const { path, after, hunks } of parseEdit(text)) {
    expect(path).toMatch(/^(src|test)\//);
    expect(after).toMatch(/^\w{40}$/);
    expect(hunks.length).toBeGreaterThan(0);
  }
});

test('other versions of the files are left as they are', () => {
  const checkout = join(directory, 'checkout');
  const path = join(checkout, 'src', 'utils', 'node_byte_utils.ts');
  mkdirSync(join(checkout, 'src', 'utils'), { recursive: true });
  writeFileSync(path, 'another version\n');
  const script = join(PROJECT.assayPath, 'scripts', 'apply-edit.js');
  const words = [script, 'replacement-search', checkout];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('another version of src/utils/node_byte_utils.ts');
  expect(readFileSync(path, 'utf8')).toBe('another version\n');
});
