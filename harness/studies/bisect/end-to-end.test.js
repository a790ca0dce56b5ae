import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { makeRepository } from '../../variants/test-support/make-repository.js';
import { validate } from '../../formats/schemas.js';
import { expectStatus } from '../../testing/support/expect-status.js';
import { callAssay } from '../../testing/support/project.js';
import { testLong } from '../../testing/support/gates.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { Bisection } from '../../formats/types.ts' */

const root = makeTestDirectory('bisect');

/** A package; jobs are scripted, so that what its code does is no matter. @param {string} code  @param {object} [description] more of it */
function makePackage(code, description = {}) {
  const whole = { name: 'codec', type: 'module', exports: './index.js', ...description };
  return { 'package.json': JSON.stringify(whole), 'index.js': code };
}

/** Without it there is no module. */
const BROKEN = { exports: './dist/index.js', scripts: { build: 'exit 1' } };

/**
 * @param {string} path directory that holds one bisection
 * @returns {Bisection}
 */
function readBisection(path) {
  const [name] = readdirSync(path);
  return JSON.parse(readFileSync(join(path, name, 'bisection.json'), 'utf8'));
}

describe('a commit that made a cell slower', () => {
  const workingPath = join(root, 'slower');
  const repository = makeRepository(join(workingPath, 'codec'));
  const commits = [
    repository.commit(makePackage('// fast'), 'first version'),
    repository.commit({ 'README.md': 'A codec.\n' }, 'add a readme'),
    repository.commit(makePackage('// slow'), 'do much more work'),
    repository.commit(makePackage('// slow', BROKEN), 'break the build'),
    repository.commit(makePackage('// slow'), 'fix the build'),
  ];

  afterAll(() => {
    const builds = join(PROJECT.treesPath, 'git');
    // In a fresh clone nothing was built unless the long tests ran.
    for (const name of existsSync(builds) ? readdirSync(builds) : []) {
      if (commits.some((commit) => name.startsWith(commit))) {
        rmSync(join(builds, name), { recursive: true });
      }
    }
  });

  const slowOnes = commits.slice(2);
  const runJob = scriptJobs({
    factor: ({ variant }) => (slowOnes.some((one) => variant.modulePath.includes(one)) ? 1.5 : 1),
  });

  /** @param {string[]} args */
  const bisect = (...args) =>
    callAssay(['bisect', ...args, '--family', 'js-bson', '--processes', '16'], {
      workingPath,
      runJob,
    });

  const [, fast, slow, broken, fixed] = commits.map((commit) => commit.slice(0, 12));

  testLong('is found', async () => {
    const ends = ['git:codec@HEAD~3', `git:codec@${fixed}`];
    const out = join(workingPath, 'runs');
    const cell = ['serialize', 'deep'];
    const result = await bisect(...ends, ...cell, '--out', out, '--seed', '1');
    const { status, stdout, stderr } = result;
    expectStatus({ status, stderr }, EXIT.done);
    expect(stdout).toMatch(new RegExp(`^Found: serialize deep is slower since ${slow}: ×`));
    expect(stdout).toContain(`${slow} do much more work`);
    expect(stderr).toMatch(new RegExp(`${broken} against ${fast} · skipped · .*build`));

    const bisection = readBisection(out);
    validate('bisection', bisection);
    expect(bisection).toMatchObject({
      ended: 'found',
      firstBad: `git:codec@${slow}`,
      lastGood: `git:codec@${fast}`,
      skipped: [],
      change: { verdict: 'slower' },
    });
    const runs = bisection.steps.flatMap(({ runId }) => runId ?? []);
    const [name] = readdirSync(out);
    expect(readdirSync(join(out, name))).toEqual(expect.arrayContaining(runs));
  });

  test('is not searched for if the good end is the later one', async () => {
    const out = join(workingPath, 'none');
    const ends = ['git:codec@main', 'git:codec@HEAD~3'];
    const { status, stderr } = await bisect(...ends, 'serialize deep', '--out', out);
    expect(status).toBe(EXIT.usage);
    expect(stderr).toMatch(/^error: 'main' is not an ancestor of 'HEAD~3'/);
    expect(stderr).toMatch(/swap them/);
    expect(existsSync(out)).toBe(false);
  });

  test.each([[['serialize']], [['serialize', 'deep', 'flat']], [['serialize', 'deep,flat']]])(
    'is searched for in one cell: %p is refused',
    async (words) => {
      const { status, stderr } = await bisect('git:codec@HEAD~3', 'git:codec@main', ...words);
      expect(status).toBe(EXIT.usage);
      expect(stderr).toMatch(/cell/);
    },
  );
});
