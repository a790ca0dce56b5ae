/** When claims were tried, and with which Assay. */

/** @import { Reproduction } from '../../../harness/types.ts' */
/** @import { Fact } from '../../support/run-facts.js' */

import { describeAssay } from '../../support/environment-facts.js';
import { formatDuration } from '../../support/numbers.js';

/**
 * @param {Reproduction} reproduction
 * @returns {Fact[]}
 */
export function listRepeatFacts({ assay, createdAt, wallMs, id }) {
  return [
    ['Assay', describeAssay(assay)],
    ['begun', createdAt],
    ['took', formatDuration(wallMs)],
    ['directory', id],
  ];
}
