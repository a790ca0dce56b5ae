import { join } from 'node:path';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { findRepository, openGh } from './github.js';
import { openIssues, planIssues, postAlerts, writeAlertMarker } from './issues.js';
import { useFakeGh } from './test-support/fake-gh.js';

/** @import { ChangeState, FollowedChange, Following } from '../../formats/types.ts' */
/** @import { AlertState, PostedIssue } from './issues.js' */
/** @import { FakeState } from './test-support/fake-gh.js' */

const directory = makeTestDirectory('issues');
let count = 0;

/** Commits of the branch. */
const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map((digit) => digit.repeat(40));
const RATIO = { estimate: 1.2, low: 1.1, high: 1.3 };

/**
 * @param {string} before
 * @param {string} after
 * @param {ChangeState} [state]
 * @param {Partial<FollowedChange>} [more]
 * @returns {FollowedChange}
 */
function makeChange(before, after, state = 'open', more = {}) {
  const cells = [
    {
      cellId: 'encode/flat',
      ratio: RATIO,
      suspected: RATIO,
      verdict: /** @type {const} */ ('slower'),
    },
  ];
  return {
    ...{ id: after.slice(0, 12), direction: 'slower', before, after, commits: 1, state, cells },
    ...{ reproduce: 'assay compare x y', runIds: ['run'] },
    ...more,
  };
}

/** @type {(changes: FollowedChange[], branch?: string) => Following} */
function makeFollowing(changes, branch = 'main') {
  const commits = [A, B, C, D, E].map((revision) => ({
    ...{ revision, subject: 'a commit', date: '2026-01-01T00:00:00.000Z' },
    ...{ releases: [], isUnchanged: false, comparisons: [] },
  }));
  const fixed = { formatVersion: 10, family: 'codec', reference: 'npm:codec@1.0.0', notes: [] };
  return /** @type {Following} */ ({ ...fixed, branch, commits, cells: [], changes });
}

/**
 * @param {[string, string]} commits
 * @param {Partial<PostedIssue> & { said?: AlertState, marker?: string }} [more] `said`: state that Assay gave it
 */
function makeIssue([before, after], { said = 'open', marker = 'default', ...more } = {}) {
  const line = writeAlertMarker({ marker, branch: 'main', before, after, state: said });
  return {
    ...{ id: 'I_1', url: 'https://github.test/owner/name/issues/1', title: 'slower' },
    ...{ state: /** @type {const} */ ('OPEN'), body: `${line}\n\nslower`, comments: [] },
    ...more,
  };
}

/** @type {(changes: FollowedChange[], issues: PostedIssue[]) => string[]} what would be done */
const plan = (changes, issues) =>
  planIssues(makeFollowing(changes), 'default', issues).map((each) =>
    'alert' in each
      ? `${each.action} ${each.alert.after[0]}`
      : `${each.action} as ${each.marker.state}`,
  );

describe('an alert', () => {
  test('without an issue raises one', () => {
    expect(plan([makeChange(A, B)], [])).toEqual(['raise b']);
  });

  test('with an issue leaves it', () => {
    expect(plan([makeChange(A, B)], [makeIssue([A, B])])).toEqual([]);
  });

  test.each([
    ['another marker', makeIssue([A, B], { marker: 'other' })],
    ['no marker', { ...makeIssue([A, B]), body: 'encode is slower' }],
    ['a marker that is quoted', { ...makeIssue([A, B]), body: `> ${makeIssue([A, B]).body}` }],
    ['other commits', makeIssue([C, D], { state: 'CLOSED' })],
  ])('does not take an issue with %s for its own', (_, issue) => {
    expect(plan([makeChange(A, B)], [issue])).toEqual(['raise b']);
  });

  test.each(/** @type {const} */ (['refuted', 'suspected']))(
    'with an issue leaves it where other cells of its commits are %s',
    (state) => {
      const changes = [makeChange(A, B, state), makeChange(A, B)];
      expect(plan(changes, [makeIssue([A, B])])).toEqual([]);
    },
  );

  test('of an issue that a person closed stays closed', () => {
    expect(plan([makeChange(A, B)], [makeIssue([A, B], { state: 'CLOSED' })])).toEqual([]);
  });

  test('whose line of acknowledgement is gone is open again', () => {
    const issue = makeIssue([A, B], { state: 'CLOSED', said: 'acknowledged' });
    expect(plan([makeChange(A, B)], [issue])).toEqual(['reopen as open']);
  });

  test.each([
    ['suspected', makeChange(A, B, 'suspected')],
    ['refuted', makeChange(A, B, 'refuted')],
    ['acknowledged', makeChange(A, B, 'acknowledged')],
    ['restored', makeChange(A, B, 'restored')],
    ['faster', makeChange(A, B, 'open', { direction: 'faster' })],
  ])('is not raised for a change that is %s', (_, change) => {
    expect(plan([change], [])).toEqual([]);
  });
});

describe('an issue', () => {
  test.each([
    ['is acknowledged', [makeChange(A, B, 'acknowledged')], 'close as acknowledged'],
    ['is restored', [makeChange(A, B, 'restored')], 'close as restored'],
    ['is no longer among the records', [], 'close as gone'],
  ])('is closed once its change %s', (_, changes, expected) => {
    expect(plan(changes, [makeIssue([A, B])])).toEqual([expected]);
  });

  test('that a person opened again is not closed for the same reason', () => {
    const issue = makeIssue([A, B], { said: 'acknowledged' });
    expect(plan([makeChange(A, B, 'acknowledged')], [issue])).toEqual([]);
  });

  test('of a change that is measured again is left', () => {
    expect(plan([makeChange(A, B, 'suspected')], [makeIssue([A, B])])).toEqual([]);
  });

  test('of several commits becomes that of one of them', () => {
    expect(plan([makeChange(B, C)], [makeIssue([A, E])])).toEqual(['narrow c']);
  });

  test('of several commits among which there are two changes becomes that of one, and the other is raised', () => {
    const changes = [makeChange(A, B), makeChange(C, D)];
    expect(plan(changes, [makeIssue([A, E])])).toEqual(['narrow b', 'raise d']);
  });

  test('of several commits is closed when their only change has an issue', () => {
    const narrower = makeIssue([B, C], { id: 'I_2' });
    expect(plan([makeChange(B, C)], [makeIssue([A, E]), narrower])).toEqual(['close as gone']);
    expect(plan([makeChange(B, C)], [narrower, makeIssue([A, E])])).toEqual(['close as gone']);
  });

  test('of several commits is closed when the one that it was is restored', () => {
    expect(plan([makeChange(B, C, 'restored')], [makeIssue([A, E])])).toEqual([
      'close as restored',
    ]);
  });

  test('of another branch is left', () => {
    const following = makeFollowing([], 'next');
    expect(planIssues(following, 'default', [makeIssue([A, B])])).toEqual([]);
  });
});

/**
 * @param {FakeState} state
 */
function open(state) {
  const gh = useFakeGh(join(directory, String((count += 1))), state);
  const io = { environment: gh.environment, workingPath: directory };
  const run = openGh({ ...io, signal: new AbortController().signal });
  /** @param {FollowedChange[]} changes */
  const post = async (changes) => {
    const repository = await findRepository('owner/name', run);
    return postAlerts(makeFollowing(changes), 'default', openIssues(repository, run));
  };
  return { gh, post };
}

describe('through gh', () => {
  test('an issue is raised, closed with the reason, and opened again; calls without news change nothing', async () => {
    const { gh, post } = open({ issues: [] });
    const url = 'https://github.test/owner/name/issues/1';
    expect(await post([makeChange(A, B)])).toEqual({ done: [`raised ${url}`], notes: [] });
    expect(await post([makeChange(A, B)])).toEqual({ done: [], notes: [] });
    const acknowledged = { answer: /** @type {const} */ ('expected'), reason: 'safer', line: 3 };
    const answered = [makeChange(A, B, 'acknowledged', { acknowledged })];
    expect((await post(answered)).done).toEqual([`closed ${url}`]);
    expect((await post(answered)).done).toEqual([]);
    const [closed] = gh.readIssues();
    expect(closed).toMatchObject({
      state: 'CLOSED',
      title: expect.stringContaining(B.slice(0, 12)),
    });
    expect(closed.comments).toEqual([expect.stringContaining('Line 3 of assay-changes.txt')]);
    expect(closed.body).toMatch(
      /^<!-- assay-alert default main a+ b+ acknowledged -->\n\n.*[^]*\nb{40}\n$/,
    );
    expect((await post([makeChange(A, B)])).done).toEqual([`opened again ${url}`]);
    expect(gh.readIssues()).toMatchObject([{ state: 'OPEN' }]);
    expect((await post([makeChange(A, B, 'restored', { restoredBy: D })])).done).toEqual([
      `closed ${url}`,
    ]);
    expect(gh.readIssues()[0].comments?.at(-1)).toBe(`Commit ${D} restored the level.`);
  });

  test('the label is made before the first issue, and given to each', async () => {
    const { gh, post } = open({ issues: [] });
    await post([makeChange(A, B), makeChange(C, D)]);
    const [, , label, ...raised] = gh.listCalls().map(({ args }) => args.join(' '));
    expect(label).toMatch(/^label create assay --repo github\.test\/owner\/name --force/);
    expect(raised).toEqual(
      raised.map(() => expect.stringMatching(/^issue create .* --label assay$/)),
    );
    expect(raised).toHaveLength(2);
  });

  test('issues of all pages are found', async () => {
    const others = [1, 2, 3].map((index) => ({
      ...makeIssue([A, C]),
      id: `P_${index}`,
      body: 'of a person',
    }));
    const { post } = open({ issues: [...others, makeIssue([A, B])] });
    expect((await post([makeChange(A, B, 'restored')])).done).toHaveLength(1);
  });

  test('no more than ten are raised at once, with a note', async () => {
    const changes = Array.from({ length: 12 }, (_, index) =>
      makeChange(A, index.toString(16).repeat(40)),
    );
    const { gh, post } = open({ issues: [] });
    expect((await post(changes)).notes).toEqual(['2 more alerts are raised by the next call']);
    expect(gh.readIssues()).toHaveLength(10);
    await post(changes);
    expect(gh.readIssues()).toHaveLength(12);
  });

  test.each([
    [
      'gh: API rate limit exceeded for installation (HTTP 403)',
      /^GitHub takes no more requests for now/,
    ],
    ['You have exceeded a secondary rate limit', /^GitHub takes no more requests for now/],
    ['GraphQL: Could not resolve to a Repository', /^no repository for the alerts/],
  ])('%s is one clear message', async (complaint, message) => {
    const { post } = open({ issues: [], complaint });
    await expect(post([makeChange(A, B)])).rejects.toThrow(message);
  });

  test('a repository without issues is refused', async () => {
    const { post } = open({ issues: [], hasIssuesEnabled: false });
    await expect(post([])).rejects.toThrow("'owner/name' has no issues");
  });
});
