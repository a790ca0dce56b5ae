/** A comparison divided among hosts: its parts and the command of each. */

/** @import { Cell, Question } from '../../harness/formats/types.ts' */
/** @import { Document } from '../document/model.ts' */

import { countOf, formatDuration, NO_FIGURE } from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { sumOf } from '../../harness/stats/means.js';
import { countJobs, groupShared } from '../../harness/stats/plan.js';
import { scheduleOf } from '../../harness/stats/schedule.js';
import { factList, figureColumns, listCode, paragraph } from './build.js';
import { nameComparison } from './comparison/words.js';

/** A cell is measured in three arms, and a job takes about this long; operations that start servers
 * take longer. */
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

/**
 * @param {object} plan
 * @param {Question} plan.question of the whole
 * @param {PlannedShard[]} plan.shards
 * @param {string | null} plan.revision of Assay
 * @returns {Document}
 */
export function describePlan({ question, shards, revision }) {
  const { cells } = question;
  const where = revision === null ? 'the same Assay' : `Assay at ${revision.slice(0, 7)}`;
  const runs = shards.map((_, index) => `RUN${index + 1}`).join(' ');
  return {
    title: nameComparison(question),
    eyebrow: 'Assay plan',
    source: `${PROGRAM} plan --json`,
    sections: [
      {
        id: 'parts',
        title: 'Parts',
        untitled: ['terminal', 'markdown'],
        blocks: [
          paragraph(
            [
              nameComparison(question),
              `: ${countOf(cells.length, 'cell')} in ${countOf(shards.length, 'part')}`,
            ],
            'lead',
          ),
          {
            kind: 'table',
            label: 'Parts',
            columns: [
              { title: 'part', kind: 'name' },
              ...figureColumns('cells', 'at most'),
              { title: 'cells of the part', kind: 'prose' },
            ],
            rows: shards.map((shard) => [
              shard.shard,
              String(shard.cells.length),
              estimateTime(question, shard.cells),
              listCode(shard.cells.map(({ id }) => id)),
            ]),
          },
          paragraph(`Run one on each host, all with ${where} and the same Node:`),
          factList(shards.map(({ shard, command }) => [shard, { command }])),
          paragraph('Then copy the directories that they print to one host, and run:'),
          factList([['merge', { command: `${PROGRAM} merge ${runs}` }]]),
        ],
      },
    ],
    footer: 'All variants of a cell are measured on the same host.',
  };
}

/**
 * Time of the timed jobs if no cell is settled before the last look.
 * @type {(question: Question, cells: Cell[]) => string}
 */
function estimateTime(question, cells) {
  const { looks, budgetSeconds, memory } = question;
  if (memory === 'only') return NO_FIGURE;
  const groups = [...groupShared(cells).values()];
  const jobs = sumOf(groups.map(({ length }) => countJobs(looks.at(-1) ?? 0, length, question)));
  const jobsMs = (jobs * JOB_MS) / scheduleOf(question).width;
  const mostMs = budgetSeconds === null ? jobsMs : Math.min(jobsMs, budgetSeconds * 1000);
  return mostMs < MINUTE_MS ? formatDuration(mostMs) : `${Math.ceil(mostMs / MINUTE_MS)} min`;
}
