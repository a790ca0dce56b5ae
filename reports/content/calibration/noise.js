/** Where the noise of a host comes from, and how a budget is best split into batches. */

/** @import { Calibration, SplitCalibration } from '../../../harness/formats/types.ts' */
/** @import { Block, Section, Table } from '../../document/model.ts' */

import {
  formatCount,
  formatDuration,
  formatShare,
  NO_FIGURE,
} from '../../../harness/lib/numbers.js';
import { figureColumn, figureColumns, paragraph } from '../build.js';
import { nameConditions } from '../../../harness/stats/calibration/trials.js';

/** @type {(calibration: Calibration) => Section} */
export function noiseSection(calibration) {
  return {
    id: 'noise',
    title: 'Sources of noise',
    order: 4,
    blocks: [partTable(calibration), placementTable(calibration), ...splitBlocks(calibration)],
  };
}

/** @type {(calibration: Calibration) => Table} */
function partTable({ modes }) {
  return {
    kind: 'table',
    caption: 'Standard deviations.',
    columns: [
      { title: 'mode', kind: 'name' },
      ...figureColumns('between processes', 'within a process', 'drift'),
    ],
    rows: modes.map(({ noise, ...conditions }) => [
      nameConditions(conditions),
      formatShare(noise.process),
      formatShare(noise.batch),
      formatShare(noise.drift),
    ]),
    legend:
      'Within a process: between its batches. Drift: over a minute and more, beyond what the differences between processes explain.',
  };
}

/** @type {(calibration: Calibration) => Table} */
function placementTable({ placements }) {
  return {
    kind: 'table',
    caption: 'Effect of code placement, by cell.',
    columns: [
      { title: 'cell', kind: 'name' },
      ...figureColumns(
        'placements',
        'processes each',
        'between placements',
        '95 % interval',
        'range',
        'between processes',
      ),
    ],
    rows: placements.map(
      ({ cellId, placements: count, processes, spread, range, processSpread }) => [
        { code: cellId },
        formatCount(count),
        formatCount(processes),
        formatShare(spread.estimate),
        `${formatShare(spread.low)} to ${formatShare(spread.high)}`.replaceAll(' ', '\u00a0'),
        `×${range.toFixed(3)}`,
        formatShare(processSpread),
      ],
    ),
    legend:
      'Between placements: standard deviation between placements of the same code. Range: the slowest placement over the fastest.',
  };
}

/** @type {(calibration: Calibration) => Block[]} none where no split was tried */
function splitBlocks({ splits, settings }) {
  if (splits.length === 0) return [];
  const best = splits.map(({ mode, cellId, batchCount }) => `${batchCount} (${cellId}, ${mode})`);
  return [
    paragraph(
      `Batches per process that find the smallest effect in the same time: ${best.join(', ')}. This calibration used ${settings.batchCount} batches of ${settings.batchMs} ms.`,
    ),
    splitTable(splits),
  ];
}

/** @type {(splits: SplitCalibration[]) => Table} */
function splitTable(splits) {
  const counts = splits.flatMap(({ options }) => options.map(({ batchCount }) => batchCount));
  const columns = [...new Set(counts)].sort((a, b) => a - b);
  return {
    kind: 'table',
    caption: 'Smallest effect found with the budget of a comparison, by batches per process.',
    columns: [
      { title: 'mode', kind: 'name' },
      { title: 'cell', kind: 'name' },
      ...figureColumns(...columns.map(String)),
      figureColumn('process'),
    ],
    rows: splits.map((split) => [
      split.mode,
      { code: split.cellId },
      ...columns.map((count) => describeOption(split, count)),
      formatDuration(
        split.options.find(({ batchCount }) => batchCount === split.batchCount)?.processMs,
      ),
    ]),
    legend:
      '* marks the best number of batches. Process: duration of a process with that many batches.',
  };
}

/**
 * @param {SplitCalibration} split
 * @param {number} count of batches
 * @returns {string}
 */
function describeOption({ options, batchCount }, count) {
  const option = options.find((one) => one.batchCount === count);
  if (option === undefined) return NO_FIGURE;
  return `${formatShare(option.detectable)}${count === batchCount ? '*' : ''}`;
}
