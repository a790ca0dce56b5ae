/** The behaviour contract for the terminal. Callers give text that is harmless already. */

/** @import { ContractRow } from '../../harness/formats/types.ts' */
/** @import { Tone } from '../types.ts' */

import { listBroken, listContractRows, OUTCOMES, summarizeContract } from './contract-words.js';
import { displayWidth, padToWidth, shortenMiddle } from '../../harness/lib/display-width.js';
import { wrapText } from '../../harness/lib/wrap.js';

/** @typedef {(text: string, tone: Tone) => string} Paint */

const INDENT = ' ';
const GAP = '  ';
const OUTCOME_WIDTH = 7;
const LARGEST_NAME_WIDTH = 26;

/**
 * The whole table of one variant: theme by theme, every row with its outcome and its promise, or
 * why it does not hold.
 *
 * @param {ContractRow[]} rows
 * @param {number} width columns
 * @param {Paint} paint
 * @returns {string[]} lines
 */
export function layOutContract(rows, width, paint) {
  const widest = Math.max(0, ...rows.map(({ name }) => displayWidth(name)));
  const nameWidth = Math.min(widest, LARGEST_NAME_WIDTH);
  const lines = [];
  let theme = '';
  for (const row of rows) {
    if (row.theme !== theme) {
      theme = row.theme;
      lines.push(...wrapText(theme, width).map((line) => paint(line, 'title')));
    }
    lines.push(...layOutRow(row, nameWidth, width, paint));
  }
  return lines;
}

/**
 * @param {ContractRow} row
 * @param {number} nameWidth columns
 * @param {number} width columns
 * @param {Paint} paint
 * @returns {string[]}
 */
function layOutRow({ name, outcome, promise, detail }, nameWidth, width, paint) {
  const { word, tone } = OUTCOMES[outcome];
  const margin = INDENT + ' '.repeat(nameWidth) + GAP + ' '.repeat(OUTCOME_WIDTH) + GAP;
  const [first, ...rest] = wrapText(promise, width, { first: margin });
  const head = INDENT + padToWidth(shortenMiddle(name, nameWidth), nameWidth, 'left') + GAP;
  const painted = paint(padToWidth(word, OUTCOME_WIDTH, 'left'), tone);
  const lines = [head + painted + first.slice(margin.length - GAP.length), ...rest];
  if (detail === null) return lines;
  const reason = wrapText(detail, width, { first: `${margin}→ `, next: `${margin}  ` });
  return [...lines, ...reason.map((line) => paint(line, tone))];
}

/**
 * How the variants of a comparison stand to the contract: a sentence each, and the rows that do not
 * hold with the reason.
 *
 * @param {Parameters<typeof listContractRows>[0]} manifest
 * @param {number} width columns
 * @param {Paint} paint
 * @returns {string[]} lines; none where the family has no contract
 */
export function listContracts(manifest, width, paint) {
  const entries = listContractRows(manifest);
  if (entries.length === 0) return [];
  const lines = [paint('Behaviour contract', 'title')];
  for (const [spec, rows] of entries) {
    lines.push(...wrapText(summarizeContract(spec, rows), width, { first: INDENT, next: '   ' }));
    for (const { name, outcome, detail } of listBroken(rows)) {
      const { word, tone } = OUTCOMES[outcome];
      const text = `${word} ${name}: ${detail ?? ''}`;
      const wrapped = wrapText(text, width, { first: '   ', next: '     ' });
      lines.push(...wrapped.map((line) => paint(line, tone)));
    }
  }
  return lines;
}
