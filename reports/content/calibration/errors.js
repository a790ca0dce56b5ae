/** Errors of a calibration: verdicts by mode and injected cost, and A/A comparisons by cell. */

/** @import { Calibration, ModeCalibration } from '../../../harness/formats/types.ts' */
/** @import { Section, Table } from '../../document/model.ts' */

import { formatCount, formatShare, isFigure, NO_FIGURE } from '../../../harness/lib/numbers.js';
import { paragraph } from '../../document/build.js';
import {
  formatCountOf,
  formatDeviation,
  formatDeviationInterval,
  formatInjected,
  formatProportion,
  formatProportionInterval,
} from '../shares.js';
import { describeVerified } from './costs.js';

/**
 * @param {Calibration} calibration
 * @returns {Section}
 */
export function errorSection(calibration) {
  const { modes, minimumEffect, looks, budgetSeconds } = calibration;
  return {
    id: 'errors',
    title: 'Errors',
    rank: 1,
    blocks: [
      paragraph(
        `Comparisons use the decision rule of just compare: looks at ${looks.join(', ')} processes per arm, at most ${budgetSeconds} s per cell, minimum effect ${formatShare(minimumEffect)}. A difference whose whole interval lies within the minimum effect is called equivalent, so smaller costs are rarely called slower, however certain they are.`,
      ),
      ...modes
        .filter(({ falsePositives }) => falsePositives.of > 0)
        .map((mode) => paragraph(summarizeVerdicts(mode))),
      costTable(calibration),
      cellTable(calibration),
    ],
  };
}

/**
 * @param {ModeCalibration} mode
 * @returns {string}
 */
function summarizeVerdicts({ mode, verdicts, covered }) {
  const words = Object.entries(verdicts).flatMap(([word, count]) =>
    count === 0 ? [] : [`${formatCount(count)} ${word}`],
  );
  return `A/A in ${mode} mode: ${words.join(', ')}; the interval contained 1 in ${formatProportion(covered)} of them (${formatProportionInterval(covered)}).`;
}

/**
 * @param {Calibration} calibration
 * @returns {Table}
 */
function costTable({ modes, costs }) {
  return {
    kind: 'table',
    caption: 'Verdicts on comparisons with a known cost.',
    columns: [
      { title: 'mode', kind: 'name' },
      { title: 'cost', kind: 'name', align: 'right' },
      { title: 'verified', align: 'right' },
      { title: 'comparisons', align: 'right' },
      { title: 'slower', align: 'right' },
      { title: '95 % interval', align: 'right' },
      { title: 'faster', align: 'right' },
      { title: 'bias', align: 'right' },
      { title: '95 % interval', align: 'right' },
      { title: 'coverage', align: 'right' },
      { title: 'processes', align: 'right' },
    ],
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
    legend:
      'With a cost, slower is right and faster has the wrong sign; without one, both are false positives. Bias: estimate ÷ verified ratio, minus 1. Coverage: share of intervals that contain the verified ratio. Processes: mean per arm.',
  };
}

/**
 * @param {Calibration} calibration
 * @returns {Table}
 */
function cellTable({ modes }) {
  return {
    kind: 'table',
    caption: 'A/A comparisons by cell.',
    columns: [
      { title: 'mode', kind: 'name' },
      { title: 'cell', kind: 'name' },
      { title: 'called different', align: 'right' },
      { title: 'share', align: 'right' },
      { title: '95 % interval', align: 'right' },
    ],
    rows: modes.flatMap(({ mode, byCell }) =>
      Object.entries(byCell).map(([cellId, proportion]) => [
        mode,
        { code: cellId },
        formatCountOf(proportion),
        formatProportion(proportion),
        formatProportionInterval(proportion),
      ]),
    ),
  };
}
