/** Injected costs: how large each turned out to be by its own measurement. */

/** @import { InjectedCost, RatioInterval } from '../../../harness/formats/types.ts' */
/** @import { Section } from '../../document/model.ts' */

import { formatCount, formatShare, NO_FIGURE } from '../../../harness/lib/numbers.js';
import { DETAIL, paragraph } from '../../document/build.js';
import { formatDeviation, formatDeviationInterval } from '../shares.js';

/**
 * @param {InjectedCost[]} costs
 * @returns {Section}
 */
export function costSection(costs) {
  return {
    id: 'costs',
    title: 'How the costs were verified',
    rank: 100,
    folded: DETAIL,
    blocks: [
      paragraph(
        'A cost is a loop of integer arithmetic beside the call. The baseline runs the loop too, with fewer rounds, so that V8 compiles both to the same code. Each cost was measured against the baseline in processes that run all costs of a cell in turn, in a new random order each time. Every round does the same work, so a straight line is fitted through all costs; bias and coverage are relative to this line. “Alone” is the measurement of one cost without the line; it shows whether the line fits.',
      ),
      {
        kind: 'table',
        caption: 'Injected costs, measured separately.',
        columns: [
          { title: 'mode', kind: 'name' },
          { title: 'cell', kind: 'name' },
          { title: 'intended', align: 'right' },
          { title: 'rounds', align: 'right' },
          { title: 'verified', align: 'right' },
          { title: '95 % interval', align: 'right' },
          { title: 'alone', align: 'right' },
          { title: '95 % interval', align: 'right' },
          { title: 'processes', align: 'right' },
        ],
        rows: costs.map(({ mode, cellId, injected, rounds, ratio, alone, processes }) => [
          mode,
          { code: cellId },
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
 * @param {RatioInterval} ratio
 * @returns {string[]} the cost and its interval
 */
function formatCost({ estimate, low, high }) {
  return [
    formatDeviation(estimate - 1),
    formatDeviationInterval({ estimate: estimate - 1, low: low - 1, high: high - 1 }),
  ];
}

/**
 * @param {InjectedCost[]} costs
 * @param {Pick<InjectedCost, 'mode' | 'injected'>} point
 * @returns {string} the verified cost over the cells: `1.02 %`, `0.97–1.1 %`
 */
export function describeVerified(costs, point) {
  if (point.injected === 0) return NO_FIGURE;
  const shares = listVerified(costs, point);
  if (shares.length === 0) return 'not verified';
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map((share) => formatShare(share));
  return low === high ? `${low}` : `${low?.replace(/\s%$/, '')}–${high}`;
}

/**
 * @param {InjectedCost[]} costs
 * @param {Pick<InjectedCost, 'mode' | 'injected'>} point
 * @returns {number[]} verified costs as shares, one a cell
 */
export function listVerified(costs, { mode, injected }) {
  return costs
    .filter((cost) => cost.mode === mode && cost.injected === injected)
    .map(({ ratio }) => ratio.estimate - 1);
}
