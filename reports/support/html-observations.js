/** The timed processes of a cell: how they are spread, and how they drift. */

/** @import { Arm, CellComparison, Observation } from '../../harness/types.ts' */
/** @import { Content } from './html-escape.js' */
/** @import { ProcessDot } from './html-process-plots.js' */

import { takeMedian } from '../../harness/stats/median.js';
import { markup } from './html-escape.js';
import { drawDistribution, drawDrift } from './html-process-plots.js';
import { formatShare, formatTime, isFigure } from './numbers.js';

const ARMS = /** @type {Arm[]} */ (['baseline', 'candidate', 'control']);
/** Successive multiples of the golden ratio, modulo 1, never crowd: dots spread without chance. */
const GOLDEN_RATIO = 0.618033988749895;

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
<figcaption>The same processes in the order in which they ran, each against the mean of its arm. ${describeWarmUps(comparison)}</figcaption></figure>
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
 * @returns {string} a drift that chance does not explain is a note of the run, and not told here
 */
function describeWarmUps({ unsettledShare }) {
  return isFigure(unsettledShare) && unsettledShare > 0
    ? `${formatShare(unsettledShare)} of the warm-ups had not settled.`
    : '';
}
