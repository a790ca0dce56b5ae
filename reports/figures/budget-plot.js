/** How the smallest effect found falls with the budget, a line a mode. */

/** @import { ModeCalibration } from '../../harness/formats/types.ts' */
/** @import { Figure } from '../document/model.ts' */

import * as Plot from '@observablehq/plot';
import { logTicks } from '../document/range-plot.js';
import { drawPlot, labelLogTicks } from '../document/plot.js';

/** @typedef {{ mode: string, seconds: number, percent: number }} BudgetPoint */

/**
 * @param {ModeCalibration[]} modes
 * @returns {Figure[]} one; none without a line to draw
 */
export function budgetFigures(modes) {
  const lines = modes
    .map(({ mode, curves }) =>
      curves.flatMap(({ budgetSeconds, detectable }) =>
        detectable === null
          ? []
          : [{ mode: String(mode), seconds: budgetSeconds, percent: detectable * 100 }],
      ),
    )
    .filter((line) => line.length > 1);
  if (lines.length === 0) return [];
  return [
    {
      kind: 'figure',
      draw: () => drawBudget(lines),
      caption:
        'Both axes are logarithmic. Where noise between processes dominates, twice the budget finds an effect 1.4 times smaller.',
    },
  ];
}

/** @param {BudgetPoint[][]} lines a mode each, by budget */
function drawBudget(lines) {
  const seconds = [...new Set(lines.flat().map((point) => point.seconds))].sort((a, b) => a - b);
  const percents = lines.flat().map((point) => point.percent);
  const [low, high] = [Math.min(...percents) / 1.3, Math.max(...percents) * 1.3];
  const ticks = logTicks(low, high);
  const ends = lines.flatMap((line) => line.slice(-1));
  return drawPlot('Smallest effect found in 4 of 5 comparisons, by budget', {
    width: 480,
    height: 260,
    marginTop: 26,
    marginRight: 60,
    marginBottom: 40,
    marginLeft: 52,
    x: {
      type: 'log',
      label: 'seconds per cell',
      labelAnchor: 'center',
      labelArrow: 'none',
    },
    y: {
      type: 'log',
      domain: [low, high],
      label: 'smallest effect found, %',
      labelArrow: 'none',
    },
    marks: [
      labelLogTicks(Plot.axisX, seconds),
      labelLogTicks(Plot.axisY, ticks),
      Plot.gridY({ className: 'grid', ticks }),
      ...lines.flatMap((line, index) => [
        Plot.line(line, { x: 'seconds', y: 'percent', className: `course line-${2 * index + 1}` }),
        Plot.dot(line, {
          x: 'seconds',
          y: 'percent',
          r: 3.5,
          className: `found line-${2 * index + 1}`,
        }),
      ]),
      Plot.text(ends, {
        x: 'seconds',
        y: 'percent',
        text: 'mode',
        dx: 8,
        textAnchor: 'start',
        className: 'arm-name',
      }),
    ],
  });
}
