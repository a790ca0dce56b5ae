/** The timed processes of a cell: how they are spread, and how they drift. */

/** @import { Arm, CellComparison, Observation, Question } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */
/** @import { ProcessDot } from '../figures/process-plots.js' */

import { listFigures } from '../../harness/stats/interference.js';
import { meanOfTrimmed } from '../../harness/stats/robust.js';
import { markup } from '../document/markup.js';
import { drawDistribution, drawDrift } from '../figures/process-plots.js';
import { formatShare, formatTime, isFigure } from '../../harness/lib/numbers.js';

const ARMS = /** @type {Arm[]} */ (['baseline', 'candidate', 'control']);
/** Successive multiples of the golden ratio, modulo 1, never crowd: dots spread without chance. */
const GOLDEN_RATIO = 0.618033988749895;

/**
 * Both plots of a cell.
 *
 * @param {CellComparison} comparison
 * @param {Observation[]} observations of this cell
 * @param {Question} question
 * @returns {Content} nothing where no process measured
 */
export function observationPlots(comparison, observations, question) {
  const figures = listFigures(observations, question);
  const dots = ARMS.flatMap((arm) => collectDots(arm, figures));
  if (dots.length === 0) return null;
  const means = meansOf(dots);
  const arms = ARMS.filter((arm) => dots.some((dot) => dot.arm === arm));
  return markup`<div class="plots">
<figure>${drawDistribution(dots, arms, means)}
<figcaption>Each mark is one process; the line is the trimmed mean: ${describeMeans(arms, means)}.</figcaption></figure>
<figure>${drawDrift(dots, arms, means)}
<figcaption>The same processes in the order in which they ran, each against the mean of its arm. ${describeWarmUps(comparison)}</figcaption></figure>
</div>`;
}

/**
 * @param {Arm} arm
 * @param {ReturnType<typeof listFigures>} figures
 * @returns {ProcessDot[]}
 */
function collectDots(arm, figures) {
  return figures
    .filter(({ observation }) => observation.arm === arm)
    .map(({ observation, ns }, index) => ({
      arm,
      ns,
      startedAtS: observation.startedAtMs / 1000,
      level: (index * GOLDEN_RATIO) % 1,
    }));
}

/**
 * @param {ProcessDot[]} dots
 * @returns {Record<Arm, number | null>} nanoseconds; the table's baseline is that of baseline and
 *   control together
 */
function meansOf(dots) {
  /** @param {Arm} wanted */
  const meanOf = (wanted) => {
    const logs = dots.flatMap(({ arm, ns }) => (arm === wanted ? [Math.log(ns)] : []));
    return logs.length === 0 ? null : Math.exp(meanOfTrimmed(Float64Array.from(logs).sort()));
  };
  return {
    baseline: meanOf('baseline'),
    candidate: meanOf('candidate'),
    control: meanOf('control'),
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
