import { join } from 'node:path';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { makeRepository } from '../../variants/test-support/make-repository.js';
import { findEdits, readDifference } from './edits.js';

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

test('revisions of a repository are compared, with uncommitted changes of one of them', () => {
  const repository = makeRepository(join(room, 'one'));
  const first = repository.commit({ 'a.js': 'one\ntwo\n' });
  const second = repository.commit({ 'a.js': 'one\n2\n' });
  const arm = (/** @type {string} */ commit, /** @type {string | null} */ changes = null) => ({
    modulePath: join(repository.path, 'a.js'),
    revision: { commit, changes },
  });
  const committed = findEdits({ baseline: arm(first), candidate: arm(second) });
  expect(committed.baseline?.files.get('a.js')).toEqual([{ from: 2, to: 2 }]);
  expect(committed.candidate?.root).toBe(repository.path);
  repository.write({ 'a.js': 'zero\none\n2\n' });
  const changed = arm(second, 'sha256:1');
  expect(
    findEdits({ baseline: arm(second), candidate: changed }).candidate?.files.get('a.js'),
  ).toEqual([{ from: 1, to: 1 }]);
  expect(
    findEdits({ baseline: changed, candidate: arm(second) }).baseline?.files.get('a.js'),
  ).toEqual([{ from: 1, to: 1 }]);
});

test('edits of other variants are unknown', () => {
  const repository = makeRepository(join(room, 'two'));
  const commit = repository.commit({ 'a.js': 'one\n' });
  const modulePath = join(repository.path, 'a.js');
  const baseline = { modulePath, revision: { commit, changes: null } };
  const unknown = { baseline: null, candidate: null };
  expect(findEdits({ baseline, candidate: { modulePath } })).toEqual(unknown);
  const elsewhere = { commit: '0'.repeat(40), changes: null };
  expect(findEdits({ baseline, candidate: { modulePath, revision: elsewhere } })).toEqual(unknown);
});
