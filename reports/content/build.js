/** Blocks and pieces of text that several reports have. */

import { formatConfidence, formatCount, formatInterval } from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { quoteWords } from '../../harness/lib/words.js';

/** @import { Block, Column, Fact, Format, Inline, ListItem, Paragraph, Section, Tone } from '../document/model.ts' */
/** @import { Interval, RatioInterval } from '../../harness/formats/types.ts' */

/** @type {(text: Inline, role?: Paragraph['role']) => Block} */
export function paragraph(text, role) {
  return { kind: 'paragraph', text, role };
}

/** @type {(name: string, text: Fact[1]) => Fact} */
export function fact(name, text) {
  return [name, text];
}

/** @type {(items: ListItem[]) => Block} */
export function list(items) {
  return { kind: 'list', items };
}

/** @type {(facts: (Fact | false | null | undefined)[]) => Block} those that are there */
export function factList(facts) {
  return { kind: 'facts', facts: present(facts) };
}

/** @type {(title: string, hint?: string) => Column} */
export function figureColumn(title, hint) {
  return { title, align: 'right', ...(hint === undefined ? {} : { hint }) };
}

/** @type {(...titles: string[]) => Column[]} */
export function figureColumns(...titles) {
  return titles.map((title) => figureColumn(title));
}

/** Formats in which a reader asks for details: a terminal has none of them. @type {Format[]} */
export const DETAIL = ['terminal', 'markdown', 'html'];

/** Where that is which a short form leaves out. */
export const REST = { terminal: 'in the whole report (--full)', below: 'in the full report below' };

/** @type {(title: Inline, blocks: Block[]) => Block} */
export function titled(title, blocks) {
  return { kind: 'group', title, blocks };
}

/** @type {(id: string, title: string, blocks: Block[]) => Section} */
export function section(id, title, blocks) {
  return { id, title, blocks };
}

/**
 * A section that has no title anywhere.
 * @type {(id: string, blocks: Block[]) => Section}
 */
export function untitled(id, blocks) {
  return { id, title: id, blocks, untitled: DETAIL };
}

/** @type {(path: string) => Fact} the command that prints the whole report in a directory */
export function factOfWhole(path) {
  return ['In full', { command: `${PROGRAM} report ${quoteWords([path])} --full` }];
}

/**
 * How many rows a table leaves out.
 *
 * @param {number} count
 * @param {string} what plural
 * @returns {Block[]} none where nothing was left out
 */
export function noteLeftOut(count, what) {
  if (count <= 0) return [];
  return [paragraph(`${countMore(count, what)} in verdict.json.`, 'quiet')];
}

/**
 * @param {number} count
 * @param {string} what plural; the singular is the same without its last letter
 * @returns {string} `1 more function`, `2 more functions`
 */
export function countMore(count, what) {
  return `${formatCount(count)} more ${count === 1 ? what.slice(0, -1) : what}`;
}

/**
 * @param {string} name of a function
 * @param {string | null} file
 * @param {number | null} line
 * @returns {Inline} with its place, where that is known
 */
export function nameFunction(name, file, line) {
  return file === null ? { code: name } : [{ code: name }, ' ', { place: { file, line } }];
}

/**
 * The intervals of a table whose rows may have several levels.
 *
 * @param {{ ratio: RatioInterval | null, alpha: number | null }[]} rows `alpha`: null where the interval holds no level
 * @returns {{ column: Column, cells: string[] }} the level in the title where all have the same, else beside each
 */
export function tabulateIntervals(rows) {
  const levels = new Set(rows.map(({ alpha }) => alpha));
  const [alpha = null] = levels;
  const isCommon = levels.size === 1;
  const name = (/** @type {number | null} */ own) => (own === null ? '' : formatConfidence(own));
  return {
    column: figureColumn(isCommon ? `${name(alpha)} interval`.trim() : 'interval'),
    cells: rows.map(({ ratio, alpha: own }) => {
      const level = isCommon || ratio === null || own === null ? '' : ` (${name(own)})`;
      return `${formatInterval(ratio)}${level}`;
    }),
  };
}

/** @type {(change: Interval) => Tone} a colour only where the interval excludes 0 */
export function toneOfChange({ low, high }) {
  if (low > 0) return 'bad';
  return high < 0 ? 'good' : 'plain';
}

/**
 * @template T
 * @param {(T | false | null | undefined)[]} items
 * @returns {T[]} those that are there: `present([first, hasSecond && second])`
 */
export function present(items) {
  return items.flatMap((item) =>
    item === false || item === null || item === undefined ? [] : [item],
  );
}

/** @type {(pieces: Inline[], separator: string) => Inline[]} */
export function separate(pieces, separator) {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
}

/** @type {(names: string[]) => Inline[]} as code, with commas between them */
export function listCode(names) {
  return separate(
    names.map((name) => ({ code: name })),
    ', ',
  );
}

/** @type {(text: string) => string} with its first letter in upper case */
export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
