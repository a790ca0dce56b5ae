import { expect, test } from '@jest/globals';
import { makeClaim } from '../../../reports/reproduction/support/fixtures.js';
import { makeManifest, makeVerdict } from '../../../reports/support/fixtures.js';
import { recordedRun } from '../../../reports/support/recorded-runs.js';
import { gatherEvidence } from './gather-evidence.js';

const manifest = makeManifest();
const { question } = manifest;

test('the cell of the claim, whether its output was right, and what a process takes', () => {
  const { verdict } = recordedRun('refused');
  const timed = { ...verdict, timing: { wallMs: 2000, workerMs: 1800, observations: 9 } };
  const evidence = (/** @type {string} */ corpus) =>
    gatherEvidence(makeClaim('x', { corpus }), { verdict: timed, manifest, question });
  expect(evidence('flat')).toMatchObject({ isSameOutput: false, processMs: 200 });
  expect(evidence('flat').cell?.cell.id).toBe('serialize flat');
  expect(evidence('deep').isSameOutput).toBe(true);
});

test('why there may be no figure: a worker that failed for good, or the time', () => {
  const failure = (/** @type {Partial<import('../../formats/types.ts').Verdict>} */ changes) =>
    gatherEvidence(makeClaim('x'), { verdict: makeVerdict([], changes), manifest, question })
      .failure;
  expect(failure({})).toBeNull();
  expect(failure({ ended: 'budget' })).toMatch(/time ran out/);
  const { failedJobs } = recordedRun('mixed').verdict;
  expect(failure({ ended: 'budget', failedJobs })).toMatch(/ended with exit status 1/);
});
