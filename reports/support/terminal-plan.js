/** What `just plan` prints. */

/** @import { Cell, Question } from '../../harness/formats/types.ts' */
/** @import { TableColumn, TableRow } from '../types.ts' */

import { showInvisible } from '../../harness/lib/escape.js';
import { countOf, formatDuration, NO_FIGURE } from '../../harness/lib/numbers.js';
import { makePainter } from './paint.js';
import { layOutTable } from './table.js';
import { plain } from './terminal-rows.js';
import { wrapText } from '../../harness/lib/wrap.js';

/** A cell is measured in three arms, and a job lives about this long; operations that start servers
 * take longer. */
const ARM_COUNT = 3;
const JOB_MS = 220;
const MINUTE_MS = 60_000;

/**
 * What one host is to measure.
 *
 * @typedef {object} PlannedShard
 * @property {string} shard `1/3`
 * @property {Cell[]} cells
 * @property {string} command for a shell
 */

/** @type {TableColumn[]} */
const COLUMNS = [
  { title: 'part', align: 'left' },
  { title: 'cells', align: 'right' },
  { title: 'at most', align: 'right', dropRank: 1 },
  { title: '', align: 'left', minWidth: 20 },
];

/**
 * The parts of a plan, the command of each, and the one that puts them together. Commands are not
 * wrapped, so that they can be copied.
 *
 * @param {object} plan
 * @param {Question} plan.question of the whole
 * @param {PlannedShard[]} plan.shards
 * @param {string | null} plan.revision of Assay
 * @param {{ width: number, color: boolean }} terminal
 * @returns {string} ends with a line end
 */
export function formatPlan({ question, shards, revision }, { width, color }) {
  const paint = makePainter(color);
  const { baseline, candidate, cells } = question;
  const title = `${candidate} against ${baseline}: ${countOf(cells.length, 'cell')} in ${countOf(shards.length, 'part')}`;
  /** @type {TableRow[]} */
  const rows = shards.map((shard) => [
    plain(shard.shard),
    plain(String(shard.cells.length)),
    plain(estimateTime(question, shard.cells)),
    plain(showInvisible(shard.cells.map(({ id }) => id).join(', '))),
  ]);
  const where = revision === null ? 'the same Assay' : `Assay at ${revision.slice(0, 7)}`;
  const hosts = `Run one on each host, all with ${where} and the same Node:`;
  const bringBack = 'Then bring the directories that they print back together, and:';
  const runs = shards.map((_, index) => `RUN${index + 1}`).join(' ');
  const lines = [
    ...wrapText(showInvisible(title), width).map((line) => paint(line, 'title')),
    '',
    ...layOutTable(COLUMNS, rows, width, paint),
    '',
    ...wrapText(hosts, width),
    ...shards.map(({ command }) => `  ${showInvisible(command)}`),
    '',
    ...wrapText(bringBack, width),
    `  just merge ${runs}`,
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Time of the timed jobs where no cell is settled before the last look.
 *
 * @param {Question} question
 * @param {Cell[]} cells
 * @returns {string}
 */
function estimateTime({ looks, budgetSeconds, memory }, cells) {
  if (memory === 'only') return NO_FIGURE;
  const jobsMs = cells.length * ARM_COUNT * (looks.at(-1) ?? 0) * JOB_MS;
  const mostMs = budgetSeconds === null ? jobsMs : Math.min(jobsMs, budgetSeconds * 1000);
  return mostMs < MINUTE_MS ? formatDuration(mostMs) : `${Math.ceil(mostMs / MINUTE_MS)} min`;
}
