/** Years of a followed branch, put together from what was simulated or counted of its merges. */

import { chiSquareQuantile } from './distributions.js';
import { confirmationLevel } from './alarms.js';
import { meanOf } from './means.js';
import { drawIndex, drawUniform } from './random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/** Share of intervals that may miss the truth. */
const MISSED = 0.05;
/** Confirmations of a merge with a suspicion. */
const SUSPICION = 2;

/**
 * How often something happened, beside how often it was expected, with the exact interval of Garwood ("Fiducial limits for the
 * Poisson distribution", Biometrika 28, 1936).
 *
 * @typedef {object} Rate
 * @property {number} count
 * @property {number} exposure
 * @property {number} estimate count ÷ exposure
 * @property {number} low
 * @property {number} high
 */

/** @type {(count: number, exposure: number) => Rate} `exposure`: above 0 */
export function takeRate(count, exposure) {
  const quantile = (/** @type {number} */ share, /** @type {number} */ events) =>
    chiSquareQuantile(share, 2 * events) / 2 / exposure;
  return {
    ...{ count, exposure, estimate: count / exposure },
    low: count === 0 ? 0 : quantile(MISSED / 2, count),
    high: quantile(1 - MISSED / 2, count + 1),
  };
}

/** A rate as it may be, given what was counted: Jeffreys' gamma distribution. @type {(rate: Rate, random: RandomGenerator) => number} */
function drawRate({ count, exposure }, random) {
  return chiSquareQuantile(drawUniform(random), 2 * count + 1) / 2 / exposure;
}

/**
 * What was simulated of merges that change nothing.
 *
 * @typedef {object} QuietMerges
 * @property {number[]} confirmations by merge
 * @property {Rate} drifts confirmations a merge that the series of points asks for
 * @property {Rate} errors alerts ÷ (confirmations × level)
 */

/** @typedef {{ estimate: number, low: number, high: number }} YearFigure of what a year is expected to have */

/**
 * False alarms of a branch on which nothing changes. A year draws whole merges, so what depends on each other within one stays
 * together, and the level of each confirmation follows from the merges before. Every year that is drawn has other merges,
 * other rates of drifts and of errors, as far as the samples leave them open. One merge with a suspicion is added to the sample, which
 * may have none because it is small.
 *
 * @param {QuietMerges} quiet
 * @param {{ falseAlarmsPerYear: number, mergesPerYear: number, cells: number }} branch
 * @param {number} draws years that are drawn
 * @param {RandomGenerator} random
 * @returns {{ falseAlarms: YearFigure, level: number }[]} of the first year, and of the second; `level`: in its middle
 */
export function drawYears({ confirmations, drifts, errors }, branch, draws, random) {
  const { mergesPerYear } = branch;
  const sample = [...confirmations, SUSPICION];
  const drawn = Array.from({ length: draws }, () => {
    const own = sample.map(() => sample[drawIndex(random, sample.length)]);
    const [ofDrifts, ofErrors] = [drifts, errors].map((rate) => drawRate(rate, random));
    const drawMerge = () =>
      own[drawIndex(random, own.length)] + (drawUniform(random) < ofDrifts ? 1 : 0);
    const years = [0, 1].map(() => Array.from({ length: mergesPerYear }, drawMerge));
    return followYears(years, branch).map(({ level, spent }) => ({
      level,
      falseAlarms: spent * ofErrors,
    }));
  });
  return [0, 1].map((index) => {
    const figures = drawn.map((years) => years[index].falseAlarms).sort((a, b) => a - b);
    return {
      falseAlarms: {
        estimate: meanOf(figures),
        low: figures[Math.floor((MISSED / 2) * draws)],
        high: figures[Math.ceil((1 - MISSED / 2) * draws) - 1],
      },
      level: meanOf(drawn.map((years) => years[index].level)),
    };
  });
}

/**
 * @param {number[][]} years confirmations of each merge
 * @param {Parameters<typeof drawYears>[1]} branch
 * @returns {{ spent: number, level: number }[]} of each year: sum of the levels of its confirmations, and the level in its middle
 */
export function followYears(years, branch) {
  /** @type {number[]} of the year before */
  let before = [];
  const seen = { merges: 0, confirmations: 0 };
  const known = { ...branch, seen };
  return years.map((year) => {
    const found = { spent: 0, level: NaN };
    const middle = year.length >> 1;
    for (const [index, confirmations] of year.entries()) {
      if (index === middle) found.level = confirmationLevel(known);
      if (confirmations > 0) found.spent += confirmations * confirmationLevel(known);
      seen.merges += index < before.length ? 0 : 1;
      seen.confirmations += confirmations - (before[index] ?? 0);
    }
    before = year;
    return found;
  });
}
