/** Simulated bisections, for tests. */

import { makeManifest } from '../../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { resetBisection } from '../bisection.js';

/** @import { Bisection, CellComparison, StepOutcome, Verdict } from '../../../formats/types.ts' */
/** @import { MeasuredStep } from '../step.js' */

const { question } = makeManifest();
const DIGITS = '0123456789ab';

/**
 * A bisection before its first step.
 *
 * @param {number} count of candidates
 * @returns {Bisection}
 */
export function makeBisection(count) {
  const candidates = Array.from({ length: count }, (_, index) => ({
    spec: `npm:codec@1.${index}.0`,
    name: `1.${index}.0`,
  }));
  return resetBisection({
    formatVersion: FORMAT_VERSION,
    bisectionId: '20261121-120000-bisect-codec-1.9.0-serialize-flat',
    createdAt: '2026-11-21T12:00:00.000Z',
    command: 'just bisect npm:codec@1.0.0 npm:codec@1.9.0 serialize flat --seed 7',
    assay: { version: '0.1.0', revision: DIGITS.repeat(4).slice(0, 40), dirty: false },
    family: 'js-bson',
    cell: { id: 'serialize flat', operation: 'serialize', corpus: 'flat' },
    seed: 7,
    candidates,
    question,
  });
}

/**
 * The outcome of a step with a narrow interval.
 *
 * @param {number} ratio
 * @param {number | null} boundary null for the usual rule
 * @returns {StepOutcome}
 */
export function answerFor(ratio, boundary) {
  const isBad = ratio > (boundary ?? 1.03);
  return {
    answer: isBad ? 'bad' : 'good',
    verdict: ratio > 1.03 ? 'slower' : 'equivalent',
    ratio: { estimate: ratio, low: ratio * 0.99, high: ratio * 1.01 },
    processes: 12,
    reason: null,
    runId: 'run',
  };
}

/**
 * A measured step of one cell.
 *
 * @param {Partial<CellComparison>} [cell]
 * @param {Partial<MeasuredStep['verdict']>} [verdict]
 * @param {MeasuredStep['manifest']['contracts']} [contracts]
 * @returns {MeasuredStep}
 */
export function makeStep(cell = {}, verdict = {}, contracts = {}) {
  const comparison = /** @type {Verdict['cells'][number]} */ ({
    verdict: 'slower',
    processes: { baseline: 12, candidate: 12, control: 12 },
    effect: { ratio: { estimate: 1.5, low: 1.4, high: 1.6 } },
    ...cell,
  });
  return {
    verdict: {
      ended: 'complete',
      cells: [comparison],
      differences: [],
      failedJobs: [],
      ...verdict,
    },
    manifest: {
      contracts,
      question: /** @type {MeasuredStep['manifest']['question']} */ ({ acceptedRows: ['known'] }),
    },
  };
}
