/** What `just replay` prints: the figures of a report and those measured here, side by side. */

/** @import { CellAnswer, CellReplay, ReplayAnswer, ReplayResult } from '../../harness/formats/types.ts' */
/** @import { TableColumn, TableRow, Tone } from '../types.ts' */

import { nameAssay } from '../../harness/lib/words.js';
import { showInvisibleDeeply } from '../../harness/lib/escape.js';
import { countOf, formatInterval, formatRatio } from '../../harness/lib/numbers.js';
import { makePainter } from './paint.js';
import { layOutTable } from './table.js';
import { plain } from './terminal-rows.js';
import { wrapText } from '../../harness/lib/wrap.js';

/** @type {Record<CellAnswer, { words: string, tone: Tone }>} */
const ANSWERS = {
  reproduced: { words: 'reproduced', tone: 'good' },
  'direction-only': { words: 'direction only', tone: 'doubtful' },
  'not-reproduced': { words: 'not reproduced', tone: 'bad' },
  inconclusive: { words: 'inconclusive', tone: 'doubtful' },
};

/** @type {Record<ReplayAnswer, { words: string, tone: Tone }>} */
const WHOLES = {
  reproduced: { words: 'Reproduced', tone: 'good' },
  'not-reproduced': { words: 'Not reproduced, on a host like that of the report', tone: 'bad' },
  'environment-differs': { words: 'Not reproduced; the environment differs', tone: 'bad' },
  inconclusive: { words: 'Inconclusive', tone: 'doubtful' },
};

/** @type {TableColumn[]} */
const COLUMNS = [
  { title: '', align: 'left', minWidth: 16 },
  { title: 'report', align: 'right' },
  { title: 'interval', align: 'right', dropRank: 1 },
  { title: 'here', align: 'right' },
  { title: 'interval', align: 'right' },
  { title: 'answer', align: 'left' },
];

/**
 * The answer as a sentence, a row a cell, in what the hosts differ, and what was done otherwise.
 *
 * @param {ReplayResult} result
 * @param {{ width: number, color: boolean, path: string }} terminal `path`: of the run made here
 * @returns {string} ends with a line end
 */
export function formatReplay(result, { width, color, path }) {
  const { answer, cells, differences, notes, report } = showInvisibleDeeply(result);
  const paint = makePainter(color);
  const { words, tone } = WHOLES[answer];
  const blocks = [
    [
      ...wrapText(`${words}: ${countAnswers(cells)}.`, width).map((line) => paint(line, tone)),
      ...wrapText(
        `Report ${report.runId}: ${report.candidate} against ${report.baseline}, measured ${report.createdAt.slice(0, 10)} by ${nameAssay(report.assay)}.`,
        width,
      ).map((line) => paint(line, 'quiet')),
    ],
    [...layOutTable(COLUMNS, cells.map(toRow), width, paint)],
    listTexts('', cells.flatMap(tellReason), { width, paint }),
    listTexts(
      'The hosts differ',
      differences.map(
        ({ part, recorded, here }) => `${part}: ${recorded} in the report, ${here} here`,
      ),
      { width, paint },
    ),
    listTexts('Done otherwise than in the report', notes, { width, paint }),
    ['Ratio: candidate ÷ baseline.', `Run: ${path}`],
  ].filter((lines) => lines.length > 0);
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/**
 * @param {CellReplay[]} cells
 * @returns {string} `2 of 3 cells reproduced, 1 inconclusive`
 */
function countAnswers(cells) {
  const counts = Object.entries(ANSWERS).flatMap(([answer, { words }]) => {
    const count = cells.filter((cell) => cell.answer === answer).length;
    return count === 0 ? [] : [{ count, words }];
  });
  const [first, ...others] = counts;
  const total = countOf(cells.length, 'cell');
  const rest = others.map(({ count, words }) => `, ${count} ${words}`).join('');
  return `${first.count} of ${total} ${first.words}${rest}`;
}

/**
 * @param {CellReplay} cell
 * @returns {TableRow}
 */
function toRow({ cellId, recorded, here, answer }) {
  const { words, tone } = ANSWERS[answer];
  return [
    plain(cellId),
    plain(formatRatio(recorded.ratio?.estimate)),
    plain(formatInterval(recorded.ratio)),
    plain(formatRatio(here.ratio?.estimate)),
    plain(formatInterval(here.ratio)),
    { text: words, tone },
  ];
}

/** @param {CellReplay} cell */
function tellReason({ cellId, reason }) {
  return reason === null ? [] : [`${cellId}: ${reason}`];
}

/**
 * @param {string} title empty for none
 * @param {string[]} texts
 * @param {{ width: number, paint: ReturnType<typeof makePainter> }} page
 * @returns {string[]} nothing where there are no texts
 */
function listTexts(title, texts, { width, paint }) {
  if (texts.length === 0) return [];
  return [
    ...(title === '' ? [] : [paint(title, 'title')]),
    ...texts.flatMap((text) => wrapText(`${text}.`, width, { first: '  ', next: '    ' })),
  ];
}
