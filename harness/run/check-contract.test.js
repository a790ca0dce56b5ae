import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/support/fixtures.js';
import { checkContract } from './gate.js';

/** @import { Job, ResolvedVariant } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { WorkerOutcome } from './run-worker.js' */

const family = /** @type {FoundFamily} */ ({
  name: 'soup',
  path: '/assay/experiments/soup',
  hasContract: true,
});
const { baseline, candidate } = makeManifest().variants;
const CELL = { id: 'boil leek', operation: 'boil', corpus: 'leek' };

/**
 * @param {ResolvedVariant[]} variants
 * @param {(string | undefined)[]} nodes of the cells
 */
async function check(variants, nodes) {
  /** @type {[string, string | undefined][]} */
  const jobs = [];
  const contracts = await checkContract({
    family,
    variants,
    cells: nodes.map((node) => (node === undefined ? CELL : { ...CELL, node })),
    async runJob(job) {
      jobs.push([job.variant.spec, job.node]);
      return /** @type {WorkerOutcome} */ (
        /** @type {unknown} */ ({ workerMs: 1, report: { contract: [describeRow(job)] } })
      );
    },
  });
  return { jobs, contracts };
}

/** @param {Job} job */
function describeRow({ variant, node }) {
  return { theme: 'Heat', name: 'hot', promise: `${variant.spec} ${node}`, outcome: 'holds' };
}

describe('the behaviour contract', () => {
  test('is asked of each variant once, however many cells there are', async () => {
    const { jobs, contracts } = await check([baseline, candidate], [undefined, undefined]);
    expect(jobs).toEqual([
      [baseline.spec, undefined],
      [candidate.spec, undefined],
    ]);
    expect(Object.keys(contracts)).toEqual([baseline.spec, candidate.spec]);
  });

  test('is asked under every Node, and told by it from the second on', async () => {
    const { jobs, contracts } = await check([baseline], ['20.1.0', '22.11.0', '20.1.0']);
    expect(jobs).toEqual([
      [baseline.spec, '20.1.0'],
      [baseline.spec, '22.11.0'],
    ]);
    expect(Object.keys(contracts)).toEqual([baseline.spec, `${baseline.spec} node 22.11.0`]);
    expect(contracts[`${baseline.spec} node 22.11.0`][0].promise).toBe(`${baseline.spec} 22.11.0`);
  });

  test('is not asked twice of the same code under the same Node', async () => {
    const again = { ...baseline, spec: 'the same' };
    const { jobs, contracts } = await check([baseline, again], ['22.11.0']);
    expect(jobs).toEqual([[baseline.spec, '22.11.0']]);
    expect(contracts['the same']).toEqual(contracts[baseline.spec]);
  });

  test('is asked twice of the same code that is pinned to two Nodes', async () => {
    const old = { ...baseline, spec: 'a@node=20', node: '20.1.0' };
    const young = { ...baseline, spec: 'a@node=24', node: '24.2.0' };
    const { jobs, contracts } = await check([old, young], [undefined]);
    expect(Object.keys(contracts)).toEqual(['a@node=20', 'a@node=24']);
    // The family is told the spec alone, by which it knows what a published version does otherwise.
    expect(jobs).toEqual([
      ['a', '20.1.0'],
      ['a', '24.2.0'],
    ]);
  });
});

test('a family that promises the right output alone is asked for no contract', async () => {
  const contracts = await checkContract({
    family: { ...family, hasContract: false },
    variants: [],
    cells: [],
    runJob: () => Promise.reject(new Error('a job was run')),
  });
  expect(contracts).toEqual({});
});
