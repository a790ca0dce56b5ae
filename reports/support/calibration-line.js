/** What a calibration of the host says of comparisons like the one that is reported. */

/** @import { CalibrationCitation, Question } from '../../harness/formats/types.ts' */

import { formatProportion, formatProportionInterval } from '../content/shares.js';
import { formatShare } from '../../harness/lib/numbers.js';
import { chooseUsualBudget } from './usual-budget.js';

/**
 * @param {CalibrationCitation | undefined} citation
 * @param {Question['mode']} mode of the comparison
 * @returns {string | null} `On this host 3 of 212 A/A comparisons (1.4 %, 0.3–4.1 %) were called
 *   different; 20 s a cell find 1.8 %. Calibrated 2026-01-02.`; null without a calibration
 */
export function calibrationLine(citation, mode) {
  if (citation === undefined || citation.falsePositives.of === 0) return null;
  const { falsePositives, detectable, createdAt } = citation;
  const { count, of } = falsePositives;
  const under = mode === 'screen' ? ' in screen mode' : '';
  const share = `${formatProportion(falsePositives)}, ${formatProportionInterval(falsePositives)}`;
  const errors = `On this host ${count} of ${of} A/A comparisons${under} (${share}) ${count === 1 ? 'was' : 'were'} called different`;
  return `${errors}${tellEffect(detectable)}. Calibrated ${createdAt.slice(0, 10)}.`;
}

/**
 * @param {CalibrationCitation['detectable']} detectable
 * @returns {string} what the usual budget finds, else the largest; empty where neither finds anything
 */
function tellEffect(detectable) {
  const chosen = chooseUsualBudget(detectable.filter(({ effect }) => effect !== null));
  if (chosen === null) return '';
  return `; ${chosen.budgetSeconds} s a cell find ${formatShare(chosen.effect)}`;
}
