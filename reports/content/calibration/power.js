/** Power of a calibration: by effect and budget, and the smallest effect that each budget finds. */

/** @import { Calibration, Conditions, PowerCurve } from '../../../harness/formats/types.ts' */
/** @import { Section, Table } from '../../document/model.ts' */

import { formatCount, formatShare } from '../../../harness/lib/numbers.js';
import { describeConditions, nameConditions } from '../../../harness/stats/calibration/trials.js';
import { figureColumn, figureColumns, paragraph } from '../build.js';
import { budgetFigures } from '../../figures/budget-plot.js';
import { powerFigures } from '../../figures/power-plot.js';
import { listVerified, sideBySide } from './errors.js';
import { formatDetectable, formatProportion, formatProportionInterval } from '../shares.js';

/** Effects in the table of power, until every budget finds them. */
const EFFECTS = [0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2];
const SURE_POWER = 0.995;

/** @type {(calibration: Calibration) => Section} */
export function powerSection(calibration) {
  const tables = calibration.modes.flatMap(({ curves, ...conditions }) =>
    curves.length === 0 ? [] : [powerTable(conditions, curves)],
  );
  if (tables.length === 0) return { id: 'power', title: 'Power', order: 2, blocks: [] };
  return {
    id: 'power',
    title: 'Power',
    order: 2,
    blocks: [
      paragraph(
        'How often a single test at the 5 % level, at the end of the budget, finds an effect; of paired jobs it tests the differences of pairs. Its candidates are those of A/A comparisons, slowed down arithmetically.',
      ),
      { kind: 'figures', figures: powerFigures(calibration, listVerified) },
      ...tables,
    ],
  };
}

/**
 * @param {Conditions} conditions
 * @param {PowerCurve[]} curves by budget, ascending
 * @returns {Table}
 */
function powerTable(conditions, curves) {
  const powers = EFFECTS.map((effect) => curves.map(({ points }) => readPower(points, effect)));
  const sure = powers.findIndex((row) =>
    row.every((power) => power !== null && power >= SURE_POWER),
  );
  const shown = sure === -1 ? powers : powers.slice(0, sure + 1);
  return {
    kind: 'table',
    caption: `Share of comparisons that find an effect in ${describeConditions(conditions)}, by seconds per cell.`,
    columns: [
      { title: 'effect', kind: 'name', align: 'right' },
      ...curves.map(({ budgetSeconds }) => figureColumn(`${budgetSeconds} s`)),
    ],
    rows: shown.map((row, index) => [formatShare(EFFECTS[index]), ...row.map(formatShare)]),
  };
}

/**
 * @param {PowerCurve['points']} points ascending
 * @param {number} effect
 * @returns {number | null} linear between neighbouring points; null beyond them
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

/** @type {(calibration: Calibration) => Section} */
export function budgetSection({ modes }) {
  const all = modes.flatMap(({ mode, schedule, curves }) =>
    curves.map((curve) => ({ mode, ...(schedule === undefined ? {} : { schedule }), ...curve })),
  );
  const curves = sideBySide(all, ({ budgetSeconds }) => budgetSeconds);
  if (curves.length === 0) return { id: 'budget', title: 'Budget', order: 3, blocks: [] };
  return {
    id: 'budget',
    title: 'Budget',
    order: 3,
    blocks: [
      { kind: 'figures', figures: budgetFigures(modes) },
      {
        kind: 'table',
        caption: 'Smallest effect found, by budget.',
        columns: [
          { title: 'mode', kind: 'name' },
          { title: 'budget', kind: 'name', align: 'right' },
          ...figureColumns('comparisons', 'processes', 'different', '95 % interval', 'finds'),
        ],
        rows: curves.map((curve) => [
          nameConditions(curve),
          `${curve.budgetSeconds}\u00a0s`,
          formatCount(curve.comparisons),
          String(Number(curve.processes.toPrecision(3))),
          formatProportion(curve.falsePositives),
          formatProportionInterval(curve.falsePositives),
          formatDetectable(curve.detectable, curve.points.at(-1)?.effect),
        ]),
        legend:
          'Finds: the smallest effect that a single test at the 5 % level finds in 4 of 5 comparisons with this budget per cell. Different: A/A comparisons that this test calls different; 5 % are expected. Processes: mean per arm.',
      },
    ],
  };
}
