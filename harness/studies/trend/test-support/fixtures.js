/** Trends, for tests. */

import { makeManifest } from '../../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../../formats/format-version.js';
import { update } from '../trend.js';

/** @import { Candidate, Trend, TrendStep, VerdictWord } from '../../../formats/types.ts' */

const REFERENCE = 'npm:bson@7.3.1';

/**
 * A trend of one cell.
 *
 * @param {Candidate[]} points
 * @param {number} seed
 * @param {Partial<Trend>} [more]
 * @returns {Trend} before its first step
 */
export function openTrend(points, seed, more = {}) {
  const { environment, assay, question } = makeManifest();
  const cell = { id: 'serialize flat', operation: 'serialize', corpus: 'flat' };
  /** @type {Trend} */
  const trend = {
    formatVersion: FORMAT_VERSION,
    trendId: 'trend',
    createdAt: '2026-01-01T00:00:00.000Z',
    command: 'just trend git:codec --from v1',
    assay,
    environment,
    family: 'js-bson',
    source: 'git:codec',
    question: {
      ...question,
      baseline: REFERENCE,
      candidates: [points[0].spec],
      cells: [cell],
      looks: [16, 32, 64, 128],
      earlyLook: 8,
      alpha: 0.02,
      minimumEffect: 0.03,
      seed,
    },
    points,
    firstPoints: 9,
    processes: 24,
    steps: [],
    skipped: [],
    series: [],
    ended: 'running',
    ...more,
  };
  return update(trend, {});
}

/**
 * A finished trend of six versions: 20 % faster since the fourth, as a comparison of neighbours says, and one that
 * could not be measured.
 *
 * @returns {Trend}
 */
export function makeTrend() {
  const points = Array.from({ length: 6 }, (_, index) => ({
    spec: `npm:codec@1.${index}.0`,
    name: `1.${index}.0`,
    subject: `Subject ${index}`,
  }));
  const [one, two, , three, four, five] = points.map(({ spec }) => spec);
  /** @type {(baseline: string, ratios: Record<string, number>, verdict?: VerdictWord) => TrendStep} */
  const makeStep = (baseline, ratios, verdict = 'inconclusive') => ({
    purpose: baseline === REFERENCE ? 'first' : 'neighbours',
    baseline,
    candidates: Object.keys(ratios),
    cellIds: ['serialize flat'],
    seconds: 12.5,
    runId: '20260101-000000-run',
    isStored: false,
    isComplete: true,
    results: Object.entries(ratios).map(([candidate, ratio]) => ({
      candidate,
      cellId: 'serialize flat',
      verdict,
      log: Math.log(ratio),
      standardError: 0.01,
      processes: 24,
    })),
  });
  return {
    ...openTrend(points, 7, {
      source: 'npm:codec',
      steps: [
        makeStep(REFERENCE, { [one]: 1.25, [two]: 1.24, [three]: 1.0, [four]: 0.99, [five]: 1.01 }),
        makeStep(two, { [three]: 0.8 }, 'faster'),
      ],
      skipped: [{ spec: points[2].spec, reason: 'it does not build\nat all' }],
    }),
    ended: 'complete',
  };
}
