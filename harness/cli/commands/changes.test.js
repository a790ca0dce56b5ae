import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFakeGh } from '../pull-requests/test-support/fake-gh.js';
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

test('answers that are a link to another file are refused', async () => {
  const path = join(folder, 'linked');
  mkdirSync(path);
  symlinkSync('/proc/self/environ', join(path, 'assay-changes.txt'));
  const { status, stdout, stderr } = await callAssay(['changes', '--store', '../store'], {
    workingPath: path,
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain("assay-changes.txt' is a symbolic link");
});

test('--since takes a tag or a commit, for release notes', async () => {
  const { stdout } = await run(['--since', 'v1.1.0', '--format', 'markdown']);
  expect(stdout).toContain('Performance since v1.1.0');
  expect(stdout).toMatch(/\*\*serialize\*\*/);
  const other = await run(['--since', hashOf(1).slice(0, 8), '--format', 'markdown']);
  expect(other.stdout.replaceAll(hashOf(1).slice(0, 8), 'v1.1.0')).toContain('**serialize**');
  const reference = await run(['--since', 'v1.0.0', '--format', 'markdown']);
  expect(reference.stdout).toContain('Performance since v1.0.0');
  expect(reference.stdout).toContain('against `npm:codec@1.0.0`');
  const { status, stderr } = await run(['--since', 'v9']);
  expect(status).toBe(2);
  expect(stderr).toContain('the tag v1.1.0');
});

test('--summary appends the Markdown', async () => {
  const { stdout } = await run(['--format', 'markdown', '--summary', 'summary.md']);
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toBe(stdout);
});

describe('--post', () => {
  /** @param {string} name @param {string[]} [more] */
  function post(name, more = []) {
    const gh = useFakeGh(join(folder, name), { issues: [] });
    const call = () =>
      callAssay(['changes', '--store', 'store', '--post', '--repo', 'owner/name', ...more], {
        workingPath: folder,
        environment: gh.environment,
      });
    return { gh, call };
  }

  test('raises an issue for each open alert, once, and prints what it did', async () => {
    const { gh, call } = post('raise');
    const { stdout, status } = await call();
    expect({ stdout, status }).toEqual({
      stdout: 'raised https://github.test/owner/name/issues/1\n',
      status: 0,
    });
    const [{ title, body }] = gh.readIssues();
    expect(title).toContain(hashOf(9).slice(0, 12));
    expect(body).toContain(`compare git:.@${hashOf(8)} git:.@${hashOf(9)}`);
    expect((await call()).stdout).toBe('');
  });

  test('distinguishes packages by their marker, which is a plain name', async () => {
    const { gh, call } = post('marker', ['--marker', 'codec']);
    await call();
    expect(gh.readIssues()[0].body).toMatch(/^<!-- assay-alert codec main /);
    const { stderr, status } = await post('wrong', ['--marker', 'a b']).call();
    expect([status, stderr]).toEqual([2, expect.stringContaining('is not a plain name')]);
  });

  test.each(['--repo', '--marker'])('is needed by %s', async (option) => {
    const { stderr, status } = await run([option, 'owner/name']);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${option} needs --post`)]);
  });
});

test('a store of no followed branch is an error with its remedy', async () => {
  const { status, stderr } = await callAssay(['changes', '--store', 'none'], {
    workingPath: folder,
  });
  expect(status).toBe(2);
  expect(stderr).toContain('has no comparison of a followed branch');
  expect(stderr).toContain('follow');
});
