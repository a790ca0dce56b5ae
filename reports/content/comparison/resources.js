/** What calls take besides a figure that is not the time of their work alone. */

/** @import { Manifest, ResourceComparison, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Section } from '../../document/model.ts' */

import {
  formatInterval,
  formatRatio,
  formatSize,
  formatTimePair,
} from '../../../harness/lib/numbers.js';
import { figureColumns } from '../build.js';
import { nameInterval } from './words.js';

/** @type {Record<ResourceComparison['name'], string>} */
const LABELS = {
  'process-cpu': 'CPU time, all threads',
  elapsed: 'elapsed time',
  waiting: 'waiting for timers and threads',
  collections: 'garbage collection',
  resident: 'most resident memory',
};

/**
 * @param {Pick<Manifest, 'question'>} manifest
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {Section} without blocks where the figures are times
 */
export function makeResourcesSection({ question }, { cells }) {
  const rows = cells.flatMap(({ cell, resources = [] }) =>
    resources.map(({ name, unit, values: { baseline, candidate }, ratio }) => [
      { code: cell.id },
      LABELS[name],
      formatRatio(ratio?.estimate),
      formatInterval(ratio),
      ...(unit === 'ns'
        ? formatTimePair(baseline, candidate)
        : [formatSize(baseline), formatSize(candidate)]),
    ]),
  );
  const sharesCore = cells.some(({ cell }) => cell.sharesCore === true);
  return {
    id: 'resources',
    title: 'Resources',
    order: 4,
    folded: ['markdown'],
    blocks: [
      {
        kind: 'table',
        caption: 'What a call takes besides the figure; memory: the most of the process.',
        label: 'Resources by cell',
        columns: [
          { title: 'cell', kind: 'group' },
          { title: 'resource', kind: 'name' },
          ...figureColumns('ratio', nameInterval(question.alpha, cells), 'baseline', 'candidate'),
        ],
        rows,
        legend: `From the processes of the verdict, which does not depend on them.${sharesCore ? ' Elapsed: on a core that the two jobs of a pair share with their servers.' : ''}`,
      },
    ],
  };
}
