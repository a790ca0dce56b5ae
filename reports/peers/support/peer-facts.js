/** What backs a comparison of benchmark tools. */

/** @import { PeersComparison } from '../../../harness/formats/types.ts' */
/** @import { Fact } from '../../support/run-facts.js' */

import { formatCount } from '../../../harness/lib/numbers.js';
import { listRepeatFacts } from '../../support/repeat-facts.js';

/**
 * @param {PeersComparison} peers
 * @returns {Fact[]}
 */
export function listPeerFacts(peers) {
  const { variant, cell, budgetSeconds, seed, trials } = peers;
  return [
    ...listRepeatFacts(peers),
    ['compared with itself', variant],
    ['task', cell.id],
    ['a comparison', `${budgetSeconds} s, both sides together`],
    ['comparisons', `${formatCount(trials.length)} in random order, seed ${seed}`],
  ];
}
