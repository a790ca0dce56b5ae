/** Tables for a terminal: columns that do not fit on a line continue in further bands. */

/** @import { Cell, Column, Row, Table, Tone } from './model.ts' */

import {
  displayWidth,
  padToWidth,
  shortenEnd,
  shortenMiddle,
  wrapText,
} from '../../harness/lib/columns.js';
import { sumOf } from '../../harness/stats/means.js';
import { axisOf, drawRange, drawTicks } from './range-plot.js';
import { cellsOf, partsFor, plainText, rangesOf, readCell, toneOf, visibleText } from './inline.js';

const GAP = '  ';
/** Of a column of names; longer ones have a line of their own. */
const MIN_NAME_WIDTH = 12;
/** `spare`: the smallest of one that may be left out. */
const PLOT_WIDTHS = { smallest: 16, spare: 12, largest: 60 };
/** Of a column of texts, which are shortened to what a line has room for. */
const MIN_TEXT_WIDTH = 24;

/** @typedef {{ width: number, paint: (text: string, tone: Tone) => string }} Terminal */
/** @typedef {{ text: string, tone: Tone }} Entry */
/** @typedef {{ column: Column, title: Entry, entries: Entry[], width: number }} Fitted */

/** @type {Entry} */
const EMPTY = { text: '', tone: 'plain' };

/**
 * Each band has the names of the rows.
 * @type {(table: Table, terminal: Terminal) => string[][]} a block of lines for each band
 */
export function layOutTable(table, terminal) {
  const { width, paint } = terminal;
  if (table.rows.length === 0) return [];
  const columns = partsFor(table.columns, 'terminal');
  const fitted = narrowNames(chooseColumns(measureColumns(table, columns), width), width);
  const proses = columns.filter(({ kind }) => kind === 'prose');
  const bands = makeBands(table, fitted, width);
  const headings = table.rows.map((row) => groupHeading(table, row));
  const blocks = bands.map((band, bandIndex) => {
    const isLast = bandIndex === bands.length - 1;
    const titles = band.map(({ column, title, width }) => ({ column, width, entry: title }));
    const header = layOutLine(titles, paint);
    const lines = table.rows.flatMap((_, row) => {
      const entries = band.map(({ column, width, entries }) => ({
        column,
        width,
        entry: entries[row] ?? EMPTY,
      }));
      return [
        ...layOutHeading(headings, row, terminal),
        ...layOutRow(entries, terminal),
        ...(isLast
          ? proses.flatMap((column) =>
              layOutProse(table, { column, isNamed: proses.length > 1 }, row, terminal),
            )
          : []),
      ];
    });
    return [...(header === '' ? [] : [header]), ...lines];
  });
  const caption =
    table.caption === undefined
      ? []
      : wrapText(plainText(table.caption), width).map((line) => paint(line, 'quiet'));
  blocks[0] = [...caption, ...(blocks[0] ?? [])];
  const legend = table.legend === undefined ? [] : [wrapText(plainText(table.legend), width)];
  if (table.isDense !== true) return [...blocks, ...legend];
  return [...blocks.slice(0, -1), [...(blocks.at(-1) ?? []), ...legend.flat()]];
}

/**
 * @param {Table} table
 * @param {Column[]} columns
 * @returns {Fitted[]} without groups and prose
 */
function measureColumns(table, columns) {
  const isGrouped = table.columns.some(({ kind }) => kind === 'group');
  return columns
    .filter(({ kind }) => kind !== 'group' && kind !== 'prose')
    .map((column, position) => {
      const index = table.columns.indexOf(column);
      const entries = table.rows.map((row) => makeEntry(column, cellsOf(row)[index] ?? ''));
      if (position === 0 && isGrouped) for (const entry of entries) entry.text = ` ${entry.text}`;
      const widest = Math.max(
        displayWidth(visibleText(column.title)),
        ...entries.map(({ text }) => displayWidth(text)),
      );
      const title = {
        text: visibleText(column.title).replaceAll('\u00a0', ' '),
        tone: /** @type {const} */ ('quiet'),
      };
      return { column, title, entries, width: smallestWidth(column, widest) };
    });
}

/**
 * @param {Fitted[]} fitted
 * @param {number} width
 * @returns {Fitted[]} without the columns that can be spared, the highest number first, until the others fit; of those,
 *   what still fits is taken back
 */
function chooseColumns(fitted, width) {
  const levels = [...new Set(fitted.map(({ column: { spare = 0 } }) => spare))].sort(
    (a, b) => a - b,
  );
  let kept = fitted;
  const without = (/** @type {number} */ level) =>
    kept.filter(({ column: { spare = 0 } }) => spare !== level);
  /** @type {number[]} */
  const left = [];
  while (!fits(kept, width) && (levels.at(-1) ?? 0) > 0) {
    const level = levels.pop() ?? 0;
    left.unshift(level);
    kept = without(level);
  }
  for (const level of left) {
    const more = fitted.filter((one) => kept.includes(one) || (one.column.spare ?? 0) === level);
    if (fits(more, width)) kept = more;
  }
  return kept;
}

/** @type {(fitted: Fitted[], width: number) => boolean} whether they fit on a line, with names of up to half of it */
function fits(fitted, width) {
  const half = Math.floor(width / 2);
  const widths = fitted.map(({ column, width: own }) => ({
    width: column.kind === 'name' ? Math.min(own, half) : own,
  }));
  return totalWidth(widths) <= width;
}

/**
 * @param {Fitted[]} fitted
 * @param {number} width
 * @returns {Fitted[]} names narrowed where that makes one band of two
 */
function narrowNames(fitted, width) {
  const excess = totalWidth(fitted) - width;
  if (excess > 0) {
    const names = fitted.filter(({ column }) => column.kind === 'name');
    const measureSpare = (/** @type {number} */ least) =>
      names.map((name) => Math.max(0, name.width - least));
    const isEnough = sumOf(measureSpare(MIN_NAME_WIDTH)) >= excess;
    const third = Math.floor(width / 3);
    const spare = measureSpare(isEnough ? MIN_NAME_WIDTH : Math.max(MIN_NAME_WIDTH, third));
    // Names give way where that is enough, or where they take more than a third of the line.
    const wanted = isEnough ? excess : totalWidth(names) - third;
    const share = Math.min(1, Math.max(0, wanted) / Math.max(1, sumOf(spare)));
    for (const [at, name] of names.entries()) name.width -= Math.ceil((spare[at] ?? 0) * share);
  }
  return fitted;
}

/** @type {(column: Column, widest: number) => number} what it takes at least; a band gives it more where there is room */
function smallestWidth({ kind, spare }, widest) {
  if (kind === 'plot') return PLOT_WIDTHS[spare === undefined ? 'smallest' : 'spare'];
  return kind === 'text' ? Math.min(MIN_TEXT_WIDTH, widest) : widest;
}

/** @type {(column: Column, cell: Cell) => Entry} */
function makeEntry(column, cell) {
  if (column.kind === 'plot') return { text: '', tone: plotTone(cell) };
  const { value, tone } = readCell(cell);
  return { text: plainText(value).replaceAll('\u00a0', ' '), tone: tone ?? toneOf(value) };
}

/** @param {Cell} cell */
function plotTone(cell) {
  return typeof cell === 'object' && 'range' in cell ? (cell.tone ?? 'plain') : 'plain';
}

/** @type {(columns: { width: number }[]) => number} */
function totalWidth(columns) {
  const gaps = Math.max(0, columns.length - 1) * GAP.length;
  return columns.reduce((sum, column) => sum + column.width, gaps);
}

/**
 * @param {Table} table
 * @param {Fitted[]} columns
 * @param {number} width
 * @returns {Fitted[][]} at least one; one that does not hold all the rest ends with its plot
 */
function makeBands(table, columns, width) {
  const names = columns.filter(({ column }) => column.kind === 'name');
  const others = columns.filter(({ column }) => column.kind !== 'name');
  const bands = [[...names]];
  for (const [index, column] of others.entries()) {
    const band = /** @type {Fitted[]} */ (bands.at(-1));
    const isAfterPlot = band.at(-1)?.column.kind === 'plot';
    const wanted = isAfterPlot ? others.slice(index) : [column];
    if (totalWidth([...band, ...wanted]) <= width || band.length === names.length) {
      band.push(column);
    } else bands.push([...names, column]);
  }
  return bands.map((band) => fillBand(table, band, width));
}

/**
 * Gives a plot or a text what its band leaves, and narrows the last column of a band that is still too wide.
 * @type {(table: Table, band: Fitted[], width: number) => Fitted[]}
 */
function fillBand(table, band, width) {
  const left = width - totalWidth(band);
  return band.map((one, index) => {
    if (one.column.kind === 'plot') {
      const room = Math.min(PLOT_WIDTHS.largest, one.width + Math.max(0, left));
      return drawPlot(table, { ...one, width: room });
    }
    if (one.column.kind === 'text') return { ...one, width: Math.max(1, one.width + left) };
    const isLast = index === band.length - 1;
    return isLast && left < 0 ? { ...one, width: Math.max(1, one.width + left) } : one;
  });
}

/** @type {(table: Table, fitted: Fitted) => Fitted} */
function drawPlot(table, { column, title, entries, width }) {
  const plotted = rangesOf(table, column);
  const axis = axisOf(plotted, column, width);
  const drawn = plotted.map((one, row) => ({
    text: drawRange(axis, one),
    tone: entries[row]?.tone ?? 'plain',
  }));
  return { column, title: { ...title, text: drawTicks(axis) }, entries: drawn, width };
}

/** @type {(table: Table, row: Row) => string | undefined} undefined in a table without groups */
function groupHeading({ columns }, row) {
  if (!Array.isArray(row)) return plainText(row.group);
  const groups = columns.flatMap(({ kind }, index) => (kind === 'group' ? [index] : []));
  if (groups.length === 0) return undefined;
  return groups.map((index) => plainText(readCell(row[index] ?? '').value)).join(' ');
}

/**
 * @param {(string | undefined)[]} headings a row each
 * @param {number} row
 * @param {Terminal} terminal
 * @returns {string[]} one line where a group begins
 */
function layOutHeading(headings, row, { width, paint }) {
  const heading = headings[row];
  if (heading === undefined || heading === headings[row - 1]) return [];
  return wrapText(heading, width).map((line) => paint(line, 'title'));
}

/**
 * @param {Table} table
 * @param {{ column: Column, isNamed: boolean }} prose whether its title is printed before it
 * @param {number} row
 * @param {Terminal} terminal
 * @returns {string[]}
 */
function layOutProse({ columns, rows }, { column, isNamed }, row, { width, paint }) {
  const cell = cellsOf(rows[row] ?? [])[columns.indexOf(column)] ?? '';
  const text = plainText(readCell(cell).value);
  if (text === '') return [];
  const indent = '    ';
  const first = isNamed ? `${indent}${visibleText(column.title)}: ` : indent;
  return wrapText(text, width, { first, next: isNamed ? indent.repeat(2) : indent }).map((line) =>
    paint(line, 'quiet'),
  );
}

/** @typedef {{ column: Column, width: number, entry: Entry }} Place */

/**
 * A name is typed again, so it is never cut: one that is too long has a line of its own.
 * @type {(places: Place[], terminal: Terminal) => string[]}
 */
function layOutRow(places, { width, paint }) {
  const long = places.filter(
    (place) => place.column.kind === 'name' && displayWidth(place.entry.text) > place.width,
  );
  if (long.length === 0) return [layOutLine(places, paint)];
  const text = long.map(({ entry }) => entry.text).join(GAP);
  const lines = wrapText(text.trimStart(), width, { first: /^ */.exec(text)?.[0] ?? '' });
  const others = places.map((place) => (long.includes(place) ? { ...place, entry: EMPTY } : place));
  return [...lines, layOutLine(others, paint)].filter((line) => line !== '');
}

/** @type {(places: Place[], paint: Terminal['paint']) => string} */
function layOutLine(places, paint) {
  const pieces = places.map(({ column, width, entry: { text, tone } }, position) => {
    const align = column.align ?? 'left';
    const short = (column.kind === 'text' ? shortenEnd : shortenMiddle)(text, width);
    const isLast = position === places.length - 1;
    const isOpen = isLast && align === 'left';
    return paint(isOpen ? short.trimEnd() : padToWidth(short, width, align), tone);
  });
  return pieces.join(GAP).trimEnd();
}
