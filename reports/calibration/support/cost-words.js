/** How large an injected cost turned out to be. */

/** @import { InjectedCost } from '../../../harness/formats/types.ts' */

import { formatShare, NO_FIGURE } from '../../../harness/lib/numbers.js';

/**
 * @param {InjectedCost[]} costs
 * @param {{ mode: InjectedCost['mode'], injected: number }} point
 * @returns {string} by its own measurement, over the cells: `1.02 %`, `0.97–1.1 %`
 */
export function describeVerified(costs, { mode, injected }) {
  if (injected === 0) return NO_FIGURE;
  const shares = listVerified(costs, { mode, injected });
  if (shares.length === 0) return 'not verified';
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map((share) => formatShare(share));
  return low === high ? `${low}` : `${low?.replace(/\s%$/, '')}–${high}`;
}

/**
 * @param {InjectedCost[]} costs
 * @param {{ mode: InjectedCost['mode'], injected: number }} point
 * @returns {number[]} shares, one a cell
 */
export function listVerified(costs, { mode, injected }) {
  return costs
    .filter((cost) => cost.mode === mode && cost.injected === injected)
    .map(({ ratio }) => ratio.estimate - 1);
}
