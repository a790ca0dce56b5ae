/** What V8 did with a cell: deoptimisations, inline caches, tiers. */

/** @import { CellExplanation } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */

import { remarkOnRest } from './html-blocks.js';
import { codeName, joinBlocks, markup } from '../document/markup.js';
import { htmlTable } from './html-table.js';
import { sourcePlace } from './html-places.js';
import { formatCount, NO_FIGURE } from '../../harness/lib/numbers.js';

/** V8's own names, beside ours. */
const TIERS = {
  interpreter: 'interpreter (Ignition)',
  baseline: 'baseline (Sparkplug)',
  mid: 'mid (Maglev)',
  optimized: 'optimized (TurboFan)',
};

/**
 * Deoptimisations that only one side has, or more often.
 *
 * @param {CellExplanation} explanation
 * @param {number} most rows
 * @returns {Content}
 */
export function deoptTable({ deopts }, most) {
  const shown = deopts.slice(0, most);
  const table = htmlTable({
    caption: 'Deoptimisations that the sides do not share; in brackets those after warm-up',
    label: 'Deoptimisations',
    columns: [
      { title: 'function', wraps: true },
      { title: 'reason' },
      { title: 'kind' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
    ],
    rows: shown.map((deopt) => [
      markup`${codeName(deopt.function)}${sourcePlace(deopt.file, deopt.line)}`,
      deopt.reason,
      deopt.kind,
      countWithLate(deopt.baseline, deopt.late.baseline),
      countWithLate(deopt.candidate, deopt.late.candidate),
    ]),
  });
  return joinBlocks([table, remarkOnRest(deopts.length - shown.length, 'deoptimisations')]);
}

/**
 * @param {number} count
 * @param {number} late
 * @returns {string} `3 (1)`
 */
function countWithLate(count, late) {
  return `${formatCount(count)} (${formatCount(late)})`;
}

/**
 * Inline caches that see several hidden classes on one side only, or in another state.
 *
 * @param {CellExplanation} explanation
 * @param {number} most rows
 * @returns {Content}
 */
export function cacheTable({ cacheSites }, most) {
  const shown = cacheSites.slice(0, most);
  const table = htmlTable({
    caption: 'Inline caches that meet several hidden classes, where the sides differ',
    label: 'Inline caches',
    columns: [
      { title: 'place', wraps: true },
      { title: 'access' },
      { title: 'baseline' },
      { title: 'candidate' },
    ],
    rows: shown.map((site) => [
      markup`${codeName(site.function)}${sourcePlace(site.file, site.line)}`,
      markup`${site.cache}${site.key === null ? null : markup` of ${codeName(site.key)}`}`,
      site.baseline ?? NO_FIGURE,
      site.candidate ?? NO_FIGURE,
    ]),
  });
  return joinBlocks([table, remarkOnRest(cacheSites.length - shown.length, 'inline caches')]);
}

/**
 * Functions of both sides that do not end in the same tier.
 *
 * @param {CellExplanation} explanation
 * @param {number} most rows
 * @returns {Content}
 */
export function tierTable({ tiers }, most) {
  const shown = tiers.slice(0, most);
  const table = htmlTable({
    caption: 'Functions that do not reach the same compiler on both sides',
    label: 'Compiler tiers',
    columns: [{ title: 'function', wraps: true }, { title: 'baseline' }, { title: 'candidate' }],
    rows: shown.map((change) => [
      markup`${codeName(change.function)}${sourcePlace(change.file, change.line)}`,
      TIERS[change.baseline],
      TIERS[change.candidate],
    ]),
  });
  return joinBlocks([table, remarkOnRest(tiers.length - shown.length, 'functions')]);
}
