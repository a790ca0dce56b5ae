/** Where code, runtimes and cells of a run came from, at the end of the terminal report. */

/** @import { Manifest, RunPart } from '../../harness/formats/types.ts' */

import { formatCount } from '../../harness/lib/numbers.js';
import { isOfPrograms, listRuntimeFacts } from './runtime-facts.js';
import { listVariantFacts } from './variant-facts.js';
import { wrapText } from '../../harness/lib/wrap.js';

/** Cells of a part that are named; all are in the other reports. */
const MOST_CELLS = 6;

/**
 * @param {Manifest} manifest
 * @param {number} width columns
 * @param {number} indent columns that a label takes
 * @returns {string[]} none where there is nothing to say beyond the specs
 */
export function listOrigins({ variants, runtimes, parts = [] }, width, indent) {
  const hasNode = !isOfPrograms({ variants });
  const groups = /** @type {const} */ ([
    ['Code', listVariantFacts(variants, 'short').map(([name, text]) => `${name}: ${text}`)],
    ['Runtimes', listRuntimeFacts(runtimes, 'short').map(([, text]) => text)],
    ['Parts', parts.map((part) => describePart(part, hasNode))],
  ]);
  return groups.flatMap(([label, texts]) =>
    texts.flatMap((text, index) =>
      wrapText(text, width, {
        first: (index === 0 ? label : '').padEnd(indent),
        next: ' '.repeat(indent + 2),
      }),
    ),
  );
}

/**
 * @param {RunPart} part
 * @param {boolean} hasNode whether it was Node that measured
 * @returns {string}
 */
function describePart({ shard, cellIds, environment }, hasNode) {
  const { cpuCount, cpuModel, kernel, node } = environment;
  const rest = cellIds.length - MOST_CELLS;
  const cells = cellIds.slice(0, MOST_CELLS).join(', ');
  const more = rest > 0 ? ` and ${formatCount(rest)} more` : '';
  const runtime = hasNode ? `, Node ${node.replace(/^v/, '')}` : '';
  return `${shard}: ${cells}${more} on ${cpuCount} × ${cpuModel}, kernel ${kernel}${runtime}`;
}
