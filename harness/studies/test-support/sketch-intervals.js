/** Intervals of every width around many estimates, with the verdicts of the decision rule. Used by tests only. */

import { makeCell } from '../../../reports/fixtures/build.js';
import { judgeInterval } from '../../stats/decision-rule.js';

/** @import { CellComparison } from '../../formats/types.ts' */
/** @import { LogInterval } from '../../stats/decision-rule.js' */

/** @typedef {LogInterval & { rejected: boolean }} SketchedInterval log scale */

/** Half-widths on the log scale, ascending. */
const WIDTHS = Array.from({ length: 60 }, (_, index) => 0.0005 * 1.13 ** index);
const ESTIMATES = Array.from({ length: 281 }, (_, index) => (index - 140) * 0.005);
/** Half-widths of which the estimate must be farther from 0 for the test over all cells to reject. */
const REJECTED_FROM = [1, 1.3, Infinity];

/** @type {(interval: SketchedInterval, minimumEffect: number) => { cell: CellComparison }} */
export function sketchCell({ rejected, ...interval }, minimumEffect) {
  const { low, estimate, high } = interval;
  return {
    cell: makeCell({
      operation: 'serialize',
      corpus: 'flat',
      verdict: judgeInterval(interval, Math.log1p(minimumEffect), rejected),
      ratio: [Math.exp(low), Math.exp(estimate), Math.exp(high)],
    }),
  };
}

/**
 * Widens the interval around each estimate step by step.
 *
 * @param {(interval: SketchedInterval) => boolean} isReproduced
 * @returns {number} intervals that are reproduced
 * @throws {Error} if an interval is reproduced and a narrower one around the same estimate is not
 */
export function countReproduced(isReproduced) {
  let count = 0;
  for (const estimate of ESTIMATES) {
    for (const rejectedFrom of REJECTED_FROM) {
      const answers = WIDTHS.map((width) =>
        isReproduced({
          estimate,
          low: estimate - width,
          high: estimate + width,
          rejected: Math.abs(estimate) > rejectedFrom * width,
        }),
      );
      const reproduced = answers.filter(Boolean).length;
      if (answers.lastIndexOf(true) !== reproduced - 1) {
        throw new Error(`around ${estimate}, by width: ${answers.map(Number).join('')}`);
      }
      count += reproduced;
    }
  }
  return count;
}
