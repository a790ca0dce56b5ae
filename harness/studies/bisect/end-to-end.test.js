import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { makeRepository } from '../../variants/test-support/make-repository.js';
import { validate } from '../../formats/schemas.js';
import { runAssay } from '../../testing/support/project.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { testLong } from '../../testing/support/gates.js';

/** @import { Bisection } from '../../formats/types.ts' */

const CODEC = import.meta.resolve('../../../experiments/js-bson/variants/linked-list.js');
const root = makeTestDirectory('bisect');

/**
 * A package that serializes like a variant of the project, with additional work.
 *
 * @param {number} extra documents serialized for each requested one
 * @param {Record<string, string>} [scripts]
 */
function makePackage(extra, scripts = {}) {
  const index = `
import * as codec from '${CODEC}';
export * from '${CODEC}';
const EXTRA = { list: Array.from({ length: 100 }, (_, index) => ({ index, text: 'word' })) };
export function serialize(document, options) {
  for (let count = 0; count < ${extra}; count++) codec.serialize(EXTRA);
  return codec.serialize(document, options);
}
`;
  const description = { name: 'codec', type: 'module', exports: './index.js', scripts };
  return { 'package.json': JSON.stringify(description), 'index.js': index };
}

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
    repository.commit(makePackage(0), 'first version'),
    repository.commit({ 'README.md': 'A codec.\n' }, 'add a readme'),
    repository.commit(makePackage(8), 'do much more work'),
    repository.commit(makePackage(8, { build: 'exit 1' }), 'break the build'),
    repository.commit(makePackage(8, {}), 'fix the build'),
  ];

  afterAll(() => {
    const builds = join(PROJECT.cachePath, 'git');
    // In a fresh clone nothing was built unless the long tests ran.
    for (const name of existsSync(builds) ? readdirSync(builds) : []) {
      if (commits.some((commit) => name.startsWith(commit))) {
        rmSync(join(builds, name), { recursive: true });
      }
    }
  });

  /** @param {string[]} args */
  const bisect = (...args) =>
    runAssay(['bisect', ...args, '--family', 'js-bson', '--processes', '24'], { workingPath });

  const [, fast, slow, broken, fixed] = commits.map((commit) => commit.slice(0, 12));

  testLong('is found', async () => {
    const ends = ['git:codec@HEAD~3', `git:codec@${fixed}`];
    const out = join(workingPath, 'runs');
    const cell = ['serialize', 'deep'];
    const result = await bisect(...ends, ...cell, '--out', out, '--seed', '1');
    const { status, stdout, stderr } = result;
    expect({ status, stderr }).toMatchObject({ status: EXIT.done });
    expect(stdout).toMatch(new RegExp(`^serialize deep is slower since ${slow}: ×`));
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
