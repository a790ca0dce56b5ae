/** The contract of every family's claims.json. */

import { describe, expect, test } from '@jest/globals';
import { canonicalLabel } from '../../../corpora/support/prepare.js';
import { PROJECT } from '../../lib/project.js';
import { checkSettings, resolveVariant } from '../../variants/resolve.js';
import { loadFamilyWorker } from '../../variants/build-family.js';
import { chooseFamily, findFamily, listFamilies, loadOperation } from '../../variants/families.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { findExpectedRatio } from '../../stats/means.js';
import { readClaims } from './claims.js';

/** @import { VariantSpec } from '../../formats/types.ts' */
/** @import { FoundFamily } from '../../variants/families.js' */

const families = await listFamilies(PROJECT.experimentsPath);
const { sources, claims } = await readClaims(families);

test('no two claims, and no two sources, have the same name', () => {
  const ids = claims.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const names = sources.map(({ id }) => id);
  expect(new Set(names).size).toBe(names.length);
});

/**
 * What is built is not built for this, nor is another Node fetched: then its name and its axes must do.
 *
 * @param {VariantSpec} spec
 * @param {FoundFamily} family
 */
async function requireVariant(spec, family) {
  const isBuilt = (await loadFamilyWorker(family)) !== null;
  if (isBuilt && spec.kind === 'built-in') return checkSettings(family, spec.settings);
  const context = { families, family, ...PROJECT, workingPath: PROJECT.projectPath };
  expect((await resolveVariant(spec, context)).family).toBe(family.name);
}

describe.each(claims)('$id', (claim) => {
  const family = findFamily(families, claim.family);

  test('names a source, variants, an operation and a corpus that there are', async () => {
    expect(sources.map(({ id }) => id)).toContain(claim.source);
    expect(claim.id.startsWith(`${claim.source}/`)).toBe(true);
    const specs = [claim.baseline, claim.candidate].map(parseVariantSpec);
    expect(chooseFamily(specs, families, undefined).name).toBe(claim.family);
    for (const spec of specs) await requireVariant(spec, family);
    await loadOperation(family, claim.operation);
    const label = await canonicalLabel(claim.corpus, { directory: PROJECT.corporaPath });
    expect(label).toBe(claim.corpus);
  });

  test('has a figure that comes to a ratio, where it has one', () => {
    const ratio = findExpectedRatio(claim.figure);
    expect(ratio === null || (ratio > 0 && Number.isFinite(ratio))).toBe(true);
    expect(claim.statement).toMatch(/^[A-Za-z].*\.$/);
  });
});
