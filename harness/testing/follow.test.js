import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { readFollowing } from '../studies/follow/following.js';
import { readRecords } from '../studies/history/store.js';
import { makeRepository } from '../variants/test-support/make-repository.js';
import { openComparisons, readObservations } from './support/comparisons.js';
import { scriptJobs } from './support/scripted-jobs.js';

const comparisons = openComparisons();
afterAll(comparisons.remove);
const { out, call } = comparisons.open();
const workingPath = dirname(out);
const storePath = join(workingPath, 'store');
const repository = makeRepository(join(workingPath, 'codec'));

/** Jobs take as long as the module of a commit says, and fail where it is broken. */
const runJob = scriptJobs({
  outcome({ variant: { modulePath } }) {
    if (!readFileSync(modulePath, 'utf8').includes('broken')) return undefined;
    return {
      failure: {
        reason: 'exit-status',
        detail: 'ended with exit status 1',
        lastLines: ['SyntaxError: broken'],
      },
    };
  },
  factor({ variant: { modulePath } }) {
    const [, factor = '1'] = /takes ([\d.]+)/.exec(readFileSync(modulePath, 'utf8')) ?? [];
    return Number(factor);
  },
});

/** @type {(factor: number, subject: string, more?: Record<string, string>) => string} */
const commit = (factor, subject, more = {}) =>
  repository.commit(
    {
      'package.json': JSON.stringify({ name: 'codec', version: subject, main: './index.js' }),
      'index.js': `exports.takes = 'takes ${factor}';\n`,
      ...more,
    },
    subject,
  );

const FAMILY = ['--family', 'fake-script', '--quiet', '--op', 'reverse'];
/** @param {string[]} args */
const follow = (...args) =>
  call(['follow', 'codec', ...FAMILY, '--out', out, '--store', storePath, ...args], runJob);
const list = () =>
  readRecords(storePath).records.flatMap(({ record: { followed } }) =>
    followed === undefined
      ? []
      : [[followed.purpose, ...followed.commits.map(({ subject }) => subject)].join(' ')],
  );

const readChanges = () =>
  readFollowing(readRecords(storePath).records.map(({ record }) => record))?.changes.filter(
    ({ direction }) => direction === 'faster',
  );

test('a branch is measured from its last commit on, and then what is new', async () => {
  commit(1, 'one');
  repository.git('tag', 'v1.0.0');
  commit(1.1, 'two');
  const first = await follow();
  expect(first).toMatchObject({ status: EXIT.done, stderr: '' });
  expect(list()).toEqual(['point two']);
  const [{ record }] = readRecords(storePath).records;
  expect(record.followed).toMatchObject({ branch: 'main', reference: 'git:codec@v1.0.0' });
  expect(record.cells[0].ratio?.estimate).toBeCloseTo(1.1, 1);

  expect((await follow()).status).toBe(EXIT.done);
  expect(list()).toEqual(['point two']);

  commit(1.1, 'three', { 'README.md': 'documented' });
  const unchanged = await follow();
  expect(list()).toEqual(['point two']);
  expect(unchanged.stderr).toBe('');
  expect(unchanged.stdout).toMatch(
    /^0 comparisons of main recorded; the reference is git:codec@v1\.0\.0\n\n/,
  );

  const slower = commit(1.6, 'four');
  await follow('--each');
  expect(list()).toEqual([
    'point two',
    'merge three four',
    'point four',
    'confirmation three four',
  ]);
  const [, merge, , confirmation] = readRecords(storePath).records.map((stored) => stored.record);
  expect(merge.followed?.unchanged).toHaveLength(1);
  expect(merge.cells[0].verdict).toBe('slower');
  expect(merge.command).toContain(`git:codec@${slower.slice(0, 12)}`);
  expect(readdirSync(out)).toHaveLength(4);

  const { question, runId } = confirmation.identity;
  expect(question).toMatchObject({ alpha: confirmation.followed?.level, explain: 'differing' });
  expect(question.seed).not.toBe(merge.identity.question.seed);
  expect(readdirSync(join(storePath, 'reports'))).toEqual([`${runId}.html`]);
});

test('a change of several commits is traced to the one, of those that are built to other code', async () => {
  commit(1.6, 'five', { 'README.md': 'more' });
  commit(1.6, 'six', { 'index.js': "exports.takes = 'takes 1.60';\n" });
  const faster = commit(1, 'seven');
  commit(1, 'eight', { 'README.md': 'even more' });
  commit(1, 'nine', { 'index.js': "exports.takes = 'takes 1.0';\n" });
  const before = list().length;
  await follow();
  expect(list().slice(before)).toEqual([
    'merge five six seven eight nine',
    'point nine',
    'confirmation five six seven eight nine',
    'search six seven',
    'search six',
    'confirmation seven',
  ]);
  expect(readChanges()).toMatchObject([{ state: 'open', after: faster, commits: 1 }]);
});

test('a rewritten branch goes on from the last measured commit that is still on it', async () => {
  repository.git('reset', '--quiet', '--hard', 'main~2');
  commit(1, 'another eight', { 'index.js': "exports.takes = 'takes 1.000';\n" });
  const before = list().length;
  const { stderr, status } = await follow();
  expect(status).toBe(EXIT.done);
  expect(stderr).toMatch(/^note: main was rewritten: [0-9a-f]{12}, /m);
  expect(list().slice(before)).toEqual([
    'merge five six seven another eight',
    'point another eight',
  ]);
  // The commit that made it faster is still there, and known.
  expect(readChanges()).toHaveLength(1);
});

test('a commit that cannot be loaded is left to the next one', async () => {
  const broken = commit(1, 'ten', { 'index.js': "exports.takes = 'broken';\n" });
  const next = commit(1, 'eleven', { 'index.js': "exports.takes = 'takes 1.0000';\n" });
  const before = list().length;
  const { status, stderr } = await follow('--each');
  expect(status).toBe(EXIT.done);
  expect(stderr).toBe(
    `note: ${broken.slice(0, 12)} is left to the next commit: the check of git:codec@${broken.slice(0, 12)} on reverse deep ended with exit status 1: SyntaxError: broken\n`,
  );
  expect(list().slice(before)).toEqual(['merge ten eleven', 'point eleven']);
  expect((await follow('--from', 'v1.0.0')).stderr).toMatch(
    /^note: --from is ignored: what is recorded begins with [0-9a-f]{12}; another --store begins earlier\n$/,
  );
  expect(next).toHaveLength(40);
});

test('an interrupted comparison is resumed by the next call, whatever its seed', async () => {
  commit(1.3, 'twelve');
  const before = readdirSync(out);
  const interrupts = new AbortController();
  let timed = 0;
  const stopped = scriptJobs({
    onJob({ kind }) {
      if (kind === 'measure' && ++timed === 9) interrupts.abort();
    },
  });
  const args = ['follow', 'codec', ...FAMILY, '--out', out, '--store', storePath];
  const asked = [...args, '--seed', '1', '--budget', '60m'];
  const first = await call(asked, stopped, interrupts.signal);
  expect(first.status).toBe(EXIT.interrupted);
  expect(first.stderr).toMatch(/^note: interrupted; another call goes on with the merge of /m);
  const [name, ...others] = readdirSync(out).filter((one) => !before.includes(one));
  expect(others).toEqual([]);
  const begun = readObservations(join(out, name));
  expect(begun.length).toBeGreaterThan(0);

  const { stderr } = await call([...args, '--seed', '2', '--budget', '20m'], runJob);
  expect(stderr).toBe(`note: goes on with ${name}, which was interrupted\n`);
  const records = readRecords(storePath).records.map(({ record }) => record);
  const merge = records.findLast(({ followed }) => followed?.purpose === 'merge');
  expect(merge?.identity.runId).toBe(name);
  // A confirmation that the budget cuts short is repeated with a larger one than it had.
  expect(merge?.identity.question.budgetSeconds).toBeLessThanOrEqual(20 * 60);
  const whole = readObservations(join(out, name));
  expect(whole.length).toBeGreaterThan(begun.length);
  expect(whole.slice(0, begun.length)).toEqual(begun);
});

test('nothing is measured where it cannot be recorded', async () => {
  const before = readdirSync(out).length;
  const { status, stderr } = await follow('--store', join(repository.path, 'index.js'));
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain('is not a directory');
  const below = await follow('--store', join(repository.path, 'index.js', 'store'));
  expect(below.status).toBe(EXIT.failed);
  expect(below.stderr).toContain('a file is in its place: name a directory');
  expect(readdirSync(out)).toHaveLength(before);
});

test('a renamed branch is a new series, unless its old name is given', async () => {
  repository.git('branch', '--quiet', '-m', 'trunk');
  const before = list().length;
  const same = await follow('--branch', 'main');
  expect([same.stderr, list().length]).toEqual(['', before]);
  const { stderr } = await follow();
  expect(stderr).toContain(
    'note: a new series: what is recorded is of main, which --branch main continues',
  );
  expect(list().slice(before)).toEqual(['point twelve']);
});

test('a reference is a tag by its name, or else a commit', async () => {
  repository.git('tag', 'codec@1.1.0');
  const referenceFor = async (/** @type {string} */ name, /** @type {string[]} */ ...args) => {
    await follow('--store', join(workingPath, name), ...args);
    const [{ record }] = readRecords(join(workingPath, name)).records;
    return record.followed?.reference;
  };
  const head = `git:codec@${repository.git('rev-parse', 'HEAD').slice(0, 12)}`;
  // A name with an @ would be read as another directory.
  expect(await referenceFor('by-tag')).toBe(head);
  expect(await referenceFor('by-branch', '--reference', 'trunk')).toBe(head);
  expect(await referenceFor('by-name', '--reference', 'v1.0.0')).toBe('git:codec@v1.0.0');
  repository.git('tag', '--delete', 'v1.0.0');
  const gone = await follow('--store', join(workingPath, 'by-name'));
  expect([gone.status, gone.stderr]).toEqual([
    EXIT.usage,
    expect.stringContaining("'v1.0.0', the recorded reference, is not in 'codec'"),
  ]);
  // What is recorded stays as it is, and so nothing is said of it.
  const typo = await follow('--store', join(workingPath, 'by-tag'), '--reference', 'v9');
  expect(typo.status).toBe(EXIT.usage);
  expect(typo.stderr).toMatch(
    /^error: --reference: no variant 'v9'.*, and no such tag or commit\n/,
  );
});

test.each([
  [['--from', 'v2'], "'codec' has no revision 'v2'"],
  [['--branch', 'other'], "'codec' has no revision 'other'"],
])('follow %j is refused', async (args, message) => {
  const { status, stderr } = await follow(...args);
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain(message);
});
