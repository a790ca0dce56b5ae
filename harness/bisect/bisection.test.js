import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { EXIT } from '../exit-status.js';
import { PROJECT } from '../project.js';
import { makeRepository } from '../resolve/test-support/make-repository.js';
import { validate } from '../schemas.js';

/** @import { Bisection } from './types.ts' */

jest.setTimeout(90_000);

const BIN = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bin.js');
const CODEC = import.meta.resolve('../../experiments/js-bson/variants/linked-list.js');
const root = mkdtempSync(join(tmpdir(), 'assay-bisect-'));

afterAll(() => rmSync(root, { recursive: true }));

/**
 * A package that serializes as a variant of the project does, and something else besides.
 *
 * @param {number} extra documents that are serialized for each one that was asked for
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
 * Runs the program as a user would, in the directory that holds the repository.
 *
 * @param {string[]} args
 * @param {string} workingPath
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>}
 */
function runAssay(args, workingPath) {
  const env = { ...process.env, ASSAY_INVOCATION_DIRECTORY: workingPath };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/**
 * @param {string} path directory in which one bisection was kept
 * @returns {Bisection}
 */
function readBisection(path) {
  const [name] = readdirSync(path);
  return JSON.parse(readFileSync(join(path, name, 'bisection.json'), 'utf8'));
}

describe('a checkout in which one commit made a cell slower', () => {
  const workingPath = join(root, 'slower');
  const repository = makeRepository(join(workingPath, 'codec'));
  const commits = [
    repository.commit(makePackage(0), 'fast'),
    repository.commit(makePackage(40), 'do far more work'),
    repository.commit(makePackage(40, { build: 'exit 1' }), 'break the build'),
    repository.commit(makePackage(40, {}), 'mend the build'),
  ];

  afterAll(() => {
    const builds = join(PROJECT.cachePath, 'git');
    for (const name of readdirSync(builds)) {
      if (commits.some((commit) => name.startsWith(commit))) {
        rmSync(join(builds, name), { recursive: true });
      }
    }
  });

  /** @param {string[]} args */
  const bisect = (...args) =>
    runAssay(
      ['bisect', ...args, '--family', 'js-bson', '--processes', '16', '--seed', '3'],
      workingPath,
    );

  test('is searched down to that commit, past one that cannot be built', async () => {
    const out = join(workingPath, 'runs');
    const ends = ['git:codec@HEAD~3', 'git:codec@main'];
    const { status, stdout, stderr } = await bisect(...ends, 'serialize', 'deep', '--out', out);
    expect({ status, stderr }).toMatchObject({ status: EXIT.done });
    const [fast, slow, broken] = commits.map((commit) => commit.slice(0, 12));
    expect(stdout).toMatch(new RegExp(`^serialize deep is slower from ${slow} on: ×`));
    expect(stdout).toContain(`${slow} do far more work`);
    expect(stderr).toMatch(new RegExp(`${broken} against ${fast} · passed over · .*build`));

    const bisection = readBisection(out);
    await validate('bisection', bisection);
    expect(bisection).toMatchObject({
      ended: 'found',
      firstBad: `git:codec@${slow}`,
      lastGood: `git:codec@${fast}`,
      passedOver: [],
      change: { verdict: 'slower' },
    });
    const runs = bisection.steps.flatMap(({ runId }) => runId ?? []);
    const [name] = readdirSync(out);
    expect(readdirSync(join(out, name))).toEqual(expect.arrayContaining(runs));
  });

  test('is refused where the good end is the younger one, and leaves nothing behind', async () => {
    const out = join(workingPath, 'none');
    const ends = ['git:codec@main', 'git:codec@HEAD~3'];
    const { status, stderr } = await bisect(...ends, 'serialize deep', '--out', out);
    expect(status).toBe(EXIT.usage);
    expect(stderr).toMatch(/^error: 'main' is no ancestor of 'HEAD~3'/);
    expect(stderr).toMatch(/swap them/);
    expect(existsSync(out)).toBe(false);
  });

  test.each([[['serialize']], [['serialize', 'deep', 'flat']], [['serialize', 'deep,flat']]])(
    'is about one cell: %p is refused',
    async (words) => {
      const { status, stderr } = await bisect('git:codec@HEAD~3', 'git:codec@main', ...words);
      expect(status).toBe(EXIT.usage);
      expect(stderr).toMatch(/cell/);
    },
  );
});
