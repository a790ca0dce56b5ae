import { join } from 'node:path';
import { parseVariantSpec } from '../../variants/spec.js';
import { makeRepository } from '../../variants/test-support/make-repository.js';
import { listCandidates, selectVersions } from './candidates.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

const root = makeTestDirectory('bisect-list');
const checkout = join(root, "a $(touch x) 'checkout'");

beforeAll(() => {
  makeRepository(checkout).run(`
    commit() {
      git commit --quiet --allow-empty --message "$1"
      git tag "$1"
    }
    commit one
    commit two
    git switch --quiet --create side
    commit aside
    git switch --quiet main
    commit three
    git merge --quiet --no-ff --message merged side
    git tag merged`);
});

/**
 * @param {string} good
 * @param {string} bad
 * @param {{ pin?: string, badPin?: string }} [pins]
 */
function list(good, bad, { pin = '', badPin = pin } = {}) {
  const directory = "./a $(touch x) 'checkout'";
  const [first, last] = [`${good}${pin}`, `${bad}${badPin}`].map((ref) =>
    parseVariantSpec(`git:${directory}@${ref}`),
  );
  return listCandidates(first, last, root);
}

describe('the commits between two revisions', () => {
  test('follow first parents, oldest first, both ends included', async () => {
    const candidates = await list('one', 'main');
    expect(candidates.map(({ subject }) => subject)).toEqual(['one', 'two', 'three', 'merged']);
    for (const { spec, name } of candidates) {
      expect(name).toMatch(/^[0-9a-f]{12}$/);
      expect(parseVariantSpec(spec)).toMatchObject({ kind: 'git', ref: name });
    }
  });

  test('are pinned to the runtime of both ends', async () => {
    const candidates = await list('one', 'two', { pin: '@node=22' });
    expect(candidates.map(({ spec }) => parseVariantSpec(spec).runtime)).toEqual([
      'node@22',
      'node@22',
    ]);
  });

  test.each([
    ['two', 'one', /'two' is not an ancestor of 'one'/, /swap them/],
    ['aside', 'three', /'aside' is not an ancestor of 'three'/, /merge-base aside three/],
    ['main', 'HEAD', /same commit/, /later one/],
    ['one', 'absent', /no revision 'absent'/, /./],
  ])('are refused for %s and %s', async (good, bad, message, remedy) => {
    await expect(list(good, bad)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    });
  });

  test('are refused if the ends are pinned to different runtimes', async () => {
    const listing = list('one', 'two', { pin: '@node=20', badPin: '@node=22' });
    await expect(listing).rejects.toThrow(/different runtimes/);
  });
});

test.each([
  ['generator', 'linked-list'],
  ['npm:bson@7.2.0', 'npm:codec@7.2.0'],
  ['npm:bson@7.2.0', 'git:../js-bson@main'],
  ['git:../one@main', 'git:../two@main'],
])('%s and %s have no candidates between them', async (good, bad) => {
  const listing = listCandidates(parseVariantSpec(good), parseVariantSpec(bad), root);
  await expect(listing).rejects.toThrow(/nothing lies between/);
});

// In the order of publication, as the registry lists them.
const VERSIONS = [
  '6.9.0',
  '7.0.0-alpha.1',
  '6.10.0',
  '7.0.0',
  '6.10.4',
  '7.1.0',
  '7.2.0-beta.0',
  '7.2.0',
];

/**
 * @param {string} good
 * @param {string} bad
 */
const select = (good, bad) => selectVersions(VERSIONS, { packageName: 'codec', good, bad });

describe('the versions between two ends', () => {
  test('are ordered by precedence, both ends included', () => {
    expect(select('6.9.0', '7.2.0')).toEqual([
      '6.9.0',
      '6.10.0',
      '6.10.4',
      '7.0.0',
      '7.1.0',
      '7.2.0',
    ]);
  });

  test('include prereleases only if an end is one', () => {
    expect(select('7.0.0-alpha.1', '7.2.0')).toEqual([
      '7.0.0-alpha.1',
      '7.0.0',
      '7.1.0',
      '7.2.0-beta.0',
      '7.2.0',
    ]);
  });

  test.each([
    ['7.2.0', '6.9.0', 'codec@7.2.0 comes after codec@6.9.0'],
    ['7.2.0', '7.2.0', 'both ends are codec@7.2.0'],
    ['6.9.0', '7.9.0', 'the npm registry has no codec@7.9.0'],
  ])('are refused for %s and %s', (good, bad, message) => {
    expect(() => select(good, bad)).toThrow(message);
  });
});
