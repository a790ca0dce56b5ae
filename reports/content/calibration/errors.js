/** Errors of a calibration: verdicts by mode and injected cost, and A/A comparisons by cell. */

import { group } from 'd3-array';
import { describeConditions, nameConditions } from '../../../harness/stats/calibration/trials.js';
import { NO_FIGURE, formatCount, formatShare, isFigure } from '../../../harness/lib/numbers.js';
import { PROGRAM } from '../../../harness/lib/program.js';
import { listAllLooks } from '../../../harness/stats/plan.js';
import { DETAIL, figureColumns, paragraph } from '../build.js';
import {
  formatCountOf,
  formatDeviation,
  formatDeviationInterval,
  formatInjected,
  formatProportion,
  formatProportionInterval,
} from '../shares.js';

/** @import { Calibration, Conditions, InjectedCost, ModeCalibration, RatioInterval } from '../../../harness/formats/types.ts' */
/** @import { Section, Table } from '../../document/model.ts' */

/** @type {(calibration: Calibration) => Section} */
export function errorSection(calibration) {
  const { modes, minimumEffect, budgetSeconds } = calibration;
  return {
    id: 'errors',
    title: 'Errors',
    order: 1,
    blocks: [
      paragraph(
        `Comparisons use the decision rule of ${PROGRAM} compare: looks at ${listAllLooks(calibration).join(', ')} processes per variant, at most ${budgetSeconds} s per cell, minimum effect ${formatShare(minimumEffect)}. A difference whose whole interval lies within the minimum effect is called equivalent, so smaller costs are rarely called slower, however certain they are.`,
      ),
      ...modes
        .filter(({ falsePositives }) => falsePositives.of > 0)
        .map((mode) => paragraph(summarizeVerdicts(mode))),
      costTable(calibration),
      cellTable(calibration),
    ],
  };
}

/** @type {(mode: ModeCalibration) => string} */
function summarizeVerdicts({ verdicts, covered, ...conditions }) {
  const words = Object.entries(verdicts).flatMap(([word, count]) =>
    count === 0 ? [] : [`${formatCount(count)} ${word}`],
  );
  return `A/A in ${describeConditions(conditions)}: ${words.join(', ')}; the interval contained 1 in ${formatProportion(covered)} of them (${formatProportionInterval(covered)}).`;
}

/** @type {(calibration: Calibration) => Table} */
function costTable({ modes, costs }) {
  const rows = modes.flatMap(({ mode, schedule, points }) =>
    points.map((point) => ({ mode, ...(schedule === undefined ? {} : { schedule }), point })),
  );
  return {
    kind: 'table',
    caption: 'Verdicts on comparisons with a known cost.',
    columns: [
      { title: 'mode', kind: 'name' },
      { title: 'cost', kind: 'name', align: 'right' },
      ...figureColumns(
        'verified',
        'comparisons',
        'slower',
        '95 % interval',
        'faster',
        'bias',
        '95 % interval',
        'coverage',
        'processes',
      ),
    ],
    rows: sideBySide(rows, ({ point }) => formatInjected(point.injected, point.cost)).map(
      ({ point, ...conditions }) => [
        nameConditions(conditions),
        formatInjected(point.injected, point.cost),
        describeVerified(costs, { ...point, mode: conditions.mode }),
        formatCount(point.found.of),
        formatProportion(point.found),
        formatProportionInterval(point.found),
        formatProportion(point.wrongSign),
        formatDeviation(point.bias?.estimate),
        formatDeviationInterval(point.bias),
        formatProportion(point.covered),
        isFigure(point.processes) ? String(Number(point.processes.toPrecision(3))) : NO_FIGURE,
      ],
    ),
    legend:
      'Pairs: two jobs at the same time, each on its own core, in default mode unless it says screen. Garbage: a cost in allocation. With a cost, slower is right and faster has the wrong sign; without one, both are false positives. Bias: estimate ÷ verified ratio, minus 1. Coverage: share of intervals that contain the verified ratio. Processes: mean per arm.',
  };
}

/**
 * @template {Conditions} R
 * @param {R[]} rows
 * @param {(row: R) => unknown} keyOf
 * @returns {R[]} those of one mode and key next to each other, whatever their schedule
 */
export function sideBySide(rows, keyOf) {
  return [...group(rows, (row) => `${row.mode} ${keyOf(row)}`).values()].flat();
}

/** @type {(calibration: Calibration) => Table} */
function cellTable({ modes }) {
  return {
    kind: 'table',
    caption: 'A/A comparisons by cell.',
    columns: [
      { title: 'mode', kind: 'name' },
      { title: 'cell', kind: 'name' },
      ...figureColumns('called different', 'share', '95 % interval'),
    ],
    rows: modes.flatMap(({ byCell, ...conditions }) =>
      Object.entries(byCell).map(([cellId, proportion]) => [
        nameConditions(conditions),
        { code: cellId },
        formatCountOf(proportion),
        formatProportion(proportion),
        formatProportionInterval(proportion),
      ]),
    ),
  };
}

/** @type {(costs: InjectedCost[]) => Section} */
export function costSection(costs) {
  return {
    id: 'costs',
    title: 'How the costs were verified',
    order: 100,
    folded: DETAIL,
    blocks: [
      paragraph(
        'A cost is a loop beside the call: of integer arithmetic or, in allocation, of short-lived arrays. The baseline runs the loop too, with fewer rounds, so that V8 compiles both to the same code. Each cost was measured against the baseline in processes that run all costs of a cell in turn, in a new random order each time. Every round does the same work, so a straight line is fitted through all costs; bias and coverage are relative to this line. “Alone” is the measurement of one cost without the line; it shows whether the line fits. Garbage collection is left out of both; for a cost in allocation, what ordinary processes collect is added.',
      ),
      {
        kind: 'table',
        caption: 'Injected costs, measured separately.',
        columns: [
          { title: 'mode', kind: 'name' },
          { title: 'cell', kind: 'name' },
          ...figureColumns(
            'intended',
            'rounds',
            'verified',
            '95 % interval',
            'alone',
            '95 % interval',
            'processes',
          ),
        ],
        rows: costs.map(({ mode, cellId, injected, cost, rounds, ratio, alone, processes }) => [
          mode,
          { code: cellId },
          formatInjected(injected, cost),
          formatCount(rounds),
          ...formatCost(ratio),
          ...formatCost(alone),
          formatCount(processes),
        ]),
      },
    ],
  };
}

/** @type {(ratio: RatioInterval) => string[]} the cost and its interval */
function formatCost({ estimate, low, high }) {
  return [
    formatDeviation(estimate - 1),
    formatDeviationInterval({ estimate: estimate - 1, low: low - 1, high: high - 1 }),
  ];
}

/**
 * @param {InjectedCost[]} costs
 * @param {CostOfPoint} point
 * @returns {string} the verified cost over the cells: `1.02 %`, `0.97–1.1 %`
 */
function describeVerified(costs, point) {
  if (point.injected === 0) return NO_FIGURE;
  const shares = listVerified(costs, point);
  if (shares.length === 0) return 'not verified';
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map((share) => formatShare(share));
  return low === high ? `${low}` : `${low?.replace(/\s%$/, '')}–${high}`;
}

/** @typedef {Pick<InjectedCost, 'mode' | 'injected' | 'cost'>} CostOfPoint */

/** @type {(costs: InjectedCost[], point: CostOfPoint) => number[]} verified costs as shares, one a cell */
export function listVerified(costs, { mode, injected, cost }) {
  return costs
    .filter((each) => each.mode === mode && each.injected === injected && each.cost === cost)
    .map(({ ratio }) => ratio.estimate - 1);
}
