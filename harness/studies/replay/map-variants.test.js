import { makeManifest } from '../../../reports/fixtures/build.js';
import { PROJECT } from '../../lib/project.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { mapVariants } from './map-variants.js';

/** @import { VariantIdentity } from '../../formats/types.ts' */

/** @typedef {Omit<VariantIdentity, 'digest'>} Candidate */

const COMMIT = 'ab'.repeat(20);
const family = findFamily(await listFamilies(PROJECT.experimentsPath), 'js-bson');

/** @param {Candidate} candidate of the report @param {string[]} maps */
function mapCandidate(candidate, maps) {
  const digest = `sha256:${'a'.repeat(64)}`;
  const { question } = makeManifest({ baseline: 'generator', candidates: [candidate.spec] });
  const baseline = { spec: 'generator', kind: /** @type {const} */ ('built-in'), digest };
  const record = { question, variants: { baseline, candidates: [{ ...candidate, digest }] } };
  return mapVariants(record, family, maps).candidates[0];
}

const revision = { commit: COMMIT, changes: null };
/** @type {Candidate} */
const CHECKOUT = { spec: 'git:../js-bson@main', kind: 'git', revision };
/** @type {Candidate} */
const PINNED = { spec: 'linked-list@node=22', kind: 'built-in' };

test.each(
  /** @type {[string, Candidate, string[], string][]} */ ([
    [
      'a built-in variant to itself',
      { spec: 'linked-list+object-id=packed', kind: 'built-in' },
      [],
      'linked-list+object-id=packed',
    ],
    [
      'a version of a package of the family to itself',
      { spec: 'npm:bson@7.2.0', kind: 'npm', version: '7.2.0', integrity: 'sha512-x' },
      [],
      'npm:bson@7.2.0',
    ],
    [
      'a revision to the measured commit in the named checkout',
      CHECKOUT,
      ['git:../js-bson=../my bson'],
      `git:../my bson@${COMMIT}`,
    ],
    [
      'a path to the named path, even if its name has an equals sign',
      { spec: 'path:../a=b', kind: 'path' },
      ['path:../a=b=./c.js'],
      'path:./c.js',
    ],
    [
      'a pinned variant to the exact version of Node',
      { ...PINNED, runtime: 'node@22.11.0' },
      [],
      'linked-list@node=22.11.0',
    ],
  ]),
)('maps %s', (_, candidate, maps, spec) => {
  expect(mapCandidate(candidate, maps)).toBe(spec);
});

test.each(
  /** @type {[string, Candidate, string[], RegExp][]} */ ([
    ['another version of Node', { ...PINNED, runtime: 'node@2.2.0' }, [], /not measured under/],
    ['another checkout than the named one', CHECKOUT, ['git:../js-bso=../x'], /has to be mapped/],
    [
      'a revision without its commit',
      { ...CHECKOUT, revision: undefined },
      ['git:../js-bson=../x'],
      /the commit of/,
    ],
  ]),
)('refuses %s', (_, candidate, maps, message) => {
  expect(() => mapCandidate(candidate, maps)).toThrow(message);
});

test('asks for a checkout in a form that is quoted for a shell', () => {
  expect(() => mapCandidate({ ...CHECKOUT, spec: 'git:$(id)@main' }, [])).toThrow(
    expect.objectContaining({ remedy: "name its place here with: --map 'git:$(id)=HERE'" }),
  );
});
