import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/support/fixtures.js';
import { checkOutputs } from './gate.js';

/** @import { ResolvedVariant } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { WorkerOutcome } from './run-worker.js' */

const family = /** @type {FoundFamily} */ ({ name: 'soup', path: '/assay/experiments/soup' });
const { variants, corpora } = makeManifest();
const { baseline, reference } = variants;
const CELL = { id: 'boil leek', operation: 'boil', corpus: corpora[0].label };

/**
 * @param {ResolvedVariant[]} compared
 * @param {typeof CELL & { node?: string }} cell
 */
async function listJobs(compared, cell) {
  /** @type {[string, string | undefined][]} */
  const jobs = [];
  await checkOutputs({
    family,
    reference,
    variants: compared,
    cells: [cell],
    corpora,
    outputPath: '/tmp',
    async runJob({ variant, node }) {
      jobs.push([variant.spec, node]);
      return /** @type {WorkerOutcome} */ (
        /** @type {unknown} */ ({ workerMs: 1, report: { outputDigest: 'sha256:0a' } })
      );
    },
  });
  return jobs;
}

describe('the check of outputs', () => {
  test('runs reference and variant under the Node of the cell', async () => {
    expect(await listJobs([baseline, baseline], { ...CELL, node: '22.11.0' })).toEqual([
      [reference.spec, '22.11.0'],
      [baseline.spec, '22.11.0'],
    ]);
  });

  test('runs a pinned variant under its own, also where it is the same code', async () => {
    const old = { ...baseline, spec: 'a@node=20', node: '20.1.0' };
    const young = { ...baseline, spec: 'a@node=24', node: '24.2.0' };
    expect(await listJobs([old, young], CELL)).toEqual([
      [reference.spec, undefined],
      ['a@node=20', '20.1.0'],
      ['a@node=24', '24.2.0'],
    ]);
  });

  test('does not check the reference against itself, but under another Node it does', async () => {
    const pinned = { ...reference, spec: 'r@node=24', node: '24.2.0' };
    expect(await listJobs([reference, pinned], CELL)).toEqual([
      [reference.spec, undefined],
      ['r@node=24', '24.2.0'],
    ]);
  });
});
