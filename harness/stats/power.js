import { normalCritical, studentCritical } from './distributions.js';

/** Of a detectable effect. */
const POWER = 0.8;

/**
 * The smallest true effect that a test of this precision finds four times in five. It adds the t
 * quantiles of the level and the power, an approximation of the noncentral t distribution that errs by
 * a few per cent of the effect at ten processes, and by less at more.
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
 * Processes per arm that settle a cell four times in five, if effect and noise are as estimated:
 * enough to show a direction or equivalence, whichever comes first. An effect below the minimum is at
 * least half of it away from zero or from the bound, so the number is finite.
 *
 * @param {object} seen
 * @param {number} seen.difference on the log scale
 * @param {number} seen.standardError
 * @param {number} seen.processes per arm, with this standard error
 * @param {number} seen.minimumEffect on the log scale
 * @param {number} seen.directionLevel nominal level of a direction
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
