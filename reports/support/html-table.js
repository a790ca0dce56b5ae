/** Tables of the page. */

/** @import { Content } from '../document/markup.js' */

import { joinBlocks, markup, Markup, NOTHING } from '../document/markup.js';

/**
 * What stands in one place of a table. `sort` is what the column is sorted by where the text would
 * not do.
 *
 * @typedef {Content | { content: Content, sort?: number | string | null, tone?: string }} TablePlace
 */

/**
 * @typedef {object} HtmlColumn
 * @property {Content} title
 * @property {'left' | 'right'} [align] left where not given; right is for figures
 * @property {boolean} [sortable]
 * @property {boolean} [wraps] whether its texts are long enough to be broken into lines
 * @property {string} [hint] what the column means, in a few words
 */

/**
 * @typedef {object} HtmlTable
 * @property {Content} caption
 * @property {string} label what a screen reader calls the part that scrolls
 * @property {HtmlColumn[]} columns the first names the row
 * @property {TablePlace[][]} rows
 * @property {string} [kind] class of the table
 */

/**
 * A table with a caption, a header a column and a header a row. It scrolls by itself where the page
 * is too narrow for it.
 *
 * @param {HtmlTable} table
 * @returns {Markup} nothing without rows
 */
export function htmlTable({ caption, label, columns, rows, kind = '' }) {
  if (rows.length === 0) return NOTHING;
  const isSortable = rows.length > 1 && columns.some(({ sortable }) => sortable);
  const className = `${kind}${isSortable ? ' sortable' : ''}`.trim();
  return markup`<div class="scroll" role="group" aria-label="${label}" tabindex="0">
<table${className === '' ? null : markup` class="${className}"`}>
<caption>${caption}</caption>
<thead><tr>${columns.map(makeHeader)}</tr></thead>
<tbody>
${joinBlocks(rows.map((row) => makeRow(columns, row)))}
</tbody>
</table>
</div>`;
}

/**
 * @param {HtmlColumn} column
 * @returns {Markup}
 */
function makeHeader({ title, align, sortable, hint }) {
  const attributes = [
    align === 'right' ? markup` class="figure"` : null,
    sortable === true ? markup` data-sortable` : null,
    hint === undefined ? null : markup` title="${hint}"`,
  ];
  return markup`<th scope="col"${attributes}>${title}</th>`;
}

/**
 * @param {HtmlColumn[]} columns
 * @param {TablePlace[]} row
 * @returns {Markup}
 */
function makeRow(columns, row) {
  const places = row.map((place, index) => makePlace(columns[index], place, index === 0));
  return markup`<tr>${places}</tr>`;
}

/**
 * @param {HtmlColumn | undefined} column
 * @param {TablePlace} place
 * @param {boolean} isHeader
 * @returns {Markup}
 */
function makePlace(column, place, isHeader) {
  const { content, sort, tone } = isPlain(place) ? { content: place } : place;
  const kinds = [
    column?.align === 'right' ? 'figure' : '',
    column?.wraps ? 'wraps' : '',
    tone ?? '',
  ];
  const classes = kinds.filter((kind) => kind !== '').join(' ');
  const attributes = [
    classes === '' ? null : markup` class="${classes}"`,
    sort === undefined ? null : markup` data-sort="${sort ?? ''}"`,
  ];
  return isHeader
    ? markup`<th scope="row"${attributes}>${content}</th>`
    : markup`<td${attributes}>${content}</td>`;
}

/**
 * @param {TablePlace} place
 * @returns {place is Content}
 */
function isPlain(place) {
  return (
    typeof place !== 'object' || place === null || place instanceof Markup || Array.isArray(place)
  );
}
