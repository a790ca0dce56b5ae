/** Documents as plain text for a terminal or a pipe, in lines that fit its width. */

/** @import { Block, Document, Fact, Inline, ListItem, Section, Tone } from './model.ts' */
/** @import { Terminal } from './terminal-table.js' */

import {
  displayWidth,
  padToWidth,
  shortenMiddle,
  wrapCommand,
  wrapText,
} from '../../harness/lib/columns.js';
import { linesOf, partsFor, plainText, readItem, toneOf, visibleText } from './inline.js';
import { layOutTable } from './terminal-table.js';

const DEFAULT_WIDTH = 80;
const GAP = '  ';
const MAX_LABEL_WIDTH = 24;
const MIN_LABEL_WIDTH = 10;

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
 * @property {boolean} [full] whether the whole document is printed where it has a short form
 */

/**
 * A document without its title: the command line names it already.
 * @type {(document: Pick<Document, 'sections' | 'brief'>, options?: TerminalOptions) => string} ends with a line end
 */
export function renderTerminal(
  { sections, brief = sections },
  { width = DEFAULT_WIDTH, color = false, full = false } = {},
) {
  const terminal = { width, paint: makePainter(color) };
  const blocks = partsFor(full ? sections : brief, 'terminal').flatMap((section) =>
    layOutSection(section, terminal),
  );
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** @type {(section: Section, terminal: Terminal) => string[][]} blocks of lines */
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

/** @type {(block: Block) => Fact[] | null} null where it is neither facts nor a command */
function factsOf(block) {
  if (block.kind === 'facts') return block.facts;
  return block.kind === 'command' ? [[block.label, { command: block.text }]] : null;
}

/** @type {(block: Block, terminal: Terminal) => string[][]} blocks of lines */
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

/** @type {(line: string, width: number) => string[]} as it is where it fits */
function layOutOutput(line, width) {
  const margin = '   │ ';
  if (displayWidth(margin + line) <= width) return [margin + line];
  return wrapText(line, width, { first: margin, next: margin });
}

/** @type {(item: ListItem, terminal: Terminal) => string[]} */
function layOutItem(item, { width, paint }) {
  const { text, items, mark } = readItem(item);
  const first = mark === null ? ' – ' : `${mark.sign} `;
  const [head, ...more] = wrapText(plainText(text), width, { first });
  return [
    mark === null ? head : paint(mark.sign, mark.tone) + head.slice(mark.sign.length),
    ...more,
    ...items.flatMap((one) =>
      wrapText(plainText(one), width, { first: '   · ' }).map((line) => paint(line, toneOf(one))),
    ),
  ];
}

/** @type {(items: string[][]) => string[][]} one block; none without items */
function listBlock(items) {
  return items.length === 0 ? [] : [items.flat()];
}

/** @type {(facts: Fact[], terminal: Terminal) => string[]} */
function layOutFacts(facts, { width, paint }) {
  const names = facts.map(([name]) => displayWidth(visibleText(name)) + GAP.length);
  const label = Math.min(Math.max(MIN_LABEL_WIDTH, ...names), MAX_LABEL_WIDTH);
  return facts.flatMap(([name, text]) => {
    const shown = shortenMiddle(visibleText(name), label - GAP.length);
    const first = `${padToWidth(shown, label - GAP.length, 'left')}${GAP}`;
    const indents = { first, next: ' '.repeat(label) };
    if (isCommand(text)) return wrapCommand(visibleText(text.command), width, indents);
    return linesOf(text).flatMap((line, index) => {
      const own = index === 0 ? indents : { first: indents.next, next: indents.next };
      // The name, in the first line, is plain whatever the tone of the text.
      const lines = wrapText(plainText(line), width, own);
      return lines.map((one) => one.slice(0, label) + paint(one.slice(label), toneOf(line)));
    });
  });
}

/** @type {(text: Fact[1]) => text is { command: string }} */
function isCommand(text) {
  return typeof text === 'object' && !Array.isArray(text) && 'command' in text;
}

/**
 * @param {boolean} color whether ANSI colours may be written
 * @returns {Terminal['paint']}
 */
export function makePainter(color) {
  return function paint(text, tone) {
    const sequence = color ? SEQUENCES[tone] : '';
    return sequence === '' || text.trim() === '' ? text : sequence + text + RESET;
  };
}
