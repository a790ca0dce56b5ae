import { renderMarkdown } from '../document/markdown.js';
import { describeAlert, titleOf } from './alert.js';

/** @import { ChangedCell, FollowedChange, MeasuredCommit } from '../../harness/formats/types.ts' */

const HASHES = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40));

/** @type {(revision: string, more?: Partial<MeasuredCommit>) => MeasuredCommit} */
const makeCommit = (revision, more = {}) => ({
  ...{ revision, subject: 'encode: a table of keys', date: '2026-03-04T05:06:07.000Z' },
  ...{ releases: [], isUnchanged: false, comparisons: [] },
  ...more,
});

/** @type {(cellId: string, estimate: number, more?: Partial<ChangedCell>) => ChangedCell} */
const makeCell = (cellId, estimate, more = {}) => ({
  cellId,
  ratio: { estimate, low: estimate - 0.04, high: estimate + 0.04 },
  suspected: { estimate: estimate + 0.01, low: estimate - 0.05, high: estimate + 0.07 },
  verdict: 'slower',
  ...more,
});

/** @type {FollowedChange} */
const CHANGE = {
  ...{ id: 'b'.repeat(12), direction: 'slower', before: HASHES[0], after: HASHES[1] },
  ...{ commits: 1, state: 'open', reproduce: 'assay compare git:.@a git:.@b' },
  cells: [makeCell('encode/flat', 1.1), makeCell('encode/deep', 1.21, { cause: '+2 µs in quote' })],
  runIds: ['20260304-merge', '20260304-confirmation'],
};

/** @type {(change?: Partial<FollowedChange>, commits?: MeasuredCommit[]) => string} */
const write = (change = {}, commits = HASHES.map((hash) => makeCommit(hash))) =>
  renderMarkdown(describeAlert({ ...CHANGE, ...change }, { commits, branch: 'main' }));

test('the title names the cell that is slowest, and the commit', () => {
  expect(titleOf(CHANGE)).toBe('encode/deep: +21\u{a0}% time since bbbbbbbbbbbb, and 1 more cell');
  expect(titleOf({ ...CHANGE, commits: 3, cells: [CHANGE.cells[0]] })).toBe(
    'encode/flat: +10\u{a0}% time since one of 3 commits up to bbbbbbbbbbbb',
  );
});

test('an alert has ratio, interval, cause, commit, the command that repeats it, and the line that answers it', () => {
  const text = write();
  expect(text).toMatch(/\| encode\/deep +\| slower +\| +1\.210 \| +1\.170–1\.250 \|/);
  expect(text).toContain('`encode/deep`: +2 µs in quote');
  expect(text).toContain('`bbbbbbbbbbbb` encode: a table of keys (2026-03-04)');
  expect(text).not.toContain('`cccccccccccc`');
  expect(text).toContain('```sh\nassay compare git:.@a git:.@b\n```');
  expect(text).toContain('```text\nbbbbbbbbbbbb * expected: REASON\n');
  expect(text).toContain('`20260304-confirmation`');
});

test('of several commits all are named that changed the code', () => {
  const commits = HASHES.map((hash, index) => makeCommit(hash, { isUnchanged: index === 2 }));
  const text = write({ after: HASHES[3], commits: 2 }, commits);
  expect(text).toContain('one of 2 commits');
  expect(text).toContain('`bbbbbbbbbbbb`');
  expect(text).toContain('`dddddddddddd` encode');
  expect(text).not.toContain('`cccccccccccc`');
});

test('a message of a commit mentions nobody and is no markup', () => {
  const commits = HASHES.map((hash) => makeCommit(hash, { subject: '@everybody <b>fixes #12' }));
  expect(write({}, commits)).toContain('`@everybody` \\<b\\>fixes `#12`');
});
