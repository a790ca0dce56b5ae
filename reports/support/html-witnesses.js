/** What other tools say of a cell, and the files that recorders left. */

/** @import { CellExplanation } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */

import { foldedPart } from './html-blocks.js';
import { listWitnessRows, WITNESS_REMARK } from './explanation-rows.js';
import { joinBlocks, markup } from '../document/markup.js';
import { htmlTable } from './html-table.js';
import { countOf } from '../../harness/lib/numbers.js';

/**
 * Instructions and whole processes, each a witness of its own.
 *
 * @param {CellExplanation} explanation
 * @returns {Content}
 */
export function witnessTable(explanation) {
  return htmlTable({
    caption: WITNESS_REMARK,
    label: 'Other witnesses',
    columns: [
      { title: 'figure' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
      { title: 'ratio', align: 'right' },
      { title: 'interval', align: 'right' },
    ],
    rows: listWitnessRows(explanation).map(({ label, baseline, candidate, ratio, interval }) => [
      label,
      baseline,
      candidate,
      ratio,
      interval,
    ]),
  });
}

/**
 * Links to the files that the recorders left, folded: a report that was sent alone has none of them.
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
  const count = countOf(links.length, 'file');
  return foldedPart(
    `${count} of this cell beside the report, for Chrome DevTools and speedscope`,
    markup`<ul class="artefacts">
${joinBlocks(links)}
</ul>`,
  );
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
