/** Power by effect, a line a budget, with what comparisons of injected costs found. */

/** @import { Calibration, InjectedCost, ModeCalibration, PowerCurve, PowerPoint } from '../../harness/formats/types.ts' */
/** @import { Figure } from '../document/model.ts' */

import { describeConditions } from '../../harness/stats/calibration/trials.js';
import * as Plot from '@observablehq/plot';
import { logTicks } from '../document/range-plot.js';
import { drawPlot, labelLogTicks } from '../document/plot.js';
import { PROGRAM } from '../../harness/lib/program.js';

const WIDTH = 480;
const HEIGHT = 290;
/** Power at which the smallest effect found is read. */
const USUAL_POWER = 0.8;
/** Lines that the style sheet and the legend distinguish. */
const MAX_LINES = 4;
/** Power at which the name of the first line stands, and how much higher each further one. */
const NAME_FROM = 0.22;
const NAME_STEP = 0.18;

/**
 * What comparisons with one cost found.
 *
 * @typedef {object} FoundDot
 * @property {number} percent verified cost
 * @property {number} found share of comparisons
 * @property {number} low
 * @property {number} high
 */

/**
 * The verified costs of one point as shares, one a cell.
 *
 * @typedef {(costs: InjectedCost[], point: Pick<InjectedCost, 'mode' | 'injected' | 'cost'>) => number[]} VerifiedCosts
 */

/**
 * @param {Calibration} calibration
 * @param {VerifiedCosts} listVerified
 * @returns {Figure[]} one a mode and schedule, all with the same axes
 */
export function powerFigures({ modes, costs }, listVerified) {
  const domain = spanOf(modes);
  return modes.flatMap((mode) => {
    if (mode.curves.length === 0) return [];
    const dots = listDots(mode, costs, listVerified);
    return [
      {
        kind: 'figure',
        draw: () => drawPower(mode, dots, domain),
        caption: [
          { strong: `${describeConditions(mode)}.` },
          ` Lines: a single test at the 5 % level after that many seconds per cell. Dots: share of comparisons with an injected cost that ${PROGRAM} compare calls slower, with 95 % intervals; it calls effects within the minimum effect equivalent.`,
        ],
      },
    ];
  });
}

/**
 * @param {ModeCalibration[]} modes
 * @returns {[number, number]} percent; from the smallest effect to where every line is at its top
 */
function spanOf(modes) {
  const points = modes.flatMap(({ curves }) => curves.flatMap((curve) => curve.points));
  const effects = points.map(({ effect }) => effect);
  const unsure = points.filter(({ power }) => power < 0.995).map(({ effect }) => effect);
  const costs = modes.flatMap((mode) => listArithmetic(mode).map(({ injected }) => injected));
  const high = Math.max(0.01, ...unsure, ...costs) * 1.25;
  return [Math.min(...effects, 0.01) * 100, high * 100];
}

/**
 * @param {ModeCalibration} calibration of a mode and schedule
 * @param {InjectedCost[]} costs
 * @param {VerifiedCosts} listVerified
 * @returns {FoundDot[]}
 */
function listDots(calibration, costs, listVerified) {
  const { mode } = calibration;
  return listArithmetic(calibration).flatMap(({ injected, found }) => {
    if (injected === 0 || found.of === 0) return [];
    const shares = listVerified(costs, { mode, injected });
    const share =
      shares.length === 0 ? injected : shares.reduce((sum, one) => sum + one, 0) / shares.length;
    const { count, of, low, high } = found;
    return share <= 0 ? [] : [{ percent: share * 100, found: count / of, low, high }];
  });
}

/** @type {(calibration: ModeCalibration) => PowerPoint[]} */
function listArithmetic({ points }) {
  return points.filter(({ cost }) => cost === undefined);
}

/**
 * @param {ModeCalibration} mode
 * @param {FoundDot[]} dots
 * @param {[number, number]} domain percent
 */
function drawPower({ curves, ...conditions }, dots, domain) {
  const where = describeConditions(conditions);
  const budgets = curves.map(({ budgetSeconds }) => `${budgetSeconds} s`).join(', ');
  return drawPlot(`Power by effect in ${where}, with ${budgets} per cell`, {
    width: WIDTH,
    height: HEIGHT,
    marginTop: 26,
    marginRight: 16,
    marginBottom: 40,
    marginLeft: 52,
    x: {
      type: 'log',
      domain,
      label: 'effect, %',
      labelAnchor: 'center',
      labelArrow: 'none',
    },
    y: { domain: [0, 1], ticks: 5, tickFormat: '.0%', label: 'found', labelArrow: 'none' },
    marks: [
      labelLogTicks(Plot.axisX, logTicks(...domain)),
      Plot.gridY({ className: 'grid', ticks: 5 }),
      Plot.ruleY([USUAL_POWER], { className: 'minimum' }),
      ...curves.map(({ points }, index) =>
        // Cut by hand: the paths by which Plot clips are numbered over all plots ever drawn, so that
        // the same data would not give the same page.
        Plot.line(
          points.filter(({ effect }) => effect * 100 <= domain[1]),
          {
            x: ({ effect }) => effect * 100,
            y: 'power',
            className: `course ${lineClass(index)}`,
          },
        ),
      ),
      Plot.ruleX(dots, { x: 'percent', y1: 'low', y2: 'high', className: 'whisker' }),
      Plot.dot(dots, { x: 'percent', y: 'found', r: 3.5, className: 'found' }),
      ...curves.flatMap(nameLine),
    ],
  });
}

/** @param {number} index */
function lineClass(index) {
  return `line-${Math.min(index, MAX_LINES - 1) + 1}`;
}

/**
 * The budget on its line, each at another height, where the lines are apart.
 * @type {(curve: PowerCurve, index: number) => Plot.Markish[]}
 */
function nameLine({ points, budgetSeconds }, index) {
  const height = NAME_FROM + NAME_STEP * index;
  const place = points.find(({ power }) => power >= height);
  if (place === undefined) return [];
  return [
    Plot.text([place], {
      x: ({ effect }) => effect * 100,
      y: 'power',
      text: () => `${budgetSeconds} s`,
      className: 'line-name',
    }),
  ];
}
