import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { PROJECT } from '../../lib/project.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { mapVariants } from './map-variants.js';

/** @import { VariantIdentity } from '../../formats/types.ts' */

const COMMIT = 'ab'.repeat(20);
const family = findFamily(await listFamilies(PROJECT.experimentsPath), 'js-bson');

/**
 * @param {Omit<VariantIdentity, 'digest'>} candidate
 * @param {string[]} [maps]
 */
function mapCandidate(candidate, maps = []) {
  const digest = `sha256:${'a'.repeat(64)}`;
  const { question } = makeManifest({ baseline: 'generator', candidate: candidate.spec });
  const baseline = { spec: 'generator', kind: /** @type {const} */ ('built-in'), digest };
  const record = { question, variants: { baseline, candidate: { ...candidate, digest } } };
  return mapVariants(record, family, maps).candidate;
}

const revision = { commit: COMMIT, changes: null };

describe('a variant of a report is measured here as', () => {
  test('itself, when it is built in', () => {
    const spec = 'linked-list+object-id=packed';
    expect(mapCandidate({ spec, kind: 'built-in' })).toBe(spec);
  });

  test('itself, when it is a version of a package of the family', () => {
    const npm = { kind: /** @type {const} */ ('npm'), version: '7.2.0', integrity: 'sha512-x' };
    expect(mapCandidate({ spec: 'npm:bson@7.2.0', ...npm })).toBe('npm:bson@7.2.0');
  });

  test('the commit that was measured, of the checkout that the user names', () => {
    const git = { spec: 'git:../js-bson@main', kind: /** @type {const} */ ('git'), revision };
    expect(mapCandidate(git, ['git:../js-bson=../my bson'])).toBe(`git:../my bson@${COMMIT}`);
  });

  test('the path that the user names, also where a name has an equals sign', () => {
    const path = { spec: 'path:../a=b', kind: /** @type {const} */ ('path') };
    expect(mapCandidate(path, ['path:../a=b=./c.js'])).toBe('path:./c.js');
  });

  test('pinned to the exact version of Node that it ran under', () => {
    const pinned = { spec: 'linked-list@node=22', kind: /** @type {const} */ ('built-in') };
    expect(mapCandidate({ ...pinned, node: '22.11.0' })).toBe('linked-list@node=22.11.0');
    expect(() => mapCandidate({ ...pinned, node: '2.2.0' })).toThrow(/not measured under Node/);
  });
});

describe('a checkout', () => {
  test('is asked for in words that a shell takes whole', () => {
    const spec = 'git:$(id)@main';
    expect(() => mapCandidate({ spec, kind: 'git', revision })).toThrow(
      expect.objectContaining({ remedy: "name its place here with: --map 'git:$(id)=HERE'" }),
    );
  });

  test('of another directory does not serve', () => {
    const spec = 'git:../js-bson@main';
    const maps = ['git:../js-bso=../x'];
    expect(() => mapCandidate({ spec, kind: 'git', revision }, maps)).toThrow(/has to be mapped/);
  });

  test('without its commit is refused', () => {
    const maps = ['git:../js-bson=../x'];
    expect(() => mapCandidate({ spec: 'git:../js-bson@main', kind: 'git' }, maps)).toThrow(
      /the commit of/,
    );
  });
});
