import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { readRecords } from '../studies/history/store.js';
import { makeRepository } from '../variants/test-support/make-repository.js';
import { openComparisons } from './support/comparisons.js';
import { scriptJobs } from './support/scripted-jobs.js';

const comparisons = openComparisons();
afterAll(comparisons.remove);
const { out, call } = comparisons.open();
const workingPath = dirname(out);
const storePath = join(workingPath, 'store');
const repository = makeRepository(join(workingPath, 'codec'));

/** Jobs take as long as the module of a commit says. */
const runJob = scriptJobs({
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
  expect(unchanged.stdout).toContain('0 comparisons');

  const slower = commit(1.6, 'four');
  await follow('--each');
  expect(list()).toEqual(['point two', 'merge three four', 'point four']);
  const [, merge] = readRecords(storePath).records;
  expect(merge.record.followed?.unchanged).toHaveLength(1);
  expect(merge.record.cells[0].verdict).toBe('slower');
  expect(merge.record.command).toContain(`git:codec@${slower.slice(0, 12)}`);
  expect(readdirSync(out)).toHaveLength(3);
});

test.each([
  [['--from', 'v2'], "'codec' has no revision 'v2'"],
  [['--branch', 'other'], "'codec' has no revision 'other'"],
])('follow %j is refused', async (args, message) => {
  const { status, stderr } = await follow(...args);
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain(message);
});
