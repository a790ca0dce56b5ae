/** What every report of a calibration says first. */

/** @import { Calibration, ModeCalibration } from '../../../harness/formats/types.ts' */

import { formatCount, formatDuration, formatShare } from '../../../harness/lib/numbers.js';
import { chooseUsualBudget } from '../../support/usual-budget.js';
import { formatProportion, formatProportionInterval } from './share-words.js';

/**
 * The sentences that a reader takes away: errors first, then what is found.
 *
 * @param {Calibration} calibration
 * @returns {string[]}
 */
export function summarizeCalibration({ modes }) {
  if (modes.every(({ falsePositives }) => falsePositives.of === 0)) {
    return ['No A/A comparison was finished.'];
  }
  return [`On this host, ${modes.map(tellErrors).join('; ')}.`, ...tellSmallestEffects(modes)];
}

/**
 * @param {ModeCalibration} calibration of a mode
 * @returns {string}
 */
function tellErrors({ mode, falsePositives }) {
  const { count, of } = falsePositives;
  const under = `in ${mode} mode`;
  if (of === 0) return `no A/A comparison was finished ${under}`;
  const share = `${formatProportion(falsePositives)}, 95 % interval ${formatProportionInterval(falsePositives)}`;
  const comparisons = of === 1 ? 'comparison' : 'comparisons';
  return `of ${formatCount(of)} A/A ${comparisons} ${under} ${formatCount(count)} (${share}) ${count === 1 ? 'was' : 'were'} called different`;
}

/**
 * @param {ModeCalibration[]} modes
 * @returns {string[]} a sentence; none where no budget was reached by enough comparisons
 */
function tellSmallestEffects(modes) {
  const told = modes.flatMap(({ mode, curves }) => {
    const curve = chooseUsualBudget(curves);
    if (curve === null) return [];
    const { detectable, budgetSeconds, points } = curve;
    const largest = points.at(-1)?.effect ?? null;
    const effect =
      detectable === null ? `none up to ${formatShare(largest)}` : formatShare(detectable);
    return [`${effect} in ${mode} mode with ${budgetSeconds} s a cell`];
  });
  if (told.length === 0) return [];
  return [
    `Smallest effect found 4 times in 5, at a false-positive rate of 5 %: ${told.join(', ')}.`,
  ];
}

/**
 * @param {{ ended: 'complete' | 'interrupted' }} calibration
 * @returns {string | null} why there is less of it than was asked for; null where it is whole
 */
export function tellEnd({ ended }) {
  return ended === 'complete'
    ? null
    : 'Interrupted: what follows rests on the comparisons that were finished.';
}

/**
 * @param {Pick<Calibration, 'wallMs' | 'environment'>} calibration
 * @returns {string} `Measured in 30 min 0 s on 2 × AMD EPYC 7B13, kernel 6.1.0, under Node v20.20.2`
 */
export function tellMeasured({ wallMs, environment }) {
  const { cpuCount, cpuModel, kernel, node } = environment;
  return `Measured in ${formatDuration(wallMs)} on ${cpuCount} × ${cpuModel}, kernel ${kernel}, under Node ${node.replace(/^v/, '')}`;
}
