/** What V8 made of the values that the operation of a cell reads or makes. */

/** @import { CellExplanation, ValueForms } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */

import { foldedPart } from './html-blocks.js';
import { htmlTable } from './html-table.js';
import { formatCount, NO_FIGURE } from '../../harness/lib/numbers.js';

/**
 * What V8 made of the values that the operation reads or makes, without the forms that neither side
 * has.
 *
 * @param {CellExplanation} explanation
 * @returns {Content}
 */
export function valueTable({ values: { baseline, candidate } }) {
  const [before, after] = [listForms(baseline), listForms(candidate)];
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => (before.get(name) ?? 0) + (after.get(name) ?? 0) > 0,
  );
  const isSame = names.every((name) => before.get(name) === after.get(name));
  const show = (/** @type {number | undefined} */ count) => formatCount(count ?? 0);
  const table = htmlTable({
    caption: 'What V8 makes of the values that the operation reads or makes',
    label: 'Forms of values',
    columns: [
      { title: 'form' },
      { title: 'baseline', align: 'right' },
      { title: 'candidate', align: 'right' },
    ],
    rows: names.map((name) => [
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
