/** A run on a host that was calibrated. Used by tests only. */

/** @import { RenderInput } from '../types.ts' */

import { takeProportion } from '../../harness/stats/calibration/noise.js';
import { makeCell, makeManifest, makeVerdict } from './fixtures.js';

/** @returns {RenderInput} whose verdict cites the calibration */
export function calibratedRun() {
  const cells = [{ id: 'serialize flat', operation: 'serialize', corpus: 'flat' }];
  return {
    manifest: makeManifest({ cells, seed: 7 }),
    verdict: makeVerdict(
      [
        makeCell({
          operation: 'serialize',
          corpus: 'flat',
          verdict: 'equivalent',
          ratio: [0.991, 1.0042, 1.018],
          processes: 24,
          baselineNs: 35_210,
        }),
      ],
      {
        calibration: {
          id: '20250601-080000-calibration',
          createdAt: '2025-06-01T08:00:00.000Z',
          falsePositives: takeProportion(3, 212),
          detectable: [
            { budgetSeconds: 5, effect: 0.034 },
            { budgetSeconds: 10, effect: 0.025 },
            { budgetSeconds: 20, effect: 0.018 },
          ],
        },
      },
    ),
    runPath: 'reports/runs/20250612-101502-generator-linked-list-7f3a',
  };
}
