import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { makeRepository } from '../../variants/test-support/make-repository.js';
import { expectStatus } from '../../testing/support/expect-status.js';
import { callAssay } from '../../testing/support/project.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

const CODEC = import.meta.resolve('../../../experiments/js-bson/variants/linked-list.js');
const workingPath = makeTestDirectory('compare');

/** @param {string[]} args */
const compare = (...args) => callAssay(['compare', ...args], { workingPath, runJob: scriptJobs() });

describe('options that would have no effect are refused', () => {
  test.each([
    [
      'variants beside a run to resume',
      ['--resume', 'run', 'generator'],
      "--resume cannot be combined with 'generator'",
    ],
    [
      'other options beside it',
      ['--resume', 'run', '--budget', '5', '--op', 'serialize'],
      '--resume cannot be combined with --op',
    ],
    ['a base without a pull request', ['generator', 'linked-list', '--base', 'main'], '--base'],
    ['a build of nothing', ['generator', 'linked-list', '--build', 'make'], '--build needs a git:'],
    ['a check of a ranking', ['generator', 'indexed', '--rank', '--check'], 'a ranking has none'],
  ])('%s', async (_, args, message) => {
    const { status, stdout, stderr } = await compare(...args);
    expect({ status, stdout }).toEqual({ status: EXIT.usage, stdout: '' });
    expect(stderr).toContain(message);
  });
});

test('each session of a run has its own budget', async () => {
  const cell = ['--op', 'serialize', '--corpus', 'deep', '--explain', 'none', '--out', 'budgets'];
  await compare('generator', 'linked-list', ...cell, '--budget', '0.1');
  const [name] = readdirSync(join(workingPath, 'budgets'));
  await compare('--resume', join('budgets', name), '--budget', '5');
  const sessions = readFileSync(join(workingPath, 'budgets', name, 'sessions.ndjson'), 'utf8');
  const lines = sessions.trim().split('\n');
  const starts = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'started');
  expect(starts.map(({ budgetSeconds }) => budgetSeconds)).toEqual([0.1, 5]);
});

describe('a run of a branch', () => {
  const repository = makeRepository(join(workingPath, 'codec'));
  const description = { name: 'codec', type: 'module', exports: './index.js' };
  const commit = repository.commit({
    'package.json': JSON.stringify(description),
    'index.js': `export * from '${CODEC}';\n`,
  });
  afterAll(() => {
    rmSync(join(PROJECT.treesPath, 'git', commit), { recursive: true, force: true });
  });

  test('is not resumed after a commit to the branch, even if its module is the same', async () => {
    const cell = ['--family', 'js-bson', '--op', 'serialize', '--corpus', 'deep'];
    const limits = ['--budget', '0.1', '--explain', 'none', '--out', 'runs'];
    const first = await compare('linked-list', 'git:codec@main', ...cell, ...limits);
    expectStatus(first, EXIT.done);
    const [name] = readdirSync(join(workingPath, 'runs'));

    const later = repository.commit({ 'README.md': 'A codec.\n' });
    const { status, stderr } = await compare('--resume', join('runs', name), '--budget', '1');
    rmSync(join(PROJECT.treesPath, 'git', later), { recursive: true, force: true });
    expect(status).toBe(EXIT.usage);
    expect(stderr).toContain(`cannot resume the run: commit of 'git:codec@main' changed `);
    expect(stderr).toContain(`(${commit}, now ${later})`);
  });
});
