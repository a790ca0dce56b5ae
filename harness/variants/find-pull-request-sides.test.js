import { afterAll, expect, test } from '@jest/globals';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCommit, findPullRequestArms } from './git.js';
import {
  makePlainPackage,
  makeRepository,
  openRepository,
} from './test-support/make-repository.js';

const room = mkdtempSync(join(tmpdir(), 'assay-sides-'));
afterAll(() => rmSync(room, { recursive: true, force: true }));

/** A branch of one commit, from a main branch that has gone on since; made once, since git takes long. */
const template = makeRepository(join(room, 'template'));
const fork = template.commit(makePlainPackage('fork'));
template.commit(makePlainPackage('later on main'));
template.git('checkout', '--quiet', '-b', 'idea', fork);
const head = template.commit(makePlainPackage('idea'));

let count = 0;

/** A copy of it, to be changed. */
function makePullRequest() {
  const workingPath = join(room, String((count += 1)));
  cpSync(template.path, join(workingPath, 'codec'), { recursive: true });
  return { repository: openRepository(join(workingPath, 'codec')), workingPath };
}

test('the sides are HEAD and the commit where it branched off', () => {
  const { workingPath } = makePullRequest();
  expect(findPullRequestArms('codec', undefined, workingPath)).toEqual({
    baseline: `git:codec@${fork.slice(0, 12)}`,
    candidate: `git:codec@${head.slice(0, 12)}`,
    notes: [expect.stringContaining('branched off from main')],
  });
});

test('merge-base as a ref is the same commit', () => {
  const { repository } = makePullRequest();
  expect(findCommit({ path: repository.path, typed: 'codec' }, 'merge-base')).toBe(fork);
});

test('the main branch of the remote goes before that of the clone', () => {
  const { repository, workingPath } = makePullRequest();
  repository.git('clone', '--quiet', '.', '../clone');
  const clone = join(workingPath, 'clone');
  repository.git('-C', clone, 'checkout', '--quiet', '-b', 'next');
  const typed = { path: clone, typed: 'clone' };
  expect(findCommit(typed, 'merge-base')).toBe(findCommit(typed, 'origin/HEAD'));
  expect(() => findPullRequestArms('clone', undefined, workingPath)).toThrow('nothing to compare');
});

test('a base that is named goes before the main branch', () => {
  const { repository, workingPath } = makePullRequest();
  repository.git('branch', 'older');
  repository.commit(makePlainPackage('more'));
  const { baseline } = findPullRequestArms('codec', 'older', workingPath);
  expect(baseline).toBe(`git:codec@${head.slice(0, 12)}`);
});

test('uncommitted changes are said not to be measured', () => {
  const { repository, workingPath } = makePullRequest();
  repository.write({ 'index.js': 'changed' });
  const { notes } = findPullRequestArms('codec', undefined, workingPath);
  expect(notes[1]).toContain('path:codec');
});

test('a HEAD that main has already leaves nothing to compare', () => {
  const { repository, workingPath } = makePullRequest();
  repository.git('checkout', '--quiet', 'main');
  expect(() => findPullRequestArms('codec', undefined, workingPath)).toThrow('nothing to compare');
});

test('without a main branch, the ones that were tried are named', () => {
  const { repository, workingPath } = makePullRequest();
  repository.git('branch', '-m', 'main', 'trunk');
  expect(() => findPullRequestArms('codec', undefined, workingPath)).toThrow(
    'origin/HEAD, origin/main, origin/master, main, master',
  );
});

test('a base without a commit in common is refused', () => {
  const { repository, workingPath } = makePullRequest();
  repository.git('checkout', '--quiet', '--orphan', 'stranger');
  repository.commit(makePlainPackage('stranger'));
  repository.git('checkout', '--quiet', 'idea');
  expect(() => findPullRequestArms('codec', 'stranger', workingPath)).toThrow(
    'no commit in common with stranger',
  );
});

test('a base that looks like an option is only a branch that is not there', () => {
  const { workingPath } = makePullRequest();
  expect(() => findPullRequestArms('codec', '--all', workingPath)).toThrow("no revision '--all'");
});
