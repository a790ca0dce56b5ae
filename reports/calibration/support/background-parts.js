/** What backs a calibration: how costs were verified, the host, and how to repeat it. */

/** @import { Calibration, InjectedCost } from '../../../harness/formats/types.ts' */
/** @import { Fact } from '../../support/run-facts.js' */
/** @import { ReportPart } from '../types.ts' */

import { countOf, formatCount, formatDuration, formatShare } from '../../../harness/lib/numbers.js';
import { listRepeatFacts } from '../../support/repeat-facts.js';
import { formatDeviation, formatDeviationInterval } from './share-words.js';

/**
 * @param {InjectedCost[]} costs
 * @returns {ReportPart}
 */
export function makeCostPart(costs) {
  return {
    id: 'costs',
    title: 'How the costs were verified',
    sentences: [
      'The cost is a loop of integer arithmetic of so many rounds beside the call; the baseline runs the loop too, for fewer rounds, so that V8 makes the same code of both. It was held against the baseline in processes that run all costs of a cell in turns, in an order drawn anew for each turn. Every round does the same, so that a straight line through all costs tells each of them; bias and coverage are taken against it. What a cost came to by itself shows whether the line holds.',
    ],
    isDetail: true,
    tables: [
      {
        caption: 'Injected costs by their own measurement.',
        columns: [
          { title: 'mode', align: 'left' },
          { title: 'cell', align: 'left', kind: 'name' },
          { title: 'meant', align: 'right' },
          { title: 'rounds', align: 'right' },
          { title: 'verified', align: 'right' },
          { title: '95 % interval', align: 'right' },
          { title: 'by itself', align: 'right' },
          { title: '95 % interval', align: 'right' },
          { title: 'processes', align: 'right' },
        ],
        rows: costs.map(({ mode, cellId, injected, rounds, ratio, alone, processes }) => [
          mode,
          cellId,
          formatShare(injected),
          formatCount(rounds),
          ...formatCost(ratio),
          ...formatCost(alone),
          formatCount(processes),
        ]),
      },
    ],
  };
}

/**
 * @param {import('../../../harness/formats/types.ts').RatioInterval} ratio
 * @returns {string[]} two cells: the cost and its interval
 */
function formatCost({ estimate, low, high }) {
  return [
    formatDeviation(estimate - 1),
    formatDeviationInterval({ estimate: estimate - 1, low: low - 1, high: high - 1 }),
  ];
}

/**
 * @param {Calibration} calibration
 * @returns {Fact[]}
 */
export function listCalibrationFacts(calibration) {
  const { variant, cells, settings, budgetSeconds, looks, alpha, hostNoise } = calibration;
  return [
    ...listRepeatFacts(calibration),
    ['compared with itself', variant],
    ['cells', cells.map(({ id }) => id).join(', ')],
    [
      'a comparison',
      `looks at ${looks.join(', ')} processes a side, error rate ${formatShare(alpha)}, at most ${budgetSeconds} s`,
    ],
    [
      'job',
      `warm-up of ${settings.warmUpMs} ms and ${countOf(settings.warmUpCalls, 'call')} at least, then ${countOf(settings.batchCount, 'batch', 'batches')} of ${settings.batchMs} ms`,
    ],
    [
      'while measuring',
      `CPU time stolen ${formatShare(hostNoise.stealShare)}, used by others ${formatShare(hostNoise.othersShare)}, throttled ${hostNoise.throttledMs === null ? 'unknown' : formatDuration(hostNoise.throttledMs)}`,
    ],
  ];
}
