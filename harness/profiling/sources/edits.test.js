import { join } from 'node:path';
import { PROJECT } from '../../lib/project.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { makeRepository, openRepository } from '../../variants/test-support/make-repository.js';
import { findEdits, findTree, readDifference } from './edits.js';

const room = makeTestDirectory('edits');

test('lines of both revisions, and the place of those that only one has', () => {
  const text = `diff --git a/src/a.ts b/src/b.ts
--- a/src/a.ts
+++ b/src/b.ts
@@ -3 +3,2 @@ class A {
--- a/looks/like
-a header
+++ b/looks/like
+a header
@@ -9,2 +10,0 @@
-removed
-removed
@@ -20,0 +20 @@
+added
\\ No newline at end of file
diff --git a/new.ts b/new.ts
--- /dev/null
+++ b/new.ts
@@ -0,0 +1 @@
+x
`.replace('-a header\n', '');
  const [before, after] = readDifference(text);
  expect(before.get('src/a.ts')).toEqual([
    { from: 3, to: 3 },
    { from: 9, to: 10 },
    { from: 20.5, to: 20.5 },
  ]);
  expect(after.get('src/b.ts')).toEqual([
    { from: 3, to: 4 },
    { from: 10.5, to: 10.5 },
    { from: 20, to: 20 },
  ]);
  expect(after.get('new.ts')).toEqual([{ from: 1, to: 1 }]);
  expect([...before.keys(), ...after.keys()]).not.toContain('looks/like');
});

/** @param {string} path of a checkout */
function makeArms(path) {
  const modulePath = join(path, 'a.js');
  const arm = { kind: /** @type {const} */ ('path'), source: path, modulePath };
  return (/** @type {string} */ commit, /** @type {string | null} */ changes = null) => ({
    ...arm,
    revision: { commit, changes },
  });
}

test('revisions of a repository are compared, with uncommitted changes of one of them', () => {
  const repository = makeRepository(join(room, 'one'));
  const first = repository.commit({ 'a.js': 'one\ntwo\n' });
  const second = repository.commit({ 'a.js': 'one\n2\n' });
  const arm = makeArms(repository.path);
  const committed = findEdits({ baseline: arm(first), candidate: arm(second) });
  expect(committed.baseline?.files.get('a.js')).toEqual([{ from: 2, to: 2 }]);
  expect(committed.candidate?.root).toBe(repository.path);
  repository.write({ 'a.js': 'zero\none\n2\n' });
  const changed = arm(second, 'sha256:1');
  const forwards = findEdits({ baseline: arm(second), candidate: changed });
  expect(forwards.candidate?.files.get('a.js')).toEqual([{ from: 1, to: 1 }]);
  const backwards = findEdits({ baseline: changed, candidate: arm(second) });
  expect(backwards.baseline?.files.get('a.js')).toEqual([{ from: 1, to: 1 }]);
});

test('a file that was laid over both revisions is not edited', () => {
  const repository = makeRepository(join(room, 'new'));
  const first = repository.commit({ 'a.js': 'one\n' });
  const bench = { 'bench/a.js': 'run();\n' };
  const second = repository.commit({ 'a.js': 'two\n', ...bench });
  repository.run('git worktree add --quiet ../old "$1"', first);
  const old = openRepository(join(room, 'old'));
  old.write(bench);
  const edits = findEdits({
    baseline: makeArms(old.path)(first),
    candidate: makeArms(repository.path)(second),
  });
  expect([...(edits.candidate?.files.keys() ?? [])]).toEqual(['a.js']);
});

test('edits of other variants are unknown', () => {
  const repository = makeRepository(join(room, 'two'));
  const baseline = makeArms(repository.path)(repository.commit({ 'a.js': 'one\n' }));
  const unknown = { baseline: null, candidate: null };
  const { revision, ...published } = baseline;
  expect(revision.changes).toBeNull();
  expect(findEdits({ baseline, candidate: published })).toEqual(unknown);
  const elsewhere = { commit: '0'.repeat(40), changes: null };
  expect(findEdits({ baseline, candidate: { ...baseline, revision: elsewhere } })).toEqual(unknown);
});

test('the tree of a variant is its checkout, its build, or the copy with benchmarks, wherever the cache is', () => {
  const repository = makeRepository(join(room, 'three'));
  expect(findTree(join(repository.path, 'dist/a.js'))).toBe(repository.path);
  const { treesPath } = PROJECT;
  const build = join(treesPath, 'git', 'abc', 'tree');
  expect(findTree(join(build, 'packages/a/dist/a.js'))).toBe(build);
  const copy = join(treesPath, 'bench-trees', 'def');
  expect(findTree(join(copy, 'assay-benchmarks.mjs'))).toBe(copy);
});
