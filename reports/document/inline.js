/** Inline text: what all serializers do with it. */

/** @import { Block, Cell, Column, Format, Inline, ListItem, Mark, PlottedRange, Row, Section, Span, Table, Tone } from './model.ts' */

import { escapeControl } from '../../harness/lib/escape.js';

/** Characters; no honest name or sentence is as long. */
const MAX_TEXT_LENGTH = 10_000;
const USUAL_LINE_LENGTH = 80;

/**
 * Text as any format may show it: on one line, with invisible characters escaped, of limited length.
 * @type {(text: string) => string}
 */
export function visibleText(text) {
  const shown = escapeControl(text);
  return shown.length <= MAX_TEXT_LENGTH ? shown : `${shown.slice(0, MAX_TEXT_LENGTH)}…`;
}

/**
 * How a format writes text and each kind of span.
 *
 * @typedef {object} InlineWriter
 * @property {(text: string) => string} text a plain string
 * @property {(text: string) => string} code
 * @property {(inner: string) => string} strong
 * @property {(inner: string, tone: Tone) => string} toned
 * @property {(badge: { sign: string, tone: Tone, text: string }) => string} badge
 * @property {(numbers: number[]) => string} notes
 * @property {(inner: string, id: string) => string} link
 * @property {(file: string, line: number | null) => string} [place] text where not given
 * @property {(path: string) => string} [file] code where not given
 * @property {(inner: string, path: string) => string} [page] the text alone where not given
 * @property {string} lineBreak
 * @property {(pieces: string[]) => string} [join] puts neighbours together; without a gap where not given
 */

/** @type {(inline: Inline, writer: InlineWriter) => string} */
export function writeInline(inline, writer) {
  if (typeof inline === 'string') return inline === '' ? '' : writer.text(inline);
  if (Array.isArray(inline)) {
    const pieces = inline.map((one) => writeInline(one, writer));
    return writer.join?.(pieces) ?? pieces.join('');
  }
  if ('code' in inline) return writer.code(inline.code);
  if ('strong' in inline) return writer.strong(writeInline(inline.strong, writer));
  if ('badge' in inline) return writer.badge(inline.badge);
  if ('notes' in inline) return inline.notes.length === 0 ? '' : writer.notes(inline.notes);
  if ('link' in inline) return writer.link(writeInline(inline.text, writer), inline.link);
  if ('place' in inline) {
    const { file, line } = inline.place;
    return writer.place?.(file, line) ?? writer.text(shortPlace(file, line));
  }
  if ('page' in inline) {
    const inner = writeInline(inline.text, writer);
    return writer.page?.(inner, inline.page) ?? inner;
  }
  if ('file' in inline) return writer.file?.(inline.file) ?? writer.code(inline.file);
  if ('tone' in inline) return writer.toned(writeInline(inline.text, writer), inline.tone);
  return writer.lineBreak;
}

/** What Assay itself consists of: names of its files differ. */
const OWN = /^(?:experiments|harness|corpora)\//;
const FOLDERS = /^((?:@[^/]+\/)?[^/]+\/)(?:.*\/)?([^/]+)$/s;
const OUTSIDE = /^…\/(?:.*\/)?([^/]+\/)([^/]+)$/s;

/**
 * @type {(file: string, line: number | null) => string} `write-text.js:53`; of a package with its name, since many have an
 *   `index.js`: `bson/index.js:7`; names of Node's own modules are whole
 */
function shortPlace(file, line) {
  const [, folder = '', base = file] = OUTSIDE.exec(file) ?? FOLDERS.exec(file) ?? [];
  const name = file.startsWith('node:') ? file : `${OWN.test(file) ? '' : folder}${base}`;
  return line === null ? name : `${name}:${line}`;
}

/** @type {InlineWriter} */
const PLAIN = {
  text: visibleText,
  // A name is one word: no line is broken in it unless it is longer than a line.
  code: (text) => {
    const shown = visibleText(text === '' ? '(empty)' : text);
    return shown.length > USUAL_LINE_LENGTH ? shown : shown.replaceAll(' ', '\u00a0');
  },
  strong: (inner) => inner,
  toned: (inner) => inner,
  badge: ({ text }) => visibleText(text),
  notes: (numbers) => numbers.join(', '),
  link: (inner) => inner,
  lineBreak: ', ',
};

/**
 * The words alone. Spaces in code are no-break spaces where it fits on a line.
 * @type {(inline: Inline) => string}
 */
export function plainText(inline) {
  return writeInline(inline, PLAIN);
}

/** @type {(inline: Inline) => Tone} of the first span that has one */
export function toneOf(inline) {
  if (typeof inline === 'string') return 'plain';
  if (Array.isArray(inline)) return inline.map(toneOf).find((tone) => tone !== 'plain') ?? 'plain';
  if ('badge' in inline) return inline.badge.tone;
  return 'tone' in inline ? inline.tone : 'plain';
}

/** @type {(inline: Inline) => Inline[]} the lines that its line breaks make */
export function linesOf(inline) {
  if (!Array.isArray(inline)) return [inline];
  /** @type {Inline[][]} */
  const lines = [[]];
  for (const one of inline) {
    if (typeof one === 'object' && 'lineBreak' in one) lines.push([]);
    else lines.at(-1)?.push(one);
  }
  return lines;
}

/**
 * @param {Cell} cell
 * @returns {{ value: Inline, sort?: number | string | null, tone?: Tone }} plots and drawings have no text
 */
export function readCell(cell) {
  if (typeof cell === 'string' || Array.isArray(cell)) return { value: cell };
  if ('value' in cell) return cell;
  if ('range' in cell || 'draw' in cell) return { value: '' };
  return { value: /** @type {Span} */ (cell) };
}

/** What stands in front of something that was checked. @type {Record<Mark, { sign: string, tone: Tone }>} */
const MARKS = {
  ok: { sign: '✓', tone: 'good' },
  warning: { sign: '!', tone: 'doubtful' },
  wrong: { sign: '✕', tone: 'bad' },
};

/** @type {(item: ListItem) => { text: Inline, items: Inline[], mark: typeof MARKS[Mark] | null }} */
export function readItem(item) {
  if (typeof item !== 'object' || Array.isArray(item)) return { text: item, items: [], mark: null };
  if ('mark' in item) return { text: item.text, items: [], mark: MARKS[item.mark] };
  if ('items' in item) return { ...item, mark: null };
  return { text: item, items: [], mark: null };
}

/** @type {(row: Row) => Cell[]} */
export function cellsOf(row) {
  return Array.isArray(row) ? row : row.cells;
}

/**
 * @template {Section | Block | Column} Part
 * @param {Part[]} parts
 * @param {Format} format
 * @returns {Part[]} those that the format has
 */
export function partsFor(parts, format) {
  return parts.filter(({ only }) => only === undefined || only.includes(format));
}

/**
 * @param {Table} table
 * @param {Column} column of kind `plot`
 * @returns {PlottedRange[]} a row each
 */
export function rangesOf({ columns, rows }, column) {
  const index = columns.indexOf(column);
  return rows.map((row) => {
    const cell = cellsOf(row)[index];
    return typeof cell === 'object' && 'range' in cell ? cell : { range: undefined };
  });
}
