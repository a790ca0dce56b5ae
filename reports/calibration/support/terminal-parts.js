/** Sections of a report as lines of a terminal. */

/** @import { Tone } from '../../types.ts' */
/** @import { PartTable, ReportPart } from '../types.ts' */

import { layOutTable } from '../../support/table.js';
import { plain } from '../../support/terminal-rows.js';
import { wrapCommand, wrapText } from '../../../harness/lib/wrap.js';

const LABEL_WIDTH = 10;
const NAME_WIDTH = 14;

/**
 * @typedef {object} Terminal
 * @property {number} width columns
 * @property {(text: string, tone: Tone) => string} paint
 */

/**
 * @param {ReportPart[]} parts
 * @param {Terminal} terminal
 * @returns {string[][]} blocks of lines; details are left out
 */
export function layOutParts(parts, terminal) {
  return parts
    .filter(({ isDetail }) => isDetail !== true)
    .flatMap(({ title, sentences, tables }) => {
      const heading = terminal.paint(title, 'title');
      const remarks = sentences.flatMap((sentence) => wrapText(sentence, terminal.width));
      const drawn = tables
        .filter(({ rows }) => rows.length > 0)
        .map((table) => layOutPartTable(table, terminal));
      if (drawn.length === 0) return [];
      return [[heading, ...remarks], ...drawn];
    });
}

/**
 * @param {PartTable} table
 * @param {Terminal} terminal
 * @returns {string[]}
 */
function layOutPartTable({ caption, columns, rows }, { width, paint }) {
  const kept = columns.flatMap((column, index) =>
    column.kind === 'prose' ? [] : [{ column, index }],
  );
  const fitting = kept.map(({ column: { title, align, kind, dropRank } }) => ({
    title,
    align,
    ...(kind === 'name' ? { minWidth: NAME_WIDTH } : {}),
    ...(dropRank === undefined ? {} : { dropRank }),
  }));
  const entries = rows.map((row) => kept.map(({ index }) => plain(row[index] ?? '')));
  return [
    ...wrapText(caption, width).map((line) => paint(line, 'quiet')),
    ...layOutTable(fitting, entries, width, paint),
  ];
}

/**
 * @param {string[]} sentences
 * @param {string | null} end why there is no more of it
 * @param {Terminal} terminal
 * @returns {string[]}
 */
export function layOutHead(sentences, end, { width, paint }) {
  return [
    ...sentences.flatMap((text) => wrapText(text, width)).map((line) => paint(line, 'title')),
    ...(end === null ? [] : wrapText(end, width).map((line) => paint(line, 'doubtful'))),
  ];
}

/**
 * @param {{ measured: string, command: string, path: string }} report
 * @param {Terminal} terminal
 * @returns {string[]}
 */
export function layOutEnd({ measured, command, path }, { width }) {
  return [
    ...wrapText(`${measured}.`, width),
    ...wrapCommand(command, width, { first: 'Repeat'.padEnd(LABEL_WIDTH) }),
    `${'Reports'.padEnd(LABEL_WIDTH)}${path}`,
  ];
}
