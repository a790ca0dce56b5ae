import { normalCritical, studentCritical } from './distributions.js';
import { drawNormal, drawUniform } from './random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

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

/**
 * Shapes of the noise between processes, as draws with mean 0 and standard deviation 1 on the log
 * scale: the textbook case, and two with the heavy tails of a shared machine.
 *
 * @typedef {'normal' | 't3' | 'mixture'} NoiseShape
 */

/** In the mixture this share of the processes is disturbed: slower on average, and less steady. */
const DISTURBED_SHARE = 0.15;
const DISTURBED = { mean: 2, deviation: 2 };
const MIXTURE_MEAN = DISTURBED_SHARE * DISTURBED.mean;
const MIXTURE_DEVIATION = Math.sqrt(
  1 -
    DISTURBED_SHARE +
    DISTURBED_SHARE * (DISTURBED.deviation ** 2 + DISTURBED.mean ** 2) -
    MIXTURE_MEAN ** 2,
);

/** @type {Record<NoiseShape, (random: RandomGenerator) => number>} */
const DRAWS = {
  normal: drawNormal,
  t3: drawStudent3,
  mixture: drawMixture,
};

/** Names of the shapes. */
export const NOISE_SHAPES = Object.freeze(/** @type {NoiseShape[]} */ (Object.keys(DRAWS)));

/**
 * @param {NoiseShape} shape
 * @param {RandomGenerator} random advanced by the call
 * @returns {number} mean 0, standard deviation 1
 */
export function drawNoise(shape, random) {
  return DRAWS[shape](random);
}

/**
 * Student's t with three degrees of freedom, by its definition, scaled from variance 3 to 1.
 *
 * @param {RandomGenerator} random
 */
function drawStudent3(random) {
  const squares = drawNormal(random) ** 2 + drawNormal(random) ** 2 + drawNormal(random) ** 2;
  return drawNormal(random) / Math.sqrt(squares);
}

/** @param {RandomGenerator} random */
function drawMixture(random) {
  const disturbed = drawUniform(random) < DISTURBED_SHARE;
  const value = disturbed
    ? DISTURBED.mean + DISTURBED.deviation * drawNormal(random)
    : drawNormal(random);
  return (value - MIXTURE_MEAN) / MIXTURE_DEVIATION;
}
