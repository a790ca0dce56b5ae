import { canonicalLabel } from '../../../corpora/support/prepare.js';
import { makeClaim } from '../../../reports/content/test-support/make-reproduction.js';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { validate } from '../../formats/schemas.js';
import { UsageError } from '../../lib/errors.js';
import { PROJECT } from '../../lib/project.js';
import { listDifferences } from '../../run/identity.js';
import { findExpectedRatio } from '../../stats/means.js';
import { loadFamilyWorker } from '../../variants/build-family.js';
import { chooseFamily, findFamily, listFamilies, loadOperation } from '../../variants/families.js';
import { checkSettings, resolveVariant } from '../../variants/resolve.js';
import { parseVariantSpec } from '../../variants/spec.js';
import {
  chooseMinimumEffect,
  chooseMostProcesses,
  groupClaims,
  listBands,
  readClaims,
  selectClaims,
} from './claims.js';

/** @import { Claim, ReportedFigure, VariantSpec } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

const pair = (/** @type {string} */ candidate) => ({ baseline: 'a', candidate });
const other = { source: 'T-2' };
/** @type {ReportedFigure} */
const RETAINED = { formula: 'retained-bytes', of: 'ObjectId', baseline: 2, candidate: 1 };

const claims = [
  makeClaim('flat', pair('b')),
  makeClaim('deep', { ...pair('b'), corpus: 'deep' }),
  makeClaim('other', pair('c')),
  makeClaim('bytes', { ...pair('b'), figure: { formula: 'same-output' } }),
  makeClaim('never', { ...pair('b'), cannotRun: 'needs a server' }),
  makeClaim('retained', { ...pair('d'), ...other, figure: RETAINED }),
  makeClaim('breaks', {
    ...pair('d'),
    ...other,
    figure: { formula: 'contract-breaks', rows: ['x'] },
  }),
  makeClaim('contract', { ...pair('e'), ...other, figure: { formula: 'contract' } }),
];
const namesOf = (/** @type {Claim[]} */ list) => list.map(({ id }) => id.split('/')[1]);

test('a name selects all claims of a source, or one, without duplicates', () => {
  expect(namesOf(selectClaims(claims, ['T-2']))).toEqual(['retained', 'breaks', 'contract']);
  expect(namesOf(selectClaims(claims, ['TICKET-1/flat', 'TICKET-1/flat']))).toEqual(['flat']);
});

test('an unknown name is refused with the nearest one', () => {
  expect(() => selectClaims(claims, ['T-3'])).toThrow(UsageError);
  expect(() => selectClaims(claims, ['TICKET-1/flaat'])).toThrow(/did you mean 'TICKET-1\/flat'/);
});

test('claims about the same arms share a comparison, with those that the gate settles', () => {
  const groups = groupClaims(claims).map(({ kind, candidate, claims: list }) => [
    kind,
    candidate,
    ...namesOf(list),
  ]);
  expect(groups).toEqual([
    ['time', 'b', 'flat', 'deep', 'bytes'],
    ['time', 'c', 'other'],
    ['memory', 'd', 'retained', 'breaks'],
    ['gate', 'e', 'contract'],
  ]);
});

test.each([
  ['large differences', [54, -20], 0.03, 96],
  ['a small difference among them', [54, 3], 0.015, 192],
  ['no difference', [0.25], 0.03, 96],
  ['nothing', [], 0.03, 96],
])('claims of %s: minimum effect and processes', (_, percents, minimumEffect, processes) => {
  const timed = percents.map((percent) =>
    makeClaim('time', { figure: { formula: 'time-percent', percent } }),
  );
  expect(chooseMinimumEffect(timed)).toBe(minimumEffect);
  expect(chooseMostProcesses(timed)).toBe(processes);
});

test('the bands of a cell are those of the claims about it', () => {
  const figure = /** @type {const} */ ({ formula: 'time-percent', percent: 50 });
  const cells = ['flat', 'deep'].map((corpus) => ({
    id: `serialize ${corpus}`,
    operation: 'serialize',
    corpus,
  }));
  const bands = listBands(
    [
      makeClaim('ratio', { figure, tolerance: 1.25 }),
      makeClaim('small', { figure: { ...figure, percent: 10 }, tolerance: 1.1 }),
      makeClaim('slower', { figure: { formula: 'direction', direction: 'slower' } }),
      makeClaim('at-most', { figure: { formula: 'direction', direction: 'not-slower' } }),
      makeClaim('bytes', { corpus: 'deep', figure: { formula: 'same-output' } }),
    ],
    cells,
    0.03,
  );
  expect(bands).toEqual({
    'serialize flat': [
      { low: 1.2, high: 1.875 },
      { low: 1.03, high: 1.1 * 1.1 },
      { low: 1.03, high: null },
      { low: 0, high: 1.03 },
    ],
  });
  const manifest = makeManifest({ bands });
  validate('manifest', manifest);
  // Resuming a run and merging shards compare their questions.
  const other = makeManifest({ bands: { ...bands, 'serialize deep': [{ low: 0, high: 1 }] } });
  expect(listDifferences(manifest, manifest)).toEqual([]);
  expect(listDifferences(manifest, other)).toMatchObject([{ aspect: 'question', label: 'bands' }]);
});

const families = await listFamilies(PROJECT.experimentsPath);
const all = await readClaims(families);

/** Variants and operations that are known to exist, since claims share them. */
const known = new Set();

/**
 * Resolves a variant unless it has to be built or another Node has to be fetched; then only its name and its
 * axes are checked.
 *
 * @param {VariantSpec} spec
 * @param {FoundFamily} family
 */
async function requireVariant(spec, family) {
  const key = JSON.stringify([family.name, spec]);
  if (known.has(key)) return;
  known.add(key);
  const isBuilt = (await loadFamilyWorker(family)) !== null;
  const context = { families, family, ...PROJECT, workingPath: PROJECT.projectPath };
  if (isBuilt && spec.kind === 'built-in') checkSettings(family, spec.settings);
  else expect((await resolveVariant(spec, context)).family).toBe(family.name);
}

test.each([
  ['claims', all.claims],
  ['sources', all.sources],
])('%s of all families have different names', (_, items) => {
  const ids = items.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(all.claims)('the claim $id', (claim) => {
  const family = findFamily(families, claim.family);

  test('names an existing source, variants, operation and corpus', async () => {
    expect(all.sources.map(({ id }) => id)).toContain(claim.source);
    expect(claim.id.startsWith(`${claim.source}/`)).toBe(true);
    const specs = [claim.baseline, claim.candidate].map(parseVariantSpec);
    expect(chooseFamily(specs, families, undefined).name).toBe(claim.family);
    for (const spec of specs) await requireVariant(spec, family);
    await loadOperation(family, claim.operation);
    const label = await canonicalLabel(claim.corpus, { directory: PROJECT.corporaPath });
    expect(label).toBe(claim.corpus);
  });

  test('has a statement, and a positive ratio or none', () => {
    const ratio = findExpectedRatio(claim.figure);
    expect(ratio === null || (ratio > 0 && Number.isFinite(ratio))).toBe(true);
    expect(claim.statement).toMatch(/^[A-Za-z].*\.$/);
  });
});
