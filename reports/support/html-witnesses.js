/** What other tools say of a cell, and the files that recorders left. */

/** @import { CellExplanation } from '../../harness/types.ts' */
/** @import { Content } from './html-escape.js' */

import { joinBlocks, markup } from './html-escape.js';
import { htmlTable } from './html-table.js';
import { formatCount, formatDuration, formatInterval, formatRatio } from './numbers.js';

/**
 * Instructions and whole processes, each a witness of its own.
 *
 * @param {CellExplanation} explanation
 * @returns {Content}
 */
export function witnessTable({ instructions, wholeProcess }) {
  const rows = [];
  if (instructions !== null) {
    const { baseline, candidate } = instructions.values;
    rows.push([
      'instructions per document',
      formatCount(baseline),
      formatCount(candidate),
      formatRatio(instructions.ratio),
      'counted',
    ]);
  }
  if (wholeProcess !== null) {
    const { baseline, candidate } = wholeProcess.valuesMs;
    rows.push([
      'whole process, start-up included',
      formatDuration(baseline),
      formatDuration(candidate),
      formatRatio(wholeProcess.ratio.estimate),
      formatInterval(wholeProcess.ratio),
    ]);
  }
  return htmlTable({
    caption: 'Instructions are work, not time; a whole process has its start-up in it',
    label: 'Other witnesses',
    columns: [
      { title: 'figure' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
      { title: 'ratio', align: 'right' },
      { title: 'interval', align: 'right' },
    ],
    rows,
  });
}

/**
 * Links to the files that the recorders left.
 *
 * @param {CellExplanation} explanation
 * @returns {Content}
 */
export function artefactList({ artefacts }) {
  if (artefacts.length === 0) return null;
  const links = artefacts.map(
    ({ recorder, arm, path }) =>
      markup`<li><a href="${relativeAddress(path)}">${lastPart(path)}</a> <span class="quiet">${recorder}, ${arm}</span></li>`,
  );
  return markup`<ul class="artefacts">
${joinBlocks(links)}
</ul>`;
}

/**
 * @param {string} path relative to the run's directory
 * @returns {string} an address that stays below the report, whatever the path holds
 */
function relativeAddress(path) {
  return `./${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** @param {string} path */
function lastPart(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}
