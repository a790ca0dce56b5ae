/** What stands in for a flamegraph where scripts do not run: the functions that move most. */

/** @import { DifferentialProfile } from '../../harness/profiles/types.ts' */
/** @import { ProfileView } from '../types.ts' */
/** @import { Markup } from './html-escape.js' */

import { markup } from './html-escape.js';
import { formatSize, formatTime } from './numbers.js';

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
    .map(
      ({ frame, baseline, candidate }) =>
        markup`<tr><th scope="row">${frame.name}</th><td>${frame.file ?? frame.kind}</td><td>${format(baseline)}</td><td>${format(candidate)}</td><td>${candidate < baseline ? '−' : '+'}${format(Math.abs(candidate - baseline))}</td></tr>
`,
    );
  return markup`<table><caption>The functions whose own weight a document changes most. With scripts allowed, a flamegraph stands here.</caption>
<thead><tr><th scope="col">function</th><th scope="col">where</th><th scope="col">${sides.baseline}</th><th scope="col">${sides.candidate}</th><th scope="col">change</th></tr></thead>
<tbody>${rows}</tbody></table>`;
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
