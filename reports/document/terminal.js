/** Documents as plain text for a terminal or a pipe, in lines that fit its width. */

/** @import { Block, Cell, Column, Document, Fact, Inline, ListItem, Row, Section, Table, Tone } from './model.ts' */

import {
  displayWidth,
  padToWidth,
  shortenMiddle,
  wrapCommand,
  wrapText,
} from '../../harness/lib/columns.js';
import { axisOf, drawRange, drawTicks } from './range-plot.js';
import {
  cellsOf,
  linesOf,
  partsFor,
  plainText,
  rangesOf,
  readCell,
  readItem,
  toneOf,
  visibleText,
} from './inline.js';

const DEFAULT_WIDTH = 80;
const GAP = '  ';
const LARGEST_LABEL_WIDTH = 24;
const SMALLEST_LABEL_WIDTH = 10;
const SMALLEST_NAME_WIDTH = 12;
const PLOT_WIDTHS = { smallest: 16, largest: 60 };

const SEQUENCES = {
  plain: '',
  title: '\u001b[1m',
  quiet: '\u001b[2m',
  good: '\u001b[32m',
  bad: '\u001b[31m',
  doubtful: '\u001b[33m',
};
const RESET = '\u001b[0m';
/** @type {Record<'lead' | 'basis' | 'remark' | 'quiet', Tone>} */
const ROLE_TONES = { lead: 'title', basis: 'plain', remark: 'doubtful', quiet: 'quiet' };

/**
 * @typedef {object} TerminalOptions
 * @property {number} [width] columns; 80 where not given
 * @property {boolean} [color] whether ANSI colours may be written; false where not given
 */

/** @typedef {{ width: number, paint: (text: string, tone: Tone) => string }} Terminal */

/**
 * A document without its title: the command line names it already.
 *
 * @param {Pick<Document, 'sections'>} document
 * @param {TerminalOptions} [options]
 * @returns {string} ends with a line end
 */
export function renderTerminal({ sections }, { width = DEFAULT_WIDTH, color = false } = {}) {
  const terminal = { width, paint: makePainter(color) };
  const blocks = partsFor(sections, 'terminal').flatMap((section) =>
    layOutSection(section, terminal),
  );
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/**
 * @param {Section} section
 * @param {Terminal} terminal
 * @returns {string[][]} blocks of lines
 */
function layOutSection({ title, blocks, folded, untitled }, terminal) {
  if (folded?.includes('terminal')) return [];
  const body = layOutBlocks(blocks, terminal);
  if (untitled?.includes('terminal')) return body;
  return underTitle(title, body, terminal);
}

/**
 * @param {Inline} title
 * @param {string[][]} body blocks of lines
 * @param {Terminal} terminal
 * @returns {string[][]} none without a body
 */
function underTitle(title, [first, ...others], { width, paint }) {
  if (first === undefined) return [];
  const lines = wrapText(plainText(title), width).map((line) => paint(line, 'title'));
  return [[...lines, ...first], ...others];
}

/**
 * @param {Block[]} blocks
 * @param {Terminal} terminal
 * @returns {string[][]} blocks of lines; paragraphs below each other are one block
 */
function layOutBlocks(blocks, terminal) {
  /** @type {string[][]} */
  const laidOut = [];
  let wasParagraph = false;
  for (const block of joinFacts(partsFor(blocks, 'terminal'))) {
    const drawn = layOutBlock(block, terminal);
    const isParagraph = block.kind === 'paragraph';
    const last = laidOut.at(-1);
    if (last !== undefined && wasParagraph && isParagraph) last.push(...drawn.flat());
    else laidOut.push(...drawn);
    if (drawn.length > 0) wasParagraph = isParagraph;
  }
  return laidOut;
}

/**
 * @param {Block[]} blocks
 * @returns {Block[]} with neighbouring facts and commands in one block, so that their texts align
 */
function joinFacts(blocks) {
  /** @type {Block[]} */
  const joined = [];
  for (const block of blocks) {
    const facts = factsOf(block);
    const last = joined.at(-1);
    if (facts === null) joined.push(block);
    else if (last?.kind === 'facts')
      joined.splice(-1, 1, { ...last, facts: [...last.facts, ...facts] });
    else joined.push({ kind: 'facts', facts });
  }
  return joined;
}

/**
 * @param {Block} block
 * @returns {Fact[] | null} null where it is neither facts nor a command
 */
function factsOf(block) {
  if (block.kind === 'facts') return block.facts;
  return block.kind === 'command' ? [[block.label, { command: block.text }]] : null;
}

/**
 * @param {Block} block
 * @param {Terminal} terminal
 * @returns {string[][]} blocks of lines
 */
function layOutBlock(block, terminal) {
  const { width, paint } = terminal;
  switch (block.kind) {
    case 'paragraph': {
      const tone = block.role === undefined ? toneOf(block.text) : ROLE_TONES[block.role];
      const lines = wrapText(plainText(block.text), width);
      return [lines.map((line) => paint(line, tone))];
    }
    case 'table':
      return layOutTable(block, terminal);
    case 'facts':
      return block.facts.length === 0 ? [] : [layOutFacts(block.facts, terminal)];
    case 'list':
      return listBlock(block.items.map((item) => layOutItem(item, terminal)));
    case 'notes':
      return listBlock(
        block.notes.map(({ number, text }) =>
          wrapText(plainText(text), width, { first: ` ${number}  ` }),
        ),
      );
    case 'output':
      return [block.text.split('\n').flatMap((line) => layOutOutput(visibleText(line), width))];
    case 'group': {
      if (block.folded?.includes('terminal')) return [];
      const body = layOutBlocks(block.blocks, terminal);
      if (block.untitled?.includes('terminal')) return body;
      return underTitle(block.title, body, terminal);
    }
    default:
      return [];
  }
}

/**
 * @param {string} line
 * @param {number} width
 * @returns {string[]} as it is where it fits
 */
function layOutOutput(line, width) {
  const margin = '   │ ';
  if (displayWidth(margin + line) <= width) return [margin + line];
  return wrapText(line, width, { first: margin, next: margin });
}

/**
 * @param {ListItem} item
 * @param {Terminal} terminal
 * @returns {string[]}
 */
function layOutItem(item, { width, paint }) {
  const { text, items } = readItem(item);
  return [
    ...wrapText(plainText(text), width, { first: ' – ' }),
    ...items.flatMap((one) =>
      wrapText(plainText(one), width, { first: '   · ' }).map((line) => paint(line, toneOf(one))),
    ),
  ];
}

/**
 * @param {string[][]} items
 * @returns {string[][]} one block; none without items
 */
function listBlock(items) {
  return items.length === 0 ? [] : [items.flat()];
}

/**
 * @param {Fact[]} facts
 * @param {Terminal} terminal
 * @returns {string[]}
 */
function layOutFacts(facts, { width, paint }) {
  const names = facts.map(([name]) => displayWidth(visibleText(name)) + GAP.length);
  const label = Math.min(Math.max(SMALLEST_LABEL_WIDTH, ...names), LARGEST_LABEL_WIDTH);
  return facts.flatMap(([name, text]) => {
    const shown = shortenMiddle(visibleText(name), label - GAP.length);
    const first = `${padToWidth(shown, label - GAP.length, 'left')}${GAP}`;
    const indents = { first, next: ' '.repeat(label) };
    if (isCommand(text)) return wrapCommand(visibleText(text.command), width, indents);
    return linesOf(text).flatMap((line, index) => {
      const own = index === 0 ? indents : { first: indents.next, next: indents.next };
      // The name is plain: it stands in the first line, whatever the tone of the text.
      const lines = wrapText(plainText(line), width, own);
      return lines.map((one) => one.slice(0, label) + paint(one.slice(label), toneOf(line)));
    });
  });
}

/**
 * @param {Fact[1]} text
 * @returns {text is { command: string }}
 */
function isCommand(text) {
  return typeof text === 'object' && !Array.isArray(text) && 'command' in text;
}

/** @typedef {{ text: string, tone: Tone }} Entry */
/** @typedef {{ column: Column, title: Entry, entries: Entry[], width: number }} Fitted */

/** @type {Entry} */
const EMPTY = { text: '', tone: 'plain' };

/**
 * A table whose columns do not fit beside each other goes on in further bands, each with the names of
 * the rows.
 *
 * @param {Table} table
 * @param {Terminal} terminal
 * @returns {string[][]} a block a band
 */
function layOutTable(table, terminal) {
  const { width, paint } = terminal;
  if (table.rows.length === 0) return [];
  const columns = partsFor(table.columns, 'terminal');
  const fitted = fitColumns(table, columns, width);
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
        layOutLine(entries, paint),
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
  return [...blocks, ...legend];
}

/**
 * @param {Table} table
 * @param {Column[]} columns
 * @param {number} width
 * @returns {Fitted[]} without groups and prose; names narrowed where that makes one band of two
 */
function fitColumns(table, columns, width) {
  const isGrouped = table.columns.some(({ kind }) => kind === 'group');
  const fitted = columns
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
      return {
        column,
        title,
        entries,
        width: column.kind === 'plot' ? PLOT_WIDTHS.smallest : widest,
      };
    });
  const excess = totalWidth(fitted) - width;
  if (excess > 0) {
    const names = fitted.filter(({ column }) => column.kind === 'name');
    const spare = names.map((name) => Math.max(0, name.width - SMALLEST_NAME_WIDTH));
    const all = spare.reduce((sum, one) => sum + one, 0);
    // Names give way where that is enough, or where they take more than a third of the line.
    const wanted = all >= excess ? excess : totalWidth(names) - Math.floor(width / 3);
    const share = Math.min(1, Math.max(0, wanted) / Math.max(1, all));
    for (const [at, name] of names.entries()) name.width -= Math.ceil((spare[at] ?? 0) * share);
  }
  return fitted;
}

/**
 * @param {Column} column
 * @param {Cell} cell
 * @returns {Entry}
 */
function makeEntry(column, cell) {
  if (column.kind === 'plot') return { text: '', tone: plotTone(cell) };
  const { value, tone } = readCell(cell);
  return { text: plainText(value).replaceAll('\u00a0', ' '), tone: tone ?? toneOf(value) };
}

/** @param {Cell} cell */
function plotTone(cell) {
  return typeof cell === 'object' && 'range' in cell ? (cell.tone ?? 'plain') : 'plain';
}

/**
 * @param {{ width: number }[]} columns
 * @returns {number}
 */
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
 * Gives a plot what its band leaves, and narrows the last column of a band that is still too wide.
 *
 * @param {Table} table
 * @param {Fitted[]} band
 * @param {number} width
 * @returns {Fitted[]}
 */
function fillBand(table, band, width) {
  const left = width - totalWidth(band);
  return band.map((one, index) => {
    if (one.column.kind === 'plot') {
      const room = Math.min(PLOT_WIDTHS.largest, one.width + Math.max(0, left));
      return drawPlot(table, { ...one, width: room });
    }
    const isLast = index === band.length - 1;
    return isLast && left < 0 ? { ...one, width: Math.max(1, one.width + left) } : one;
  });
}

/**
 * @param {Table} table
 * @param {Fitted} fitted
 * @returns {Fitted}
 */
function drawPlot(table, { column, title, entries, width }) {
  const plotted = rangesOf(table, column);
  const axis = axisOf(plotted, column, width);
  const drawn = plotted.map((one, row) => ({
    text: drawRange(axis, one),
    tone: entries[row]?.tone ?? 'plain',
  }));
  return { column, title: { ...title, text: drawTicks(axis) }, entries: drawn, width };
}

/**
 * @param {Table} table
 * @param {Row} row
 * @returns {string | undefined} undefined in a table without groups
 */
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
  return [paint(shortenMiddle(heading, width), 'title')];
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

/**
 * @param {{ column: Column, width: number, entry: Entry }[]} places
 * @param {Terminal['paint']} paint
 * @returns {string}
 */
function layOutLine(places, paint) {
  const pieces = places.map(({ column, width, entry: { text, tone } }, position) => {
    const align = column.align ?? 'left';
    const short = shortenMiddle(text, width);
    const isLast = position === places.length - 1;
    const isOpen = isLast && align === 'left';
    return paint(isOpen ? short.trimEnd() : padToWidth(short, width, align), tone);
  });
  return pieces.join(GAP).trimEnd();
}

/**
 * @param {boolean} color
 * @returns {Terminal['paint']}
 */
function makePainter(color) {
  return function paint(text, tone) {
    const sequence = color ? SEQUENCES[tone] : '';
    return sequence === '' || text.trim() === '' ? text : sequence + text + RESET;
  };
}
