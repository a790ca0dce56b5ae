/** What a cell allocates, how often that is collected, and what other tools say of it. */

/** @import { CellExplanation } from '../../harness/types.ts' */
/** @import { Content } from './html-escape.js' */

import { formatBytesChange } from './explanation-rows.js';
import { remarkOnRest } from './html-blocks.js';
import { codeName, joinBlocks, markup } from './html-escape.js';
import { formatBytesInterval } from './html-figures.js';
import { htmlTable } from './html-table.js';
import { sourcePlace, toneOfChange } from './html-time.js';
import { formatBytes } from './memory-rows.js';
import {
  formatCount,
  formatDuration,
  formatInterval,
  formatRatio,
  formatShare,
  NO_FIGURE,
} from './numbers.js';

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
      { title: 'call site' },
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
export function collectionTable({ collections: { baseline, candidate } }) {
  if (baseline === null && candidate === null) return null;
  const kinds = Object.keys({ ...baseline?.perThousand, ...candidate?.perThousand }).sort();
  const count = (/** @type {number | undefined} */ figure) =>
    figure === undefined ? '0' : String(Number(figure.toPrecision(3)));
  const rows = kinds.map((kind) => [
    `${kind}, per 1000 documents`,
    baseline === null ? NO_FIGURE : count(baseline.perThousand[kind]),
    candidate === null ? NO_FIGURE : count(candidate.perThousand[kind]),
  ]);
  rows.push([
    'share of the time',
    formatShare(baseline?.timeShare),
    formatShare(candidate?.timeShare),
  ]);
  return htmlTable({
    caption: 'Garbage collections in the profiled processes',
    label: 'Garbage collections',
    columns: [
      { title: 'collections' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
    ],
    rows,
  });
}

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
