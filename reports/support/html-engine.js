/** What V8 did with a cell: deoptimisations, inline caches, tiers, forms of values. */

/** @import { CellExplanation, ValueForms } from '../../harness/types.ts' */
/** @import { Content } from './html-escape.js' */

import { foldedPart, remarkOnRest } from './html-blocks.js';
import { codeName, joinBlocks, markup } from './html-escape.js';
import { htmlTable } from './html-table.js';
import { sourcePlace } from './html-time.js';
import { formatCount, NO_FIGURE } from './numbers.js';

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
      { title: 'function' },
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
      { title: 'place' },
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
    columns: [{ title: 'function' }, { title: 'baseline' }, { title: 'candidate' }],
    rows: shown.map((change) => [
      markup`${codeName(change.function)}${sourcePlace(change.file, change.line)}`,
      TIERS[change.baseline],
      TIERS[change.candidate],
    ]),
  });
  return joinBlocks([table, remarkOnRest(tiers.length - shown.length, 'functions')]);
}

/**
 * What V8 made of the values that the operation reads or makes.
 *
 * @param {CellExplanation} explanation
 * @returns {Content}
 */
export function valueTable({ values: { baseline, candidate } }) {
  const [before, after] = [listForms(baseline), listForms(candidate)];
  const names = new Set([...before.keys(), ...after.keys()]);
  const isSame = [...names].every((name) => before.get(name) === after.get(name));
  const show = (/** @type {number | undefined} */ count) => formatCount(count ?? 0);
  const table = htmlTable({
    caption: 'What V8 makes of the values that the operation reads or makes',
    label: 'Forms of values',
    columns: [
      { title: 'form' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
    ],
    rows: [...names].map((name) => [
      name,
      baseline === null ? NO_FIGURE : show(before.get(name)),
      candidate === null ? NO_FIGURE : show(after.get(name)),
    ]),
  });
  return foldedPart(
    `What V8 makes of the values${isSame ? ', the same on both sides' : ''}`,
    table,
    !isSame,
  );
}

/**
 * @param {ValueForms | null} forms
 * @returns {Map<string, number>} by what a reader would call the form
 */
function listForms(forms) {
  if (forms === null) return new Map();
  return new Map([
    ['objects', forms.objects],
    ['objects in dictionary mode', forms.dictionaries],
    ['hidden classes', forms.hiddenClasses],
    ['keys of the largest object', forms.mostKeys],
    ['numbers as small integers', forms.smis],
    ['numbers as doubles', forms.doubles],
    ['arrays', forms.arrays],
    ...prefixed('arrays, elements', forms.elements),
    ...prefixed('strings', forms.strings),
  ]);
}

/**
 * @param {string} prefix
 * @param {Record<string, number>} counts
 * @returns {[string, number][]}
 */
function prefixed(prefix, counts) {
  return Object.entries(counts).map(([kind, count]) => [`${prefix} ${kind}`, count]);
}
