import { drawUniform } from '../../stats/random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/**
 * A standard normal number (Box and Muller, 1958; the second of the pair is not kept).
 *
 * @param {RandomGenerator} random advanced by the call
 * @returns {number}
 */
export function drawNormal(random) {
  const radius = Math.sqrt(-2 * Math.log(1 - drawUniform(random)));
  return radius * Math.cos(2 * Math.PI * drawUniform(random));
}

/**
 * Shapes of the noise between processes, with mean 0 and standard deviation 1 on the log scale: the
 * textbook case, and two with the heavy tails of a shared machine.
 *
 * @typedef {'normal' | 't3' | 'mixture'} NoiseShape
 */

/** In the mixture this share of the processes is disturbed: slower on average, with more spread. */
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
 * @param {RandomGenerator} random
 */
export function drawStudent3(random) {
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

/**
 * Draws the log figures of several placements of the same code, with normal noise.
 *
 * @param {number} count of placements
 * @param {{ center?: number, placementSpread: number, processSpread: number }} truth log scale
 * @param {RandomGenerator} random advanced by the call
 * @returns {number[][]} of each placement, those of twelve processes
 */
export function drawPlacements(count, { center = 0, placementSpread, processSpread }, random) {
  return Array.from({ length: count }, () => {
    const placement = center + placementSpread * drawNormal(random);
    return Array.from({ length: 12 }, () => placement + processSpread * drawNormal(random));
  });
}
