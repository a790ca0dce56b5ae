import jStat from 'jstat';

/** Below this the error function keeps all its digits; above it the continued fraction does. */
const FRACTION_FROM = 2;
/** Terms of the continued fraction: at `FRACTION_FROM` they leave an error below 1e-12. */
const FRACTION_TERMS = 80;
const NEWTON_STEPS = 50;

/**
 * Two-sided probability of Student's t: how often |T| is at least |t|. Written with the incomplete
 * beta function of df / (df + t²), which keeps its relative precision far out in the tail.
 * @type {(t: number, degreesOfFreedom: number) => number} 0…1
 */
export function studentTwoSided(t, degreesOfFreedom) {
  return jStat.ibeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}

/**
 * The t ≥ 0 that |T| exceeds with the given probability; the inverse of `studentTwoSided`.
 *
 * @param {number} level two-sided, 0…1
 * @param {number} degreesOfFreedom
 * @returns {number}
 */
export function studentCritical(level, degreesOfFreedom) {
  const x = jStat.ibetainv(level, degreesOfFreedom / 2, 0.5);
  return Math.sqrt((degreesOfFreedom * (1 - x)) / x);
}

/**
 * @param {number} probability 0…1
 * @param {number} alpha first shape, above 0
 * @param {number} beta second shape, above 0
 * @returns {number} 0…1, below which a beta variable lies with this probability
 */
export function betaQuantile(probability, alpha, beta) {
  return jStat.ibetainv(probability, alpha, beta);
}

/**
 * @param {number} probability 0…1
 * @param {number} degreesOfFreedom above 0
 * @returns {number} below which a chi-square variable lies with this probability
 */
export function chiSquareQuantile(probability, degreesOfFreedom) {
  return 2 * jStat.gammapinv(probability, degreesOfFreedom / 2);
}

/** @type {(x: number) => number} density of the standard normal distribution at x */
export function normalDensity(x) {
  return Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
}

/**
 * Upper tail of the standard normal distribution, with relative precision at any distance: the
 * error function near the middle, Laplace's continued fraction for the Mills ratio further out.
 * @type {(x: number) => number} probability of a value above x
 */
export function normalUpperTail(x) {
  if (x < FRACTION_FROM) return 0.5 * (1 - jStat.erf(x * Math.SQRT1_2));
  let fraction = x;
  for (let term = FRACTION_TERMS; term >= 1; term--) fraction = x + term / fraction;
  return normalDensity(x) / fraction;
}

/**
 * The z ≥ 0 that |Z| exceeds with the given probability, by Newton's method on the logarithm of the
 * tail, which is nearly quadratic and so converges from anywhere.
 *
 * @param {number} level two-sided, above 0 and at most 1
 * @returns {number}
 */
export function normalCritical(level) {
  const tail = level / 2;
  let z = Math.sqrt(Math.max(0, -2 * Math.log(level)));
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const found = normalUpperTail(z);
    const change = ((Math.log(found) - Math.log(tail)) * found) / normalDensity(z);
    z += change;
    if (Math.abs(change) < 1e-12 * (1 + z)) break;
  }
  return Math.max(0, z);
}
