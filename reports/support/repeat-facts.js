/** When something was measured, and with which Assay. */

/** @import { Manifest } from '../../harness/formats/types.ts' */
/** @import { Fact } from './run-facts.js' */

import { describeAssay } from './environment-facts.js';
import { formatDuration } from '../../harness/lib/numbers.js';

/**
 * @param {{ assay: Manifest['assay'], createdAt: string, wallMs: number, id: string }} report
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
