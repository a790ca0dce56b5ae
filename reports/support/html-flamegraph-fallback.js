/** What stands in for a flamegraph where scripts do not run: the functions that move most. */

/** @import { DifferentialProfile } from '../../harness/formats/profile-types.ts' */
/** @import { ProfileView } from '../types.ts' */
/** @import { Markup } from '../document/markup.js' */

import { codeName } from '../document/markup.js';
import { htmlTable } from './html-table.js';
import { formatSize, formatTime } from '../../harness/lib/numbers.js';

const MOST_ROWS = 15;

/**
 * @param {ProfileView} view
 * @param {Record<'baseline' | 'candidate', string>} sides names of the variants
 * @returns {Markup} a table of self weights
 */
export function flamegraphFallback({ differential }, sides) {
  const format = differential.unit === 'ns' ? formatTime : formatSize;
  const rows = sumFunctions(differential)
    .slice(0, MOST_ROWS)
    .map(({ frame, baseline, candidate }) => [
      codeName(frame.name),
      frame.file ?? frame.kind,
      format(baseline),
      format(candidate),
      `${candidate < baseline ? '−' : '+'}${format(Math.abs(candidate - baseline))}`,
    ]);
  return htmlTable({
    caption:
      'The functions whose own weight per document changes most. With scripts allowed, a flamegraph stands here.',
    label: 'Functions that changed most',
    columns: [
      { title: 'function', wraps: true },
      { title: 'where' },
      { title: sides.baseline, align: 'right' },
      { title: sides.candidate, align: 'right' },
      { title: 'change', align: 'right' },
    ],
    rows,
  });
}

/**
 * @param {DifferentialProfile} differential
 * @returns {{ frame: DifferentialProfile['frames'][number], baseline: number, candidate: number }[]}
 *   the largest change first
 */
function sumFunctions({ frames, nodes }) {
  const sums = frames.map((frame) => ({ frame, baseline: 0, candidate: 0 }));
  for (const node of nodes) {
    const sum = sums[node.frame];
    if (sum === undefined) continue;
    sum.baseline += node.baseline;
    sum.candidate += node.candidate;
  }
  /** @param {(typeof sums)[number]} sum */
  const change = ({ baseline, candidate }) => Math.abs(candidate - baseline);
  return sums.sort((a, b) => change(b) - change(a));
}
