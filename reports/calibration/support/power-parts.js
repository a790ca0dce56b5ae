/** Power by effect and budget, and how the smallest effect found falls with the budget. */

/** @import { Calibration, PowerCurve } from '../../../harness/formats/types.ts' */
/** @import { PartColumn, PartTable, ReportPart } from '../types.ts' */

import { formatCount, formatShare } from '../../../harness/lib/numbers.js';
import { formatDetectable, formatProportion, formatProportionInterval } from './share-words.js';

/** Effects that a table of power shows, until every budget finds them. */
const EFFECTS = [0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2];
const SURE_POWER = 0.995;

/** @type {PartColumn[]} */
const BUDGET_COLUMNS = [
  { title: 'mode', align: 'left' },
  { title: 'budget', align: 'right' },
  { title: 'comparisons', align: 'right' },
  { title: 'processes', align: 'right' },
  { title: 'different', align: 'right' },
  { title: '95 % interval', align: 'right', dropRank: 1 },
  { title: 'finds', align: 'right' },
];

/**
 * @param {Calibration} calibration
 * @returns {ReportPart}
 */
export function makePowerPart({ modes }) {
  return {
    id: 'power',
    title: 'Power',
    sentences: [
      'How often an effect is found by one test at 5 % at the end of the budget. Its candidates are those of A/A comparisons, made slower by arithmetic.',
    ],
    tables: modes.flatMap(({ mode, curves }) =>
      curves.length === 0 ? [] : [tabulatePower(mode, curves)],
    ),
  };
}

/**
 * @param {string} mode
 * @param {PowerCurve[]} curves
 * @returns {PartTable}
 */
function tabulatePower(mode, curves) {
  const powers = EFFECTS.map((effect) => curves.map(({ points }) => readPower(points, effect)));
  const sure = powers.findIndex((row) =>
    row.every((power) => power !== null && power >= SURE_POWER),
  );
  const shown = sure === -1 ? powers : powers.slice(0, sure + 1);
  return {
    caption: `Share of comparisons that find an effect in ${mode} mode, by seconds a cell.`,
    columns: [
      { title: 'effect', align: 'right' },
      ...curves.map(({ budgetSeconds }) => ({
        title: `${budgetSeconds} s`,
        align: /** @type {const} */ ('right'),
      })),
    ],
    rows: shown.map((row, index) => [formatShare(EFFECTS[index]), ...row.map(formatShare)]),
  };
}

/**
 * @param {PowerCurve['points']} points ascending
 * @param {number} effect
 * @returns {number | null} on the straight line between its neighbours; null beyond the points
 */
function readPower(points, effect) {
  const after = points.findIndex((point) => point.effect >= effect);
  const [below, above] = [points[after - 1], points[after]];
  if (above === undefined) return null;
  if (above.effect === effect) return above.power;
  if (below === undefined) return null;
  const share = (effect - below.effect) / (above.effect - below.effect);
  return below.power + share * (above.power - below.power);
}

/**
 * @param {Calibration} calibration
 * @returns {ReportPart}
 */
export function makeBudgetPart({ modes }) {
  return {
    id: 'budget',
    title: 'Budget',
    sentences: [
      'Finds: the smallest effect found 4 times in 5 by one test at 5 % after that many seconds a cell. Different: A/A comparisons that this test calls so, of which 5 % are expected. Processes: mean, a side.',
    ],
    tables: [
      {
        caption: 'The smallest effect that a budget finds.',
        columns: BUDGET_COLUMNS,
        rows: modes.flatMap(({ mode, curves }) =>
          curves.map((curve) => [
            mode,
            `${curve.budgetSeconds}\u00a0s`,
            formatCount(curve.comparisons),
            String(Number(curve.processes.toPrecision(3))),
            formatProportion(curve.falsePositives),
            formatProportionInterval(curve.falsePositives),
            formatDetectable(curve.detectable, curve.points.at(-1)?.effect),
          ]),
        ),
      },
    ],
  };
}
