import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addRecord } from '../../studies/history/store.js';
import { hashOf, makeBranch } from '../../studies/follow/test-support/records.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { callAssay } from '../../testing/support/project.js';

const folder = makeTestDirectory('changes');
const { records, acknowledgements } = makeBranch();

beforeAll(() => {
  for (const record of records) addRecord(join(folder, 'store'), record);
  writeFileSync(join(folder, 'assay-changes.txt'), acknowledgements);
});

/** @param {string[]} options */
const run = (options) =>
  callAssay(['changes', '--store', 'store', ...options], { workingPath: folder });

test('the open alert comes first, with the command that measures it again', async () => {
  const { stdout, status } = await run([]);
  expect(status).toBe(0);
  const [alert, other] = ['serialize flat: +21', 'Expected: it checks for cycles'].map((text) =>
    stdout.indexOf(text),
  );
  expect(alert).toBeGreaterThan(-1);
  expect(other).toBeGreaterThan(alert);
  const words = stdout.replaceAll(/\s+\\?\s*/g, ' ');
  expect(words).toContain(`compare git:.@${hashOf(8)} git:.@${hashOf(9)}`);
  expect(words).toContain('--op serialize,deserialize --corpus flat');
});

test('--check fails while an alert is open, and not once it is answered', async () => {
  expect((await run(['--check'])).status).toBe(1);
  const file = join(folder, 'answers.txt');
  writeFileSync(file, `${acknowledgements}${hashOf(9)} * wontfix: nobody needs it\n`);
  expect((await run(['--check', '--file', file])).status).toBe(0);
});

test('--since takes a tag or a commit, for release notes', async () => {
  const { stdout } = await run(['--since', 'v1.1.0', '--format', 'markdown']);
  expect(stdout).toContain('Performance since v1.1.0');
  expect(stdout).toMatch(/\*\*serialize\*\*/);
  const other = await run(['--since', hashOf(1).slice(0, 8), '--format', 'markdown']);
  expect(other.stdout.replaceAll(hashOf(1).slice(0, 8), 'v1.1.0')).toContain('**serialize**');
  const { status, stderr } = await run(['--since', 'v9']);
  expect(status).toBe(2);
  expect(stderr).toContain('the tags v1.1.0');
});

test('--summary appends the Markdown', async () => {
  const { stdout } = await run(['--format', 'markdown', '--summary', 'summary.md']);
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toBe(stdout);
});

test('a store of no followed branch is an error with its remedy', async () => {
  const { status, stderr } = await callAssay(['changes', '--store', 'none'], {
    workingPath: folder,
  });
  expect(status).toBe(2);
  expect(stderr).toContain('has no comparison of a followed branch');
  expect(stderr).toContain('follow');
});
