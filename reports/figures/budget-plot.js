/** How the smallest effect found falls with the budget, a line a mode and schedule. */

/** @import { ModeCalibration } from '../../harness/formats/types.ts' */
/** @import { Figure } from '../document/model.ts' */

import { nameConditions } from '../../harness/stats/calibration/trials.js';
import * as Plot from '@observablehq/plot';
import { logTicks } from '../document/range-plot.js';
import { drawPlot, labelLogTicks } from '../document/plot.js';

/** @typedef {{ mode: string, seconds: number, percent: number }} BudgetPoint */

/** @type {(modes: ModeCalibration[]) => Figure[]} one; none without a line to draw */
export function budgetFigures(modes) {
  const lines = modes
    .map(({ curves, ...conditions }) =>
      curves.flatMap(({ budgetSeconds, detectable }) =>
        detectable === null
          ? []
          : [
              {
                mode: nameConditions(conditions),
                seconds: budgetSeconds,
                percent: detectable * 100,
              },
            ],
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

/** Of the style sheet; two lines look as different as possible. */
const LINE_CLASSES = ['line-1', 'line-3', 'line-2', 'line-4'];

/** @param {BudgetPoint[][]} lines a mode and schedule each, by budget */
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
    marginRight: lines.length > 2 ? 84 : 60,
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
        Plot.line(line, { x: 'seconds', y: 'percent', className: `course ${LINE_CLASSES[index]}` }),
        Plot.dot(line, {
          x: 'seconds',
          y: 'percent',
          r: 3.5,
          className: `found ${LINE_CLASSES[index]}`,
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
