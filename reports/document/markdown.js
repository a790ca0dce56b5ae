/** Documents as GitHub Markdown that fits in one comment. */

/** @import { Block, Cell, Column, Document, Fact, Inline, ListItem, Section, Table } from './model.ts' */
/** @import { InlineWriter } from './inline.js' */

import { codeBlock, codeSpan, escapeProse, hiddenMarker } from '../../harness/lib/escape.js';
import {
  cellsOf,
  partsFor,
  rangesOf,
  readCell,
  readItem,
  visibleText,
  writeInline,
} from './inline.js';
import { escapeHtml } from './markup.js';
import { axisOf, drawRange, drawTicks } from './range-plot.js';

/** Characters: GitHub takes 65 536 a comment; the rest is room for what a bot adds around it. */
const MAX_LENGTH = 60_000;
/** Room for the sentence that says what was left out, and for the title of what is folded. */
const REMARK_LENGTH = 400;
/** Only names that are not honest make a longer short form, which is left out. */
const MAX_BRIEF_LENGTH = 10_000;
/** Columns; more would push the figures off the visible part of a table in a pull request. */
const PLOT_WIDTH = 25;

/**
 * The document, always below 60 000 characters; all of it is folded where it has a short form, which comes first. Where it
 * would be longer, sections are shortened or left out, those with the highest order first, and a remark names them.
 *
 * @param {Document} document
 * @param {string} [firstLine] hidden: by which a program finds its comment again
 * @returns {string} ends with a line end
 */
export function renderMarkdown({ marker, sections, brief = [], source }, firstLine) {
  const hidden = firstLine ?? (marker === undefined ? undefined : hiddenMarker(marker));
  const answer = joinParts(partsFor(brief, 'markdown').map(writeSection));
  const shown = answer.length <= MAX_BRIEF_LENGTH ? answer : '';
  const written = partsFor(sections, 'markdown').map((section) => ({
    section,
    forms: [section.blocks, ...(section.short === undefined ? [] : [section.short])].map((blocks) =>
      writeSection({ ...section, blocks }),
    ),
  }));
  const head = hidden ?? '';
  let left = MAX_LENGTH - head.length - shown.length - REMARK_LENGTH;
  /** @type {Map<Section, string>} */
  const chosen = new Map();
  const remarks = [];
  for (const { section, forms } of written.toSorted(
    (a, b) => orderOf(a.section) - orderOf(b.section),
  )) {
    const text = forms.find((form) => form.length + 2 <= left);
    const title = section.title.toLowerCase();
    if (text === undefined) remarks.push(`without ${title}`);
    else if (text !== forms[0]) remarks.push(`${title} in short`);
    chosen.set(section, text ?? '');
    left -= text === undefined ? 0 : text.length + 2;
  }
  const remark =
    remarks.length === 0
      ? ''
      : `_Shortened to stay below ${MAX_LENGTH} characters: ${remarks.join(', ')}. ${source} has everything._`;
  const [first = '', ...others] = written.map(({ section }) => chosen.get(section) ?? '');
  const whole = joinParts([first, remark, ...others]);
  // An answer that is all there is has nothing to fold away.
  const rest = shown === '' || shown === whole ? whole : fold('Full report', whole);
  return `${joinParts([head, shown === whole ? '' : shown, rest])}\n`;
}

/** @type {(parts: string[]) => string} without those that are empty */
function joinParts(parts) {
  return parts.filter((text) => text !== '').join('\n\n');
}

/** @param {Section} section */
function orderOf({ order = 0 }) {
  return order;
}

/** @type {(section: Section) => string} empty where nothing is in it */
export function writeSection({ title, blocks, folded, untitled }) {
  const body = writeBlocks(blocks);
  if (body === '') return '';
  if (folded?.includes('markdown')) return fold(title, body);
  return untitled?.includes('markdown') ? body : `### ${escapeProse(title)}\n\n${body}`;
}

/** @type {(title: Inline, body: string) => string} */
function fold(title, body) {
  return `<details>\n<summary>${writeInline(title, SUMMARY).trim()}</summary>\n\n${body}\n\n</details>`;
}

/** @type {(blocks: Block[]) => string} empty where nothing is in them */
function writeBlocks(blocks) {
  return joinParts(partsFor(blocks, 'markdown').map(writeBlock));
}

/** @type {(block: Block) => string} */
function writeBlock(block) {
  switch (block.kind) {
    case 'paragraph': {
      const text = writeText(block.text);
      return block.role === 'lead' && text !== '' ? `**${text}**` : text;
    }
    case 'table':
      return writeTable(block);
    case 'facts':
      return block.facts.map(writeFact).join('\n');
    case 'list':
      return block.items.map(writeItem).join('\n');
    case 'notes':
      return block.notes.map(({ number, text }) => `${number}. ${writeText(text)}`).join('\n');
    case 'command':
      return `${escapeProse(block.label)}:\n\n${codeBlock(block.text, 'sh')}`;
    case 'output':
      return codeBlock(block.text, 'text');
    case 'group': {
      const body = writeBlocks(block.blocks);
      if (body === '') return '';
      if (block.folded?.includes('markdown')) return fold(block.title, body);
      if (block.untitled?.includes('markdown')) return body;
      return `**${writeText(block.title)}**\n\n${body}`;
    }
    default:
      return '';
  }
}

/** @type {InlineWriter} */
const MARKDOWN = {
  // `escapeProse` takes white space at the ends away, which separates a text from its neighbours.
  text: (text) => text.replace(/\S(?:.*\S)?/su, (inner) => escapeProse(visibleText(inner))),
  code: (text) => codeSpan(visibleText(text)),
  strong: (inner) => `**${inner}**`,
  toned: (inner) => inner,
  badge: ({ tone, text }) => {
    const shown = escapeProse(visibleText(text));
    return tone === 'good' || tone === 'bad' ? `**${shown}**` : shown;
  },
  notes: (numbers) => numbers.join(', '),
  link: (inner) => inner,
  lineBreak: '<br>',
  // Two code spans beside each other would run into one.
  join: (pieces) =>
    pieces.reduce(
      (line, piece) =>
        line.endsWith('`') && piece.startsWith('`') ? `${line} ${piece}` : line + piece,
      '',
    ),
};

/** A summary is HTML, in which Markdown means nothing. @type {InlineWriter} */
const SUMMARY = {
  ...MARKDOWN,
  // What `escapeProse` sets as code is what GitHub would link.
  text: (text) => {
    const shown = escapeHtml(visibleText(text));
    return escapeProse(text).includes('`') ? `<code>${shown}</code>` : shown;
  },
  code: (text) => `<code>${escapeHtml(visibleText(text))}</code>`,
  strong: (inner) => `<strong>${inner}</strong>`,
  badge: ({ text }) => escapeHtml(visibleText(text)),
  join: (pieces) => pieces.join(''),
};

/** @type {(inline: Inline) => string} */
function writeText(inline) {
  return writeInline(inline, MARKDOWN).trim();
}

/** @type {(item: ListItem) => string} */
function writeItem(item) {
  const { text, items, mark } = readItem(item);
  const sign = mark === null ? '' : `${mark.sign} `;
  return [`- ${sign}${writeText(text)}`, ...items.map((one) => `  - ${writeText(one)}`)].join('\n');
}

/** @type {(fact: Fact) => string} */
function writeFact([name, text]) {
  const isCommand = typeof text === 'object' && !Array.isArray(text) && 'command' in text;
  const shown = isCommand ? codeSpan(visibleText(text.command)) : writeText(text);
  return `- ${escapeProse(name)}: ${shown}`;
}

/** @type {(table: Table) => string} empty without rows */
function writeTable(table) {
  if (table.rows.length === 0) return '';
  const columns = partsFor(table.columns, 'markdown').map((column) => writeColumn(table, column));
  const lines = [
    columns.map(({ title }) => title),
    columns.map(({ isRight }) => (isRight ? '---:' : ':---')),
    ...table.rows.map((_, row) => columns.map(({ cells }) => cells[row] ?? '')),
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const caption = table.caption === undefined ? '' : writeText(table.caption);
  const legend = table.legend === undefined ? '' : writeText(table.legend);
  return joinParts([caption, lines.join('\n'), legend]);
}

/** @type {(table: Table, column: Column) => { title: string, isRight: boolean, cells: string[] }} */
function writeColumn(table, column) {
  const isRight = column.align === 'right';
  if (column.kind === 'plot') {
    const plotted = rangesOf(table, column);
    const axis = axisOf(plotted, column, PLOT_WIDTH);
    const cells = plotted.map((one) => plotSpan(drawRange(axis, one)));
    return { title: plotSpan(drawTicks(axis)), isRight, cells };
  }
  const index = table.columns.indexOf(column);
  const cells = table.rows.map((row) => writeCell(cellsOf(row)[index] ?? ''));
  return { title: escapeProse(column.title), isRight, cells };
}

/**
 * @param {string} plot of equal width in all rows
 * @returns {string} a code span that keeps its spaces
 */
function plotSpan(plot) {
  return `\`${plot.replaceAll(' ', '\u00a0')}\``;
}

/** @param {Cell} cell */
function writeCell(cell) {
  // A plus sign begins no list in a table.
  return writeText(readCell(cell).value).replace(/^\\\+/, '+');
}
