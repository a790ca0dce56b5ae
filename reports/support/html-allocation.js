/** What a cell allocates, and how often that is collected. */

/** @import { CellExplanation } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */

import { remarkOnRest } from './html-blocks.js';
import { codeName, joinBlocks, markup } from '../document/markup.js';
import { formatBytesInterval } from './html-figures.js';
import { sourcePlace, toneOfChange } from './html-places.js';
import { htmlTable } from './html-table.js';
import {
  formatBytesChange,
  formatBytes,
  formatShare,
  formatTime,
  NO_FIGURE,
} from '../../harness/lib/numbers.js';

/**
 * Bytes by the place that allocates them.
 *
 * @param {CellExplanation} explanation
 * @param {number} most rows
 * @returns {Content}
 */
export function allocationTable({ allocations }, most) {
  const shown = allocations.slice(0, most);
  const table = htmlTable({
    caption: 'Bytes allocated per document by call site, collected objects included',
    label: 'Allocation sites',
    columns: [
      { title: 'call site', wraps: true },
      { title: 'change', align: 'right', sortable: true },
      { title: '95 % interval', align: 'right' },
      { title: 'baseline', align: 'right', sortable: true },
      { title: 'candidate', align: 'right', sortable: true },
    ],
    rows: shown.map(({ name, file, line, baselineBytes, candidateBytes, change }) => [
      markup`${codeName(name)}${sourcePlace(file, line)}`,
      {
        content: formatBytesChange(change.estimate),
        sort: change.estimate,
        tone: toneOfChange(change),
      },
      formatBytesInterval(change),
      { content: formatBytes(baselineBytes), sort: baselineBytes },
      { content: formatBytes(candidateBytes), sort: candidateBytes },
    ]),
  });
  return joinBlocks([table, remarkOnRest(allocations.length - shown.length, 'call sites')]);
}

/**
 * Collections by kind, and their share of the time.
 *
 * @param {CellExplanation} explanation
 * @returns {Content}
 */
export function collectionTable({ collections: { baseline, candidate }, pauseMs }) {
  if (baseline === null && candidate === null) return null;
  const kinds = Object.keys({ ...baseline?.perThousand, ...candidate?.perThousand }).sort();
  const count = (/** @type {number | undefined} */ figure) =>
    figure === undefined ? '0' : String(Number(figure.toPrecision(3)));
  const rows = kinds.map((kind) => [
    `${kind}, per 1000 documents`,
    baseline === null ? NO_FIGURE : count(baseline.perThousand[kind]),
    candidate === null ? NO_FIGURE : count(candidate.perThousand[kind]),
  ]);
  const pause = (/** @type {number | null} */ ms) =>
    ms === null ? NO_FIGURE : formatTime(ms * 1e6);
  rows.push(['pause, on average', pause(pauseMs.baseline), pause(pauseMs.candidate)]);
  rows.push([
    'share of the time',
    formatShare(baseline?.timeShare),
    formatShare(candidate?.timeShare),
  ]);
  return htmlTable({
    caption: 'Garbage collections; their share of the time is that of the timed jobs',
    label: 'Garbage collections',
    columns: [
      { title: 'collections' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
    ],
    rows,
  });
}
