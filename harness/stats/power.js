import { normalCritical, studentCritical } from './distributions.js';

/** Chance of finding what is called detectable. */
const POWER = 0.8;

/**
 * The smallest true effect that a test of this precision finds four times in five. Adds the t
 * quantiles of the level and of the power, which stands in for the noncentral t distribution and
 * errs by a few per cent of the effect at ten processes, less above.
 *
 * @param {{ standardError: number, degreesOfFreedom: number }} test on the log scale
 * @param {number} level nominal, two-sided
 * @returns {number} as a share: 0.03 is 3 %
 */
export function detectableEffect({ standardError, degreesOfFreedom }, level) {
  const quantiles =
    studentCritical(level, degreesOfFreedom) + studentCritical(2 * (1 - POWER), degreesOfFreedom);
  return Math.expm1(quantiles * standardError);
}

/**
 * Processes a side at which a cell should be settled four times in five, if the effect and the
 * noise are what they seem to be by now: enough to show a direction, or enough to show equivalence,
 * whichever comes first. An effect below the minimum is at least half a minimum away from zero or
 * from the bound, so the answer is always finite.
 *
 * @param {object} seen
 * @param {number} seen.difference on the log scale
 * @param {number} seen.standardError
 * @param {number} seen.processes a side, that gave this standard error
 * @param {number} seen.minimumEffect on the log scale
 * @param {number} seen.directionLevel nominal level that a direction must reach
 * @param {number} seen.intervalLevel nominal level of the interval that shows equivalence
 * @returns {number} more than `processes`
 */
export function processesNeeded(seen) {
  const oneProcessVariance = seen.standardError ** 2 * seen.processes;
  const distance = Math.abs(seen.difference);
  const forDirection = neededFor(distance, seen.directionLevel);
  const forEquivalence = neededFor(seen.minimumEffect - distance, seen.intervalLevel);
  const needed = Math.ceil(Math.min(forDirection, forEquivalence));
  return Math.max(needed, seen.processes + 1);

  /**
   * @param {number} gap
   * @param {number} level
   */
  function neededFor(gap, level) {
    if (gap <= 0) return Infinity;
    const quantiles = normalCritical(level) + normalCritical(2 * (1 - POWER));
    return (quantiles / gap) ** 2 * oneProcessVariance;
  }
}
