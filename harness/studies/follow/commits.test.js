import { join } from 'node:path';
import { UsageError } from '../../lib/errors.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { makeRepository, openRepository } from '../../variants/test-support/make-repository.js';
import { countPerYear, readBranch, specOf } from './commits.js';

const directory = makeTestDirectory('follow-commits');
/** @type {ReturnType<typeof makeRepository>} */
let repository;
/** @type {(name?: string) => import('../../variants/git.js').Checkout} */
const checkoutOf = (name = 'codec') => ({ path: join(directory, name), typed: name });

beforeAll(() => {
  repository = makeRepository(join(directory, 'codec'));
  const subjects = ['one', 'two', 'three\twith a tab'];
  repository.importCommits(
    subjects.map((subject) => ({ files: { 'subject.txt': subject }, subject })),
  );
  repository.run(`
    git reset --quiet --hard
    git tag v1.0.0 main~1
    git checkout --quiet -b side main~1
    echo side > side.txt; git add .; git commit --quiet --message side; git tag beside
    git checkout --quiet main
    git merge --quiet --no-edit side
    git tag --annotate v1.1.0 --message v1.1.0
  `);
});

const listSubjects = (/** @type {ReturnType<typeof readBranch>} */ { line }) =>
  line.map(({ subject }) => subject);

test('the line has a merge as one commit, and its tags', () => {
  const branch = readBranch(checkoutOf());
  expect(branch.name).toBe('main');
  expect(listSubjects(branch)).toEqual(['one', 'two', 'three\twith a tab', "Merge branch 'side'"]);
  const [, second, , last] = branch.line;
  expect(branch.releases).toEqual([
    { name: 'v1.0.0', revision: second.revision },
    { name: 'v1.1.0', revision: last.revision },
  ]);
  expect(second.date).toBe('2020-09-13T12:26:40.000Z');
  expect(specOf('../codec', last.revision)).toBe(`git:../codec@${last.revision.slice(0, 12)}`);
});

test('another branch than the one that is checked out may be named', () => {
  expect(listSubjects(readBranch(checkoutOf(), 'side'))).toEqual(['one', 'two', 'side']);
});

test('HEAD stands for the branch where none is checked out, or under an earlier name', () => {
  expect(listSubjects(readBranch(checkoutOf(), 'master', ['master']))).toHaveLength(4);
  expect(listSubjects(readBranch(checkoutOf(), 'side', ['side']))).toContain('side');
  expect(() => readBranch(checkoutOf(), 'master')).toThrow("'codec' has no revision 'master'");
  repository.git('checkout', '--quiet', '--detach', 'main~1');
  try {
    expect(() => readBranch(checkoutOf())).toThrow("no branch is checked out in 'codec'");
    const { name, line } = readBranch(checkoutOf(), 'main');
    expect([name, line.length]).toEqual(['main', 3]);
  } finally {
    repository.git('checkout', '--quiet', 'main');
  }
});

test('a shallow clone is refused with what fetches the rest', () => {
  const file = `file://${repository.path}`;
  repository.git('clone', '--quiet', '--depth', '1', file, join(directory, 'shallow'));
  openRepository(join(directory, 'shallow'));
  /** @type {unknown} */
  let error;
  try {
    readBranch(checkoutOf('shallow'));
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(UsageError);
  expect(/** @type {UsageError} */ (error).remedy).toContain('fetch-depth: 0');
});

test('the commits of a year count back from the last, at least twelve', () => {
  const makeLine = (/** @type {string[]} */ dates) =>
    dates.map((date) => ({ revision: date, subject: '', date }));
  expect(countPerYear(makeLine(['2026-01-01T00:00:00.000Z']))).toBe(12);
  const recent = Array.from({ length: 20 }, () => '2026-01-01T00:00:00.000Z');
  expect(countPerYear(makeLine(['2024-12-31T00:00:00.000Z', ...recent]))).toBe(20);
});
