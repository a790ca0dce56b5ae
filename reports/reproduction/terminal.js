/** What became of claims, for a terminal or a pipe. */

/** @import { ClaimSource, ToldClaim } from '../../harness/formats/types.ts' */
/** @import { TableColumn, TableRow } from '../types.ts' */
/** @import { ReproductionInput, ReproductionRenderer } from './types.ts' */

import { showInvisible, showInvisibleDeeply } from '../../harness/lib/escape.js';
import { formatInterval, formatRatio } from '../../harness/lib/numbers.js';
import { makePainter } from '../support/paint.js';
import { layOutTable } from '../support/table.js';
import { plain } from '../support/terminal-rows.js';
import { wrapCommand, wrapText } from '../../harness/lib/wrap.js';
import {
  describeClaimed,
  describeVerdict,
  listRemarks,
  nameWithin,
  summarize,
  tellEnd,
  tellMeasured,
} from './support/claim-words.js';
import { describeSource } from './support/terminal-source.js';

const DEFAULT_WIDTH = 80;
const LABEL_WIDTH = 10;

/** @type {ReproductionRenderer} */
export const renderer = { name: 'terminal', fileName: null, render: renderTerminal };

/** @type {TableColumn[]} */
const COLUMNS = [
  { title: '', align: 'left', minWidth: 20 },
  { title: 'claimed', align: 'right' },
  { title: 'here', align: 'right' },
  { title: 'interval', align: 'right', dropRank: 1 },
  { title: 'result', align: 'left' },
];

/**
 * What is claimed and what was measured, side by side, in lines of at most `width` columns.
 *
 * @param {ReproductionInput} input
 * @returns {string} ends with a line end
 */
export function renderTerminal({ reproduction, path, width = DEFAULT_WIDTH, color = false }) {
  const shown = showInvisibleDeeply(reproduction);
  const { sources, told, command, id } = shown;
  const paint = makePainter(color);
  const end = tellEnd(shown);
  const blocks = [
    [
      ...wrapText(summarize(told), width).map((line) => paint(line, 'title')),
      ...(end === null ? [] : wrapText(end, width).map((line) => paint(line, 'doubtful'))),
    ],
  ];
  for (const source of sources) {
    const own = told.filter(({ claim }) => claim.source === source.id);
    if (own.length > 0) blocks.push(layOutSource(source, own, width, paint));
  }
  blocks.push([
    ...wrapText(`${tellMeasured(shown)}. Ratio: candidate ÷ baseline, of times or bytes.`, width),
    ...wrapCommand(command, width, { first: 'Repeat'.padEnd(LABEL_WIDTH) }),
    `${'Reports'.padEnd(LABEL_WIDTH)}${showInvisible(path ?? id)}`,
  ]);
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/**
 * @param {ClaimSource} source
 * @param {ToldClaim[]} told
 * @param {number} width
 * @param {ReturnType<typeof makePainter>} paint
 * @returns {string[]}
 */
function layOutSource(source, told, width, paint) {
  const remarks = listRemarks(told).flatMap(({ name, kind, text }) => {
    const sentence = `${kind === 'contradiction' ? '* ' : ''}${name}: ${text}`;
    return wrapText(sentence, width, { first: '  ', next: '    ' });
  });
  return [
    ...describeSource(source, width, paint),
    ...layOutTable(COLUMNS, told.map(toRow), width, paint),
    ...remarks.map((line) => paint(line, 'quiet')),
  ];
}

/**
 * @param {ToldClaim} told
 * @returns {TableRow}
 */
function toRow(told) {
  const { claim, result } = told;
  const { words, tone } = describeVerdict(result.verdict);
  return [
    plain(` ${nameWithin(claim)}${claim.contradiction === undefined ? '' : ' *'}`),
    plain(describeClaimed(told)),
    plain(formatRatio(result.measured?.estimate)),
    plain(formatInterval(result.measured)),
    { text: words, tone },
  ];
}
