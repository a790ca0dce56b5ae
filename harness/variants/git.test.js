import { appendFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRevision, findCommit, findPullRequestArms } from './git.js';
import {
  makePlainPackage,
  makeRepository,
  openRepository,
} from './test-support/make-repository.js';
import { makeTestDirectory } from '../testing/support/directories.js';

const room = makeTestDirectory('git');

let count = 0;

/** Copies a repository, because making one takes git a while. @param {string} from @param {string} to */
function copyRepository(from, to) {
  cpSync(from, to, { recursive: true });
  return openRepository(to);
}

describe('the revision of a checkout', () => {
  const template = makeRepository(join(room, 'clean'));
  const commit = template.commit({ ...makePlainPackage('clean'), '.gitignore': 'lib\n' });
  const makeCheckout = () => copyRepository(template.path, join(room, String((count += 1))));

  test('is its commit if it is clean', () => {
    const repository = makeCheckout();
    expect(findRevision(repository.path)).toEqual({ commit, changes: null });
    expect(findRevision(join(repository.path, 'index.js'))).toEqual({ commit, changes: null });
  });

  test('has a digest of changed, staged and untracked files', () => {
    const repository = makeCheckout();
    const steps = [
      () => repository.write({ 'index.js': 'changed' }),
      () => repository.write({ 'index.js': 'changed again' }),
      () => {
        repository.git('add', '--all');
        repository.write({ 'src/new.js': 'new' });
      },
      () => repository.write({ 'src/new.js': 'newer' }),
      () => repository.git('mv', 'package.json', 'moved.json'),
    ];
    const digests = steps.map((step) => {
      step();
      return findRevision(repository.path)?.changes;
    });
    for (const digest of digests) expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(new Set(digests).size).toBe(digests.length);
    expect(findRevision(repository.path)?.commit).toBe(commit);
  });

  test('does not depend on how git is configured to show changes', () => {
    const settings = [
      '',
      '[diff]\n\tnoprefix = true\n[color]\n\tui = always\n',
      '[diff]\n\tmnemonicPrefix = true\n',
    ];
    const digests = settings.map((text) => {
      const repository = makeCheckout();
      appendFileSync(join(repository.path, '.git', 'config'), text);
      repository.write({ 'index.js': 'changed', 'new.js': 'new' });
      return findRevision(repository.path)?.changes;
    });
    expect(digests[0]).toMatch(/^sha256:/);
    expect(new Set(digests).size).toBe(1);
  });

  test('ignores files that git ignores, and those have no revision', () => {
    const repository = makeCheckout();
    repository.write({ 'lib/package/index.js': 'built' });
    expect(findRevision(repository.path)).toEqual({ commit, changes: null });
    expect(findRevision(join(repository.path, 'lib/package'))).toBeNull();
    expect(findRevision(join(repository.path, 'lib/package/index.js'))).toBeNull();
  });

  test('is unknown outside a checkout, before the first commit, and without git', () => {
    const outside = join(room, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'index.js'), '');
    expect(findRevision(outside)).toBeNull();
    expect(findRevision(makeRepository(join(room, 'empty')).path)).toBeNull();
    const repository = makeCheckout();
    const { PATH } = process.env;
    process.env.PATH = join(room, 'nothing');
    try {
      expect(findRevision(repository.path)).toBeNull();
    } finally {
      process.env.PATH = PATH;
    }
  });
});

describe('a pull request', () => {
  /** A branch with one commit; main has another one. */
  const template = makeRepository(join(room, 'template'));
  const fork = template.commit(makePlainPackage('fork'));
  template.commit(makePlainPackage('later on main'));
  template.git('checkout', '--quiet', '-b', 'idea', fork);
  const head = template.commit(makePlainPackage('idea'));

  function makePullRequest() {
    const workingPath = join(room, String((count += 1)));
    return { repository: copyRepository(template.path, join(workingPath, 'codec')), workingPath };
  }

  test('has as arms HEAD and its merge base', () => {
    const { workingPath } = makePullRequest();
    expect(findPullRequestArms('codec', undefined, workingPath)).toEqual({
      baseline: `git:codec@${fork.slice(0, 12)}`,
      candidate: `git:codec@${head.slice(0, 12)}`,
      notes: [expect.stringContaining('branched off from main')],
    });
  });

  test('has the same base as the revision merge-base', () => {
    const { repository } = makePullRequest();
    expect(findCommit({ path: repository.path, typed: 'codec' }, 'merge-base')).toBe(fork);
  });

  test('prefers the main branch of the remote to that of the clone', () => {
    const { repository, workingPath } = makePullRequest();
    repository.git('clone', '--quiet', '.', '../clone');
    const clone = join(workingPath, 'clone');
    repository.git('-C', clone, 'checkout', '--quiet', '-b', 'next');
    const typed = { path: clone, typed: 'clone' };
    expect(findCommit(typed, 'merge-base')).toBe(findCommit(typed, 'origin/HEAD'));
    expect(() => findPullRequestArms('clone', undefined, workingPath)).toThrow(
      'nothing to compare',
    );
  });

  test('uses the requested base branch', () => {
    const { repository, workingPath } = makePullRequest();
    repository.git('branch', 'older');
    repository.commit(makePlainPackage('more'));
    const { baseline } = findPullRequestArms('codec', 'older', workingPath);
    expect(baseline).toBe(`git:codec@${head.slice(0, 12)}`);
  });

  test('notes that uncommitted changes are not measured', () => {
    const { repository, workingPath } = makePullRequest();
    repository.write({ 'index.js': 'changed' });
    const { notes } = findPullRequestArms('codec', undefined, workingPath);
    expect(notes[1]).toContain('path:codec');
  });

  test.each([
    {
      name: 'whose HEAD is on main',
      prepare: [['checkout', '--quiet', 'main']],
      base: undefined,
      message: 'nothing to compare',
    },
    {
      name: 'without a main branch',
      prepare: [['branch', '-m', 'main', 'trunk']],
      base: undefined,
      message: 'origin/HEAD, origin/main, origin/master, main, master',
    },
    {
      name: 'without a common commit',
      prepare: [
        ['checkout', '--quiet', '--orphan', 'unrelated'],
        ['commit', '--quiet', '--message', 'unrelated'],
        ['checkout', '--quiet', 'idea'],
      ],
      base: 'unrelated',
      message: 'no commit in common with unrelated',
    },
    {
      name: 'with an option as base branch',
      prepare: [],
      base: '--all',
      message: "no revision '--all'",
    },
  ])('$name is refused', ({ prepare, base, message }) => {
    const { repository, workingPath } = makePullRequest();
    for (const args of prepare) repository.git(...args);
    expect(() => findPullRequestArms('codec', base, workingPath)).toThrow(message);
  });
});
