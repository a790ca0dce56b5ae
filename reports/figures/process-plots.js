/** Plots of processes: their spread by arm, and their deviations over the time of the run. */

/** @import { Arm } from '../../harness/formats/types.ts' */
/** @import { Markup } from '../document/markup.js' */

import * as Plot from '@observablehq/plot';
import { timeUnit } from '../../harness/lib/numbers.js';
import { drawPlot } from '../document/plot.js';

/** Arms differ in shape as well as in colour. @type {Record<Arm, Plot.SymbolType>} */
export const SYMBOLS = { baseline: 'circle', candidate: 'triangle', control: 'square' };
/** Of the drawing, which a page scales. */
const WIDTH = 420;
const ARM_HEIGHT = 60;

/**
 * A timed process.
 *
 * @typedef {object} ProcessDot
 * @property {Arm} arm
 * @property {number} ns its figure
 * @property {number} startedAtS since the start of the run
 * @property {number} level 0 to 1, its height in the row of its arm
 */

/** Nanoseconds. @typedef {Record<Arm, number | null>} ArmMeans */

/**
 * @param {ProcessDot[]} dots
 * @param {Arm[]} arms a row each, from the top
 * @param {ArmMeans} means
 * @param {string} [quantity] what the figures are
 * @returns {Markup}
 */
export function drawDistribution(dots, arms, means, quantity = 'time per document') {
  const lowest = Math.min(...dots.map(({ ns }) => ns));
  const unit = timeUnit(lowest);
  const rows = arms.map((arm, index) => ({ arm, bottom: arms.length - 1 - index }));
  return drawPlot('Time of each process, by arm', {
    ...frameOf(arms, 82, `${quantity}, ${unit.name}`),
    y: { domain: [0, arms.length], axis: null },
    marks: [
      Plot.gridX({ className: 'grid', ticks: 5 }),
      Plot.text(rows, {
        y: ({ bottom }) => bottom + 0.5,
        text: 'arm',
        frameAnchor: 'left',
        textAnchor: 'end',
        dx: -8,
        className: 'arm-name',
      }),
      ...rows.flatMap((row) => markArm(row, dots, means[row.arm], unit.factor)),
    ],
  });
}

/**
 * @param {{ arm: Arm, bottom: number }} row
 * @param {ProcessDot[]} dots
 * @param {number | null} mean
 * @param {number} factor nanoseconds of the unit of the axis
 * @returns {Plot.Markish[]}
 */
function markArm({ arm, bottom }, dots, mean, factor) {
  const own = dots.filter((dot) => dot.arm === arm);
  const marks = [
    Plot.dot(own, {
      x: ({ ns }) => ns / factor,
      y: ({ level }) => bottom + 0.18 + level * 0.64,
      ...styleOf(arm),
    }),
  ];
  if (mean === null) return marks;
  const span = { y1: bottom + 0.05, y2: bottom + 0.95, className: `mean ${arm}` };
  return [...marks, Plot.ruleX([mean / factor], span)];
}

/** @type {(dots: ProcessDot[], arms: Arm[], means: ArmMeans) => Markup} */
export function drawDrift(dots, arms, means) {
  const relative = dots.flatMap((dot) => {
    const mean = means[dot.arm];
    return mean === null ? [] : [{ ...dot, deviation: (dot.ns / mean - 1) * 100 }];
  });
  return drawPlot('Deviation of each process from the mean of its arm, over the run', {
    ...frameOf(arms, 52, 'seconds since the start of the run'),
    y: { label: '% from the mean', ticks: 5, nice: true, labelArrow: 'none' },
    marks: [
      Plot.gridY({ className: 'grid', ticks: 5 }),
      Plot.ruleY([0], { className: 'one' }),
      ...arms.map((arm) =>
        Plot.dot(
          relative.filter((dot) => dot.arm === arm),
          { x: 'startedAtS', y: 'deviation', ...styleOf(arm) },
        ),
      ),
    ],
  });
}

/**
 * @param {Arm[]} arms
 * @param {number} marginLeft
 * @param {string} label of the axis
 * @returns {Plot.PlotOptions}
 */
function frameOf(arms, marginLeft, label) {
  return {
    width: WIDTH,
    height: ARM_HEIGHT * arms.length + 50,
    marginLeft,
    marginRight: 16,
    marginBottom: 40,
    x: { label, nice: true, ticks: 5, labelAnchor: 'center', labelArrow: 'none' },
  };
}

/** @param {Arm} arm */
function styleOf(arm) {
  return { r: 3, symbol: SYMBOLS[arm], className: `dot ${arm}` };
}
