/** Where the noise comes from, and what follows for the split of the budget. */

/** @import { Calibration, SplitCalibration } from '../../../harness/formats/types.ts' */
/** @import { PartTable, ReportPart } from '../types.ts' */

import {
  formatCount,
  formatDuration,
  formatShare,
  NO_FIGURE,
} from '../../../harness/lib/numbers.js';

/**
 * @param {Calibration} calibration
 * @returns {ReportPart}
 */
export function makeNoisePart(calibration) {
  const { splits, layouts } = calibration;
  const tables = [tabulateParts(calibration)];
  if (layouts.length > 0) tables.push(tabulateLayouts(calibration));
  if (splits.length > 0) tables.push(tabulateSplits(splits));
  return {
    id: 'noise',
    title: 'Where the noise comes from',
    sentences: [tellSplit(calibration)].filter((sentence) => sentence !== null),
    tables,
  };
}

/**
 * @param {Calibration} calibration
 * @returns {PartTable}
 */
function tabulateParts({ modes }) {
  return {
    caption:
      'Standard deviations. Drift: between stretches of a minute and more, beyond what processes explain.',
    columns: [
      { title: 'mode', align: 'left' },
      { title: 'between processes', align: 'right' },
      { title: 'batches of one', align: 'right' },
      { title: 'drift', align: 'right' },
    ],
    rows: modes.map(({ mode, noise }) => [
      mode,
      formatShare(noise.process),
      formatShare(noise.batch),
      formatShare(noise.drift),
    ]),
  };
}

/**
 * @param {Calibration} calibration
 * @returns {PartTable}
 */
function tabulateLayouts({ layouts }) {
  return {
    caption:
      'How far code placement moves a cell: standard deviation between layouts of the same code with its 95 % interval, and the slowest layout over the fastest.',
    columns: [
      { title: 'cell', align: 'left', kind: 'name' },
      { title: 'layouts', align: 'right' },
      { title: 'processes of each', align: 'right', dropRank: 2 },
      { title: 'between layouts', align: 'right' },
      { title: '95 % interval', align: 'right', dropRank: 1 },
      { title: 'range', align: 'right' },
      { title: 'between processes', align: 'right' },
    ],
    rows: layouts.map(({ cellId, layouts: count, processes, spread, range, processSpread }) => [
      cellId,
      formatCount(count),
      formatCount(processes),
      formatShare(spread.estimate),
      `${formatShare(spread.low)} to ${formatShare(spread.high)}`.replaceAll(' ', '\u00a0'),
      `×${range.toFixed(3)}`,
      formatShare(processSpread),
    ]),
  };
}

/**
 * @param {Calibration} calibration
 * @returns {string | null} null where no process was measured for longer
 */
function tellSplit({ splits, settings }) {
  if (splits.length === 0) return null;
  const told = splits.map(({ mode, cellId, batchCount }) => `${batchCount} (${cellId}, ${mode})`);
  return `Batches in each process that find most in the same time: ${told.join(', ')}. This calibration measured ${settings.batchCount} of ${settings.batchMs} ms.`;
}

/**
 * @param {SplitCalibration[]} splits
 * @returns {PartTable}
 */
function tabulateSplits(splits) {
  const counts = splits.flatMap(({ options }) => options.map(({ batchCount }) => batchCount));
  const columns = [...new Set(counts)].sort((a, b) => a - b);
  return {
    caption:
      'The smallest effect that the budget of a comparison finds, by batches in each process; * marks the best, the duration is that of one process with so many.',
    columns: [
      { title: 'mode', align: 'left' },
      { title: 'cell', align: 'left', kind: 'name' },
      ...columns.map((count) => ({ title: String(count), align: /** @type {const} */ ('right') })),
      { title: 'process', align: 'right', dropRank: 1 },
    ],
    rows: splits.map((split) => [
      split.mode,
      split.cellId,
      ...columns.map((count) => describeOption(split, count)),
      formatDuration(
        split.options.find(({ batchCount }) => batchCount === split.batchCount)?.processMs,
      ),
    ]),
  };
}

/**
 * @param {SplitCalibration} split
 * @param {number} count batches
 * @returns {string}
 */
function describeOption({ options, batchCount }, count) {
  const option = options.find((one) => one.batchCount === count);
  if (option === undefined) return NO_FIGURE;
  return `${formatShare(option.detectable)}${count === batchCount ? '*' : ''}`;
}
