/** The timed processes of a cell as plots: how they are spread, and how they drift. */

/** @import { Arm, CellComparison, Observation } from '../../harness/types.ts' */
/** @import { Content, Markup } from './html-escape.js' */

import * as Plot from '@observablehq/plot';
import { takeMedian } from '../../harness/stats/median.js';
import { markup } from './html-escape.js';
import { drawPlot } from './html-plot.js';
import { formatShare, formatTime, isFigure } from './numbers.js';

const ARMS = /** @type {Arm[]} */ (['baseline', 'candidate', 'control']);
/** Told by shape as well as by colour. @type {Record<Arm, Plot.SymbolType>} */
const SYMBOLS = { baseline: 'circle', candidate: 'triangle', control: 'square' };
/** Successive multiples of the golden ratio, modulo 1, never crowd: dots spread without chance. */
const GOLDEN_RATIO = 0.618033988749895;
const UNITS = [
  { factor: 1e6, name: 'ms' },
  { factor: 1e3, name: 'µs' },
  { factor: 1, name: 'ns' },
];

/** @typedef {{ arm: Arm, ns: number, startedAtS: number, level: number }} ProcessDot */

/**
 * Both plots of a cell.
 *
 * @param {CellComparison} comparison
 * @param {Observation[]} observations of this cell
 * @returns {Content} nothing where no process measured
 */
export function observationPlots(comparison, observations) {
  const dots = ARMS.flatMap((arm) => collectDots(arm, observations));
  if (dots.length === 0) return null;
  const means = meansOf(comparison);
  const arms = ARMS.filter((arm) => dots.some((dot) => dot.arm === arm));
  return markup`<div class="plots">
<figure>${drawDistribution(dots, arms, means)}
<figcaption>Each mark is the median of one process; the line is the trimmed mean: ${describeMeans(arms, means)}.</figcaption></figure>
<figure>${drawDrift(dots, arms, means)}
<figcaption>The same processes in the order in which they ran, each against the mean of its arm. ${describeDrift(comparison)}</figcaption></figure>
</div>`;
}

/**
 * @param {Arm} arm
 * @param {Observation[]} observations
 * @returns {ProcessDot[]}
 */
function collectDots(arm, observations) {
  return observations
    .filter((one) => one.outcome === 'done')
    .filter((one) => one.arm === arm && one.measurement.batchNsPerDocument.length > 0)
    .map(({ measurement, startedAtMs }, index) => ({
      arm,
      ns: takeMedian(measurement.batchNsPerDocument),
      startedAtS: startedAtMs / 1000,
      level: (index * GOLDEN_RATIO) % 1,
    }));
}

/**
 * @param {CellComparison} comparison
 * @returns {Record<Arm, number | null>} nanoseconds, as in the table
 */
function meansOf({ baselineNs, candidateNs, control }) {
  const hasControl = baselineNs !== null && control !== null;
  return {
    baseline: baselineNs,
    candidate: candidateNs,
    control: hasControl ? baselineNs * control.ratio.estimate : null,
  };
}

/**
 * @param {Arm[]} arms
 * @param {Record<Arm, number | null>} means
 * @returns {string}
 */
function describeMeans(arms, means) {
  return arms.map((arm) => `${arm} ${formatTime(means[arm])}`).join(', ');
}

/**
 * @param {CellComparison} comparison
 * @returns {string}
 */
function describeDrift({ driftPerMinute, unsettledShare }) {
  if (!isFigure(driftPerMinute)) return '';
  const direction = driftPerMinute < 0 ? 'faster' : 'slower';
  const hasUnsettled = isFigure(unsettledShare) && unsettledShare > 0;
  const settled = hasUnsettled
    ? ` ${formatShare(unsettledShare)} of the warm-ups had not settled.`
    : '';
  return `Baseline and control became ${formatShare(Math.abs(driftPerMinute))} a minute ${direction}.${settled}`;
}

/**
 * @param {ProcessDot[]} dots
 * @param {Arm[]} arms
 * @param {Record<Arm, number | null>} means
 * @returns {Markup}
 */
function drawDistribution(dots, arms, means) {
  const lowest = Math.min(...dots.map(({ ns }) => ns));
  const unit = UNITS.find(({ factor }) => lowest >= factor) ?? { factor: 1, name: 'ns' };
  const rowOf = (/** @type {Arm} */ arm) => arms.length - 1 - arms.indexOf(arm);
  const marks = arms.flatMap((arm) => {
    const mean = means[arm];
    const row = rowOf(arm);
    return [
      Plot.dot(
        dots.filter((dot) => dot.arm === arm),
        {
          x: ({ ns }) => ns / unit.factor,
          y: ({ level }) => row + 0.18 + level * 0.64,
          r: 3,
          symbol: SYMBOLS[arm],
          className: `dot ${arm}`,
        },
      ),
      ...(mean === null
        ? []
        : [
            Plot.ruleX([mean / unit.factor], {
              y1: row + 0.05,
              y2: row + 0.95,
              className: `mean ${arm}`,
            }),
          ]),
    ];
  });
  return drawPlot(`Medians of the processes: ${describeMeans(arms, means)}`, {
    width: 420,
    height: 60 * arms.length + 50,
    marginLeft: 82,
    marginRight: 16,
    marginBottom: 40,
    x: {
      label: `time per document, ${unit.name}`,
      nice: true,
      ticks: 5,
      labelAnchor: 'center',
      labelArrow: 'none',
    },
    y: { domain: [0, arms.length], axis: null },
    marks: [
      Plot.gridX({ className: 'grid', ticks: 5 }),
      Plot.text(arms, {
        x: null,
        y: (arm) => rowOf(arm) + 0.5,
        text: String,
        frameAnchor: 'left',
        textAnchor: 'end',
        dx: -8,
        className: 'arm-name',
      }),
      ...marks,
    ],
  });
}

/**
 * @param {ProcessDot[]} dots
 * @param {Arm[]} arms
 * @param {Record<Arm, number | null>} means
 * @returns {Markup}
 */
function drawDrift(dots, arms, means) {
  const relative = dots.flatMap((dot) => {
    const mean = means[dot.arm];
    return mean === null ? [] : [{ ...dot, deviation: (dot.ns / mean - 1) * 100 }];
  });
  return drawPlot('Deviation of each process from the mean of its arm, over the time of the run', {
    width: 420,
    height: 60 * arms.length + 50,
    marginLeft: 52,
    marginRight: 16,
    marginBottom: 40,
    x: {
      label: 'seconds since the run began',
      nice: true,
      ticks: 5,
      labelAnchor: 'center',
      labelArrow: 'none',
    },
    y: { label: '% from the mean', ticks: 5, nice: true, labelArrow: 'none' },
    marks: [
      Plot.gridY({ className: 'grid', ticks: 5 }),
      Plot.ruleY([0], { className: 'one' }),
      ...arms.map((arm) =>
        Plot.dot(
          relative.filter((dot) => dot.arm === arm),
          { x: 'startedAtS', y: 'deviation', r: 3, symbol: SYMBOLS[arm], className: `dot ${arm}` },
        ),
      ),
    ],
  });
}
