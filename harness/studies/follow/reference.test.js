import { join } from 'node:path';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { makeRepository } from '../../variants/test-support/make-repository.js';
import { readBranch } from './commits.js';
import { findReference, usualReference } from './reference.js';

const checkout = { path: join(makeTestDirectory('follow-reference'), 'codec'), typed: '../codec' };
/** @type {import('./commits.js').Branch} */
let branch;

beforeAll(() => {
  const repository = makeRepository(checkout.path);
  const subjects = ['one', 'two', 'three', 'four'];
  repository.importCommits(
    subjects.map((subject) => ({ files: { 'subject.txt': subject }, subject })),
  );
  repository.run(`
    git reset --quiet --hard
    git tag v1.0.0 main~2
    git tag codec@1.1.0 main
  `);
  branch = readBranch(checkout);
});

/** @type {(...references: string[]) => { followed: { reference: string } }[]} */
const record = (...references) => references.map((reference) => ({ followed: { reference } }));
const hashOf = (/** @type {number} */ index) =>
  `git:../codec@${branch.line[index].revision.slice(0, 12)}`;
const usual = (/** @type {number} */ first, /** @type {string[]} */ ...recorded) =>
  usualReference(checkout, { branch, first, records: record(...recorded) });

test('the usual reference is the last release that the first commit contains, or else that commit', () => {
  expect(usual(0)).toBe(hashOf(0));
  expect(usual(2)).toBe('git:../codec@v1.0.0');
  // A name with an @ would be read as another directory.
  expect(usual(3)).toBe(hashOf(3));
});

test('what is recorded stays the reference, as long as the checkout has it', () => {
  expect(usual(3, 'git:../codec@v1.0.0')).toBe('git:../codec@v1.0.0');
  expect(usual(3, 'git:../codec@v1.0.0', 'npm:codec@2.0.0')).toBe('npm:codec@2.0.0');
  // Another directory is no matter of this checkout.
  expect(usual(3, 'git:../other@v9.0.0')).toBe('git:../other@v9.0.0');
  expect(() => usual(3, 'git:../codec@v9.0.0')).toThrow(
    "'v9.0.0', the recorded reference, is not in '../codec'",
  );
});

test('a tag is meant by its name, a branch and a commit by what they are today', () => {
  const find = (/** @type {string} */ name) => findReference(checkout, name, []);
  expect(find('v1.0.0')).toBe('git:../codec@v1.0.0');
  expect(find('codec@1.1.0')).toBe(hashOf(3));
  expect(find('main')).toBe(hashOf(3));
  expect(find('main~3')).toBe(hashOf(0));
  expect(find('git:../codec@v1.0.0')).toBeNull();
  expect(find('--all')).toBeNull();
  expect(find('v9')).toBeNull();
});

test.each([
  ['npm:codec', 'npm:codec@1.0.0'],
  ['npm:@scope/codec', 'npm:@scope/codec@2.0.0'],
  ['npm:codec@1.1.0', null],
  ['npm:code', null],
])('the package %s means %s where that is recorded', (asked, expected) => {
  const records = record('npm:@scope/codec@2.0.0', 'npm:codec@1.0.0', 'git:.@v1.0.0');
  expect(findReference(checkout, asked, records)).toBe(expected);
});
