/** The contract of every family's claims.json. */

import { describe, expect, test } from '@jest/globals';
import { canonicalLabel } from '../../corpora/support/prepare.js';
import { PROJECT } from '../project.js';
import { findFamily, listFamilies, loadOperation } from '../resolve/families.js';
import { parseVariantSpec } from '../resolve/parse-variant-spec.js';
import { resolveVariant } from '../resolve/resolve-variant.js';
import { findExpectedRatio } from './expected-ratio.js';
import { readClaims } from './read-claims.js';

const families = await listFamilies(PROJECT.experimentsPath);
const { sources, claims } = await readClaims(families);

test('no two claims, and no two sources, have the same name', () => {
  const ids = claims.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const names = sources.map(({ id }) => id);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(claims)('$id', (claim) => {
  const family = findFamily(families, claim.family);

  test('names a source, variants, an operation and a corpus that there are', async () => {
    expect(sources.map(({ id }) => id)).toContain(claim.source);
    expect(claim.id.startsWith(`${claim.source}/`)).toBe(true);
    const context = { families, family, ...PROJECT, workingPath: PROJECT.projectPath };
    for (const spec of [claim.baseline, claim.candidate]) {
      const variant = await resolveVariant(parseVariantSpec(spec), context);
      expect(variant.family).toBe(claim.family);
    }
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
