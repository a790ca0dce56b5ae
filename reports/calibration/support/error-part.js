/** Errors by mode and injected cost, and A/A comparisons by cell. */

/** @import { Calibration, ModeCalibration } from '../../../harness/formats/types.ts' */
/** @import { PartColumn, PartTable, ReportPart } from '../types.ts' */

import { formatCount, formatShare, isFigure, NO_FIGURE } from '../../../harness/lib/numbers.js';
import { describeVerified } from './cost-words.js';
import {
  formatCountOf,
  formatDeviation,
  formatDeviationInterval,
  formatInjected,
  formatProportion,
  formatProportionInterval,
} from './share-words.js';

/** @type {PartColumn[]} */
const COST_COLUMNS = [
  { title: 'mode', align: 'left' },
  { title: 'cost', align: 'right' },
  { title: 'verified', align: 'right' },
  { title: 'of', align: 'right' },
  { title: 'slower', align: 'right' },
  { title: '95 % interval', align: 'right', dropRank: 1 },
  { title: 'faster', align: 'right' },
  { title: 'bias', align: 'right' },
  { title: 'its interval', align: 'right', dropRank: 3 },
  { title: 'covers', align: 'right' },
  { title: 'processes', align: 'right', dropRank: 2 },
];

/** @type {PartColumn[]} */
const CELL_COLUMNS = [
  { title: 'mode', align: 'left' },
  { title: 'cell', align: 'left', kind: 'name' },
  { title: 'called different', align: 'right' },
  { title: 'share', align: 'right' },
  { title: '95 % interval', align: 'right' },
];

/**
 * @param {Calibration} calibration
 * @returns {ReportPart}
 */
export function makeErrorPart(calibration) {
  const { modes, minimumEffect, looks, budgetSeconds } = calibration;
  return {
    id: 'errors',
    title: 'Errors',
    sentences: [
      `Comparisons by the rule of compare: looks at ${looks.join(', ')} processes a side, at most ${budgetSeconds} s a cell, minimum effect ${formatShare(minimumEffect)}. A difference whose whole interval lies within the minimum effect is called equivalent, so that smaller costs are rarely called slower, however sure they are.`,
      ...modes.filter(({ falsePositives }) => falsePositives.of > 0).map(tellVerdicts),
    ],
    tables: [tabulateCosts(calibration), tabulateCells(calibration)],
  };
}

/**
 * @param {ModeCalibration} calibration of a mode
 * @returns {string}
 */
function tellVerdicts({ mode, verdicts, covered }) {
  const words = Object.entries(verdicts).flatMap(([word, count]) =>
    count === 0 ? [] : [`${formatCount(count)} ${word}`],
  );
  return `A/A in ${mode} mode: ${words.join(', ')}; the interval held 1 in ${formatProportion(covered)} of them (${formatProportionInterval(covered)}).`;
}

/**
 * @param {Calibration} calibration
 * @returns {PartTable}
 */
function tabulateCosts({ modes, costs }) {
  return {
    caption:
      'What comparisons with a known cost were called. With a cost, slower is right and faster has the wrong sign; without one both are wrong. Bias: estimate over verified truth, minus 1. Covers: intervals that hold the truth. Processes: mean, a side.',
    columns: COST_COLUMNS,
    rows: modes.flatMap(({ mode, points }) =>
      points.map((point) => [
        mode,
        formatInjected(point.injected),
        describeVerified(costs, { mode, injected: point.injected }),
        formatCount(point.found.of),
        formatProportion(point.found),
        formatProportionInterval(point.found),
        formatProportion(point.wrongSign),
        formatDeviation(point.bias?.estimate),
        formatDeviationInterval(point.bias),
        formatProportion(point.covered),
        isFigure(point.processes) ? String(Number(point.processes.toPrecision(3))) : NO_FIGURE,
      ]),
    ),
  };
}

/**
 * @param {Calibration} calibration
 * @returns {PartTable}
 */
function tabulateCells({ modes }) {
  return {
    caption: 'A/A comparisons by cell.',
    columns: CELL_COLUMNS,
    rows: modes.flatMap(({ mode, byCell }) =>
      Object.entries(byCell).map(([cellId, proportion]) => [
        mode,
        cellId,
        formatCountOf(proportion),
        formatProportion(proportion),
        formatProportionInterval(proportion),
      ]),
    ),
  };
}
