/** The report on a replay: the figures of a report and those measured here, side by side. */

/** @import { CellAnswer, CellReplay, ReplayAnswer, ReplayResult } from '../../harness/formats/types.ts' */
/** @import { Cell, Column, Document, Row, Tone } from '../document/model.ts' */

import {
  countOf,
  formatConfidence,
  formatInterval,
  formatRatio,
  NO_FIGURE,
} from '../../harness/lib/numbers.js';
import { contrastOf } from '../../harness/stats/contrast.js';
import { dayOf, nameAssay } from '../../harness/lib/words.js';
import { factList, figureColumn, list, paragraph, section } from './build.js';
import { nameComparison } from './comparison/words.js';

/** @type {Record<CellAnswer, { words: string, tone: Tone, sign: string }>} */
const ANSWERS = {
  reproduced: { words: 'reproduced', tone: 'good', sign: '✓' },
  'size-open': { words: 'size open', tone: 'doubtful', sign: '±' },
  'direction-only': { words: 'direction only', tone: 'doubtful', sign: '≈' },
  'not-reproduced': { words: 'not reproduced', tone: 'bad', sign: '✕' },
  inconclusive: { words: 'inconclusive', tone: 'doubtful', sign: '?' },
};

/** @type {Record<ReplayAnswer, string>} */
const WHOLES = {
  reproduced: 'Reproduced',
  'not-reproduced': 'Not reproduced on a similar host',
  'environment-differs': 'Not reproduced; the environment differs',
  inconclusive: 'Inconclusive',
};

/**
 * @param {ReplayResult} result
 * @param {string} path of the run made here, as a user of this machine would type it
 * @returns {Document}
 */
export function describeReplay(result, path) {
  const { answer, cells, differences, notes, report, runId, createdAt, command } = result;
  const level = report.alpha === undefined ? '' : `${formatConfidence(report.alpha)} `;
  const interval = figureColumn(`${level}interval`);
  return {
    title: ['Replay of ', nameComparison(report)],
    eyebrow: `Assay replay · ${dayOf(createdAt)}`,
    marker: runId,
    source: 'replay.json',
    sections: [
      {
        id: 'answer',
        title: 'Answer',
        untitled: ['terminal', 'markdown'],
        blocks: [
          paragraph(`${WHOLES[answer]}: ${countAnswers(cells)}.`, 'lead'),
          paragraph(
            [
              'Report ',
              { code: report.runId },
              ': ',
              nameComparison(report),
              `, measured ${dayOf(report.createdAt)} by ${nameAssay(report.assay)}.`,
            ],
            'basis',
          ),
          {
            kind: 'table',
            label: 'Cells of the report',
            columns: [
              ...nameColumns(report),
              { title: 'answer' },
              figureColumn('report'),
              interval,
              figureColumn('here'),
              interval,
            ],
            rows: cells.map((cell) => cellRow(cell, report)),
            legend: `Ratio: ${contrastOf(report).ratio}. Reproduced: the same verdict, and for a direction the whole interval here lies within that of the report, widened by the minimum effect. Size open: the same direction, and the interval here reaches across an edge of that range, so the size is not settled.`,
          },
          list(
            cells.flatMap(({ cellId, reason }) =>
              reason === null ? [] : [[{ code: cellId }, `: ${reason}.`]],
            ),
          ),
        ],
      },
      section('hosts', 'Differences between the hosts', [
        list(
          differences.map(
            ({ part, recorded, here }) => `${part}: ${recorded} in the report, ${here} here.`,
          ),
        ),
      ]),
      section('deviations', 'Deviations from the report', [list(notes.map((note) => `${note}.`))]),
      {
        id: 'repeat',
        title: 'Repeat',
        untitled: ['terminal'],
        blocks: [
          factList([
            ['Repeat', { command }],
            ['Run', { code: path }],
          ]),
        ],
      },
    ],
    footer: ['Assay replay · ', { code: runId }],
  };
}

/** @type {(cells: CellReplay[]) => string} `2 of 3 cells reproduced, 1 inconclusive` */
function countAnswers(cells) {
  const counts = Object.entries(ANSWERS).flatMap(([answer, { words }]) => {
    const count = cells.filter((cell) => cell.answer === answer).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const [first = '0 reproduced', ...others] = counts;
  const all = first.replace(' ', ` of ${countOf(cells.length, 'cell')} `);
  return [all, ...others].join(', ');
}

/** @type {(report: ReplayResult['report']) => Column[]} */
function nameColumns(report) {
  if (report.candidates.length === 1) return [{ title: 'cell', kind: 'name' }];
  return [
    { title: 'cell', kind: 'group' },
    { title: contrastOf(report).role, kind: 'name' },
  ];
}

/** @type {(cellId: string, report: ReplayResult['report']) => Cell[]} */
function nameCell(cellId, { candidates }) {
  if (candidates.length === 1) return [{ code: cellId }];
  // The report of a replay may have other specs than its cells.
  const spec = candidates.find((each) => cellId.endsWith(` ${each}`));
  if (spec === undefined) return [{ code: cellId }, NO_FIGURE];
  return [{ code: cellId.slice(0, -spec.length - 1) }, { code: spec }];
}

/** @type {(cell: CellReplay, report: ReplayResult['report']) => Row} */
function cellRow({ cellId, recorded, here, answer }, report) {
  const { words, tone, sign } = ANSWERS[answer];
  return [
    ...nameCell(cellId, report),
    { badge: { sign, tone, text: words } },
    formatRatio(recorded.ratio?.estimate),
    formatInterval(recorded.ratio),
    formatRatio(here.ratio?.estimate),
    formatInterval(here.ratio),
  ];
}
