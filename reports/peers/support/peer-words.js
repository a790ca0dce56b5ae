/** What every report of a comparison of benchmark tools says first. */

/** @import { PeersComparison, PeerSummary } from '../../../harness/formats/types.ts' */

import { formatProportion } from '../../calibration/support/share-words.js';

/**
 * The sentences that a reader takes away.
 *
 * @param {PeersComparison} peers
 * @param {PeerSummary[]} summaries
 * @returns {string[]}
 */
export function tellPeers({ cell, budgetSeconds }, summaries) {
  const told = summaries
    .filter(({ falsePositives }) => falsePositives.of > 0)
    .map(({ tool, falsePositives }) => {
      const { count, of } = falsePositives;
      return `${tool} ${count} of ${of} (${formatProportion(falsePositives)})`;
    });
  if (told.length === 0) return ['No A/A comparison was finished.'];
  return [
    `The same code under two names (${cell.id}, ${budgetSeconds} s a comparison) was called different by ${told.join(', ')}.`,
  ];
}
