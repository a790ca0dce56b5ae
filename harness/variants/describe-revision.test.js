import { afterAll, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeRevision } from './git.js';
import { makePlainPackage, makeRepository } from './test-support/make-repository.js';

const room = mkdtempSync(join(tmpdir(), 'assay-revision-'));
afterAll(() => rmSync(room, { recursive: true, force: true }));

let count = 0;

function makeCheckout() {
  const repository = makeRepository(join(room, String((count += 1))));
  const commit = repository.commit({ ...makePlainPackage('clean'), '.gitignore': 'lib\n' });
  return { repository, commit };
}

test('a clean checkout is its commit', () => {
  const { repository, commit } = makeCheckout();
  expect(describeRevision(repository.path)).toEqual({ commit, changes: null });
  expect(describeRevision(join(repository.path, 'index.js'))).toEqual({ commit, changes: null });
});

test('changed, staged and unknown files each change the digest', () => {
  const { repository, commit } = makeCheckout();
  /** @type {(string | null | undefined)[]} */
  const digests = [];
  const note = () => digests.push(describeRevision(repository.path)?.changes);
  repository.write({ 'index.js': 'changed' });
  note();
  repository.write({ 'index.js': 'changed again' });
  note();
  repository.git('add', '--all');
  repository.write({ 'src/new.js': 'new' });
  note();
  repository.write({ 'src/new.js': 'newer' });
  note();
  repository.git('mv', 'package.json', 'moved.json');
  note();
  for (const digest of digests) expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(new Set(digests).size).toBe(digests.length);
  expect(describeRevision(repository.path)?.commit).toBe(commit);
});

test('the same changes have the same digest, whatever git is set to show', () => {
  const digests = [[], ['diff.noprefix', 'color.ui'], ['diff.mnemonicPrefix']].map((settings) => {
    const { repository } = makeCheckout();
    for (const name of settings) {
      repository.git('config', name, name === 'color.ui' ? 'always' : 'true');
    }
    repository.write({ 'index.js': 'changed', 'new.js': 'new' });
    return describeRevision(repository.path)?.changes;
  });
  expect(digests[0]).toMatch(/^sha256:/);
  expect(new Set(digests).size).toBe(1);
});

test('what git ignores changes nothing, and is of no revision itself', () => {
  const { repository, commit } = makeCheckout();
  repository.write({ 'lib/package/index.js': 'built' });
  expect(describeRevision(repository.path)).toEqual({ commit, changes: null });
  expect(describeRevision(join(repository.path, 'lib/package'))).toBeNull();
  expect(describeRevision(join(repository.path, 'lib/package/index.js'))).toBeNull();
});

test('there is no revision outside a checkout, and before the first commit', () => {
  const outside = join(room, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'index.js'), '');
  expect(describeRevision(outside)).toBeNull();
  expect(describeRevision(makeRepository(join(room, 'empty')).path)).toBeNull();
});

test('there is no revision where there is no git', () => {
  const { repository } = makeCheckout();
  const { PATH } = process.env;
  process.env.PATH = join(room, 'nothing');
  try {
    expect(describeRevision(repository.path)).toBeNull();
  } finally {
    process.env.PATH = PATH;
  }
});
