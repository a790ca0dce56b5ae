import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { writeMarker } from '../pull-requests/comment.js';
import { useFakeGh } from '../pull-requests/test-support/fake-gh.js';
import { writeManifest, writeObservations } from '../../run/store.js';
import { makeWhole } from '../../studies/shards/test-support/make-shards.js';
import { testLong } from '../../testing/support/gates.js';
import { callAssay } from '../../testing/support/project.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { FakeState } from '../pull-requests/test-support/fake-gh.js' */

// Two cells, the second of them slower: enough to tell, and quick to judge again and again.
const RUN = makeWhole({ cells: makeManifest().question.cells.slice(0, 2) });
const { runId, createdAt } = RUN.manifest;
const OWN_LINE = `<!-- assay default ${runId} ${createdAt} -->`;

const folder = makeTestDirectory('pr');
const runPath = join(folder, 'run');
let ghFolder = '';
let ghCount = 0;

beforeAll(() => {
  mkdirSync(runPath);
  writeManifest({ ...RUN, path: runPath });
  writeObservations(runPath, RUN);
  writeFileSync(join(runPath, 'report.md'), 'a stored report is not what is posted');
});
beforeEach(() => {
  ghCount += 1;
  ghFolder = join(folder, `gh-${ghCount}`);
});

/**
 * @param {string[]} options
 * @param {Record<string, string | undefined>} [environment]
 */
const runPr = (options, environment = {}) =>
  callAssay(['pr', runPath, ...options], { workingPath: folder, environment });

/**
 * @param {string} id
 * @param {Partial<{ marker: string, runId: string, createdAt: string }>} [changes]
 */
function makeComment(id, changes = {}) {
  const older = { marker: 'default', runId: 'older', createdAt: '2020-01-01T00:00:00.000Z' };
  const body = `${writeMarker({ ...older, ...changes })}\n\nwhat was`;
  return { id, url: `https://github.test/owner/name/pull/7#${id}`, body, viewerDidAuthor: true };
}

/**
 * @param {FakeState} state
 * @param {string[]} [options]
 */
async function post(state, options = ['--number', '7', '--repo', 'owner/name']) {
  const gh = useFakeGh(ghFolder, state);
  return { ...(await runPr(['--post', ...options], gh.environment)), gh };
}

const PERSON = { ...makeComment('person'), body: 'nice' };

describe('the comment', () => {
  test('begins with the hidden line, and judges the run again', async () => {
    const { status, stdout } = await runPr([]);
    const [first, , sentence] = stdout.split('\n');
    expect(first).toBe(OWN_LINE);
    expect(sentence).toContain('slower');
    expect(stdout).not.toContain('stored report');
    expect(stdout.length).toBeLessThan(60_000);
    expect(status).toBe(0);
  });

  test('carries the name of its marker', async () => {
    const { stdout } = await runPr(['--marker', 'node-22']);
    expect(stdout).toMatch(/^<!-- assay node-22 /);
  });

  test('is appended to the summary of a job, after a blank line', async () => {
    const { stdout } = await runPr(['--summary', 'summary.md']);
    await runPr(['--summary', 'summary.md']);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toBe(`${stdout}\n\n${stdout}`);
  });

  test.each([
    ['in bytes', 'é'.repeat(2 ** 19 - 500)],
    ['in characters', 'x'.repeat(2 ** 20 - 1000)],
  ])('is not added to a summary that is nearly full %s, with a note', async (_, existing) => {
    writeFileSync(join(folder, 'full.md'), existing);
    const { status, stderr } = await runPr(['--summary', 'full.md']);
    expect(stderr).toBe(
      "note: nothing was added to 'full.md': it would exceed the 1 MiB that GitHub shows\n",
    );
    expect(readFileSync(join(folder, 'full.md'), 'utf8')).toBe(existing);
    expect(status).toBe(0);
  });

  test('cannot be added to a file that cannot be written: the error names it', async () => {
    const { status, stderr } = await runPr(['--summary', 'missing/summary.md']);
    expect(stderr).toContain("cannot write the summary to 'summary.md'");
    expect(status).toBe(4);
  });

  test('of a slower candidate ends with status 1 under --check', async () => {
    expect((await runPr(['--check'])).status).toBe(1);
  });
});

describe('posting', () => {
  test('creates a comment if there is none, and prints its URL', async () => {
    const { status, stdout, stderr, gh } = await post({ comments: [PERSON] });
    expect([status, stdout, stderr]).toEqual([
      0,
      'https://github.test/owner/name/pull/7#C_2\n',
      '',
    ]);
    expect(gh.readComments()[1].body).toBe((await runPr([])).stdout);
    const [view, ...queries] = gh.listCalls().map(({ args }) => args.join(' '));
    expect(view).toBe('pr view 7 --repo owner/name --json id,url');
    expect(new Set(queries)).toEqual(new Set(['api graphql --hostname github.test --input -']));
  });

  test('edits the previous comment, on any page, and nothing else', async () => {
    const other = makeComment('other', { marker: 'node-22' });
    const comments = [PERSON, other, PERSON, PERSON, makeComment('earlier')];
    const { status, stdout, gh } = await post({ comments });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'https://github.test/owner/name/pull/7#earlier\n',
    });
    const after = gh.readComments();
    expect(after.slice(0, 4)).toEqual(comments.slice(0, 4));
    expect(after[4].body).toMatch(OWN_LINE);
    expect(after).toHaveLength(5);
  });

  test('leaves a second older comment unchanged, with a note', async () => {
    const earliest = makeComment('earliest', { createdAt: '2019-01-01T00:00:00.000Z' });
    const { stderr, gh } = await post({ comments: [earliest, makeComment('earlier')] });
    expect(stderr).toBe(
      `note: an older comment with the same marker was left unchanged: ${earliest.url}\n`,
    );
    expect(gh.readComments()[0]).toEqual(earliest);
  });

  test('reads again if the comment has changed, and yields to a newer run', async () => {
    const { body } = makeComment('', { runId: 'newer', createdAt: '2030-01-01T00:00:00.000Z' });
    const state = { comments: [makeComment('earlier')], editsOfOthers: [body] };
    const { status, stdout, stderr, gh } = await post(state);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('is of a newer run, newer of 2030-01-01T00:00:00.000Z');
    expect(gh.readComments()[0].body).toBe(body);
  });

  testLong('gives up if the comment keeps changing', async () => {
    const editsOfOthers = [1, 2, 3].map((day) => {
      return makeComment('', { createdAt: `2020-01-0${day}T00:00:01.000Z` }).body;
    });
    const { status, stderr } = await post({ comments: [makeComment('earlier')], editsOfOthers });
    expect(status).toBe(4);
    expect(stderr).toContain('the comment changed 3 times');
  });

  test('asks gh for the pull request of the branch if no number is given', async () => {
    const { gh } = await post({ comments: [] }, []);
    expect(gh.listCalls()[0].args).toEqual(['pr', 'view', '--json', 'id,url']);
  });
});

describe('failures', () => {
  test.each([
    [['--number', '7; rm -rf /'], "--number '7; rm -rf /' is not the number of a pull request"],
    [['--number', '7', '--repo', '--help'], "--repo '--help' is not of the form OWNER/NAME"],
    [['--repo', 'owner/name'], '--repo needs --number'],
    [['--marker', '-->'], "--marker '-->' is not a plain name"],
  ])('%j is refused before gh is called', async (options, message) => {
    const { status, stderr, gh } = await post({ comments: [] }, options);
    expect(stderr).toContain(`error: ${message}`);
    expect(status).toBe(2);
    expect(gh.listCalls()).toEqual([]);
  });

  test.each([
    ['--number without --post', ['--number', '7'], 2, 'error: --number needs --post'],
    [
      'gh is missing',
      ['--post'],
      4,
      "error: the command 'gh', which --post needs, is not on the PATH",
    ],
  ])('%s', async (_, options, expected, message) => {
    const { status, stderr } = await runPr(options, { PATH: folder });
    expect(stderr).toContain(message);
    expect(status).toBe(expected);
  });

  test.each([
    [
      'To get started with GitHub CLI, please run:  gh auth login',
      4,
      'error: gh is not logged in\n  run gh auth login',
    ],
    [
      'GraphQL: Could not resolve to a PullRequest with the number of 7. (repository.pullRequest)',
      2,
      'error: no pull request to comment on: GraphQL: Could not resolve',
    ],
    ['no pull requests found for branch "main"', 2, '--number NUMBER --repo OWNER/NAME'],
    ['HTTP 502: Bad gateway', 4, 'error: gh failed: HTTP 502: Bad gateway'],
  ])('gh says: %s', async (complaint, expected, message) => {
    const { status, stderr } = await post({ comments: [], complaint });
    expect(stderr).toContain(message);
    expect(status).toBe(expected);
  });
});
