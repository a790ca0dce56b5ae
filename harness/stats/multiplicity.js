import { normalCritical, normalDensity, normalUpperTail } from './distributions.js';

/** Intervals of the integration grid over half the range; even, as Simpson's rule needs. */
const GRID_INTERVALS = 32;
/** The grid is made finer than a third of the narrowest step between two looks. */
const STEPS_PER_DEVIATION = 3;
/** Looks that nearly coincide would need an endless grid. */
const MAX_GRID_INTERVALS = 256;
/** Below this level, crossings at different looks never coincide and their probabilities add up. */
const UNION_IS_EXACT = 1e-100;
/** Halvings of the range [α / looks, α]; 30 leave nine digits. */
const BISECTIONS = 30;
/** A run needs a handful; the bound is for simulations. */
const MAX_REMEMBERED = 1000;

/** @type {Map<string, number>} */
const nominalLevels = new Map();

/**
 * Probability under the null hypothesis that a test at a nominal level rejects at any look when the
 * growing data are tested at each (Armitage, McPherson and Rowe, "Repeated significance tests on
 * accumulating data", 1969). The test statistic is a Brownian motion observed at times proportional to
 * the sample sizes; its density within the boundary is carried from look to look by numerical
 * integration, and the crossing probabilities are summed.
 *
 * @param {number} nominalP two-sided level of each look
 * @param {readonly number[]} looks sample sizes, ascending, positive
 * @returns {number} at least `nominalP`, at most 1
 */
export function overallLevel(nominalP, looks) {
  if (nominalP >= 1) return 1;
  if (nominalP < UNION_IS_EXACT) return nominalP * looks.length;
  const boundary = normalCritical(nominalP);
  const grid = makeGrid(boundary, looks);
  let crossed = nominalP;
  let density = grid.points.map(normalDensity);
  for (let look = 1; look < looks.length; look++) {
    const step = { before: looks[look - 1], now: looks[look] };
    crossed += integrateCrossing(grid, density, boundary, step);
    if (look < looks.length - 1) density = carryDensity(grid, density, step);
  }
  return Math.min(1, crossed);
}

/**
 * The nominal level that, used at every look, has the given overall level (Pocock, "Group sequential
 * methods in the design and analysis of clinical trials", 1977; here for any spacing of the looks).
 *
 * @param {number} alpha overall level, 0…1
 * @param {readonly number[]} looks sample sizes, ascending, positive
 * @returns {number}
 */
export function nominalLevel(alpha, looks) {
  const key = `${alpha}/${looks.join()}`;
  const known = nominalLevels.get(key);
  if (known !== undefined) return known;
  let low = alpha / looks.length;
  let high = alpha;
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (overallLevel(middle, looks) > alpha) high = middle;
    else low = middle;
  }
  if (nominalLevels.size >= MAX_REMEMBERED) nominalLevels.clear();
  nominalLevels.set(key, low);
  return low;
}

/** Share of α for the rough tests, which use every process. */
const ROUGH_SHARE = 0.05;

/**
 * The looks of a cell. With an early look there are two tests: a rough one at every look and, after the early look, one
 * of the undisturbed processes. The rough one has a small share of α and the other the rest, so that whatever either
 * does, the error rates add up to at most α (decisions 0029 and 0051).
 *
 * @typedef {object} LookPlan
 * @property {readonly number[]} looks sample sizes, ascending, without the early one
 * @property {number | undefined} early sample size of the early look
 */

/** @type {(plan: LookPlan & { early: number }) => number[]} */
function listRoughLooks({ looks, early }) {
  return [early, ...looks.filter((look) => look > early)];
}

/**
 * @param {number} alpha overall level
 * @param {LookPlan} plan
 * @param {boolean} [isRough] whether of the rough test
 * @returns {number} nominal level at each look
 */
export function levelOfLook(alpha, { looks, early }, isRough = false) {
  if (early === undefined) return nominalLevel(alpha, looks);
  if (!isRough) return nominalLevel((1 - ROUGH_SHARE) * alpha, looks);
  return nominalLevel(ROUGH_SHARE * alpha, listRoughLooks({ looks, early }));
}

/**
 * @param {LookPlan} plan
 * @param {{ rough: number, usual: number }} lowest nominal p of either test; 1 where there was none
 * @returns {number} p corrected for all looks: at most α where one of them rejects at its level
 */
export function sequentialP({ looks, early }, { rough, usual }) {
  if (early === undefined) return overallLevel(usual, looks);
  const p = Math.min(
    overallLevel(rough, listRoughLooks({ looks, early })) / ROUGH_SHARE,
    overallLevel(usual, looks) / (1 - ROUGH_SHARE),
  );
  return Math.min(1, p);
}

/**
 * Points from 0 to the boundary with Simpson weights. The densities are even functions, so half the
 * range is enough; the weights are doubled for it.
 * @param {number} boundary @param {readonly number[]} looks
 */
function makeGrid(boundary, looks) {
  let narrowest = Infinity;
  for (let look = 1; look < looks.length; look++) {
    narrowest = Math.min(narrowest, Math.sqrt(looks[look] / looks[look - 1] - 1));
  }
  const wanted = Math.ceil((STEPS_PER_DEVIATION * boundary) / narrowest / 2) * 2;
  const intervals = Math.min(Math.max(GRID_INTERVALS, wanted), MAX_GRID_INTERVALS);
  const width = boundary / intervals;
  const points = Array.from({ length: intervals + 1 }, (_, index) => index * width);
  const weights = points.map((_, index) => {
    const simpson = index === 0 || index === intervals ? 1 : index % 2 === 1 ? 4 : 2;
    return (2 * simpson * width) / 3;
  });
  return { points, weights };
}

/**
 * Probability of lying within the boundary at all looks before and beyond it at this one.
 *
 * @param {ReturnType<typeof makeGrid>} grid
 * @param {number[]} density of the statistic at the look before
 * @param {number} boundary
 * @param {{ before: number, now: number }} step sample sizes of the two looks
 */
function integrateCrossing({ points, weights }, density, boundary, { before, now }) {
  const spread = Math.sqrt(now - before);
  const edge = boundary * Math.sqrt(now);
  let sum = 0;
  for (let index = 0; index < points.length; index++) {
    const from = points[index] * Math.sqrt(before);
    const beyond =
      normalUpperTail((edge - from) / spread) + normalUpperTail((edge + from) / spread);
    sum += weights[index] * density[index] * beyond;
  }
  return sum;
}

/**
 * Density of the statistic at this look, for those within the boundary at all looks before.
 *
 * @param {ReturnType<typeof makeGrid>} grid
 * @param {number[]} density at the look before
 * @param {{ before: number, now: number }} step sample sizes of the two looks
 * @returns {number[]}
 */
function carryDensity({ points, weights }, density, { before, now }) {
  const spread = Math.sqrt(now - before);
  const scale = Math.sqrt(now) / spread;
  const ratio = Math.sqrt(before) / spread;
  return points.map((to) => {
    let sum = 0;
    for (let index = 0; index < points.length; index++) {
      const from = points[index] * ratio;
      // Mirrored starting points count half each: the doubled weight covers both signs.
      const arriving = normalDensity(to * scale - from) + normalDensity(to * scale + from);
      sum += weights[index] * density[index] * arriving;
    }
    return (sum * scale) / 2;
  });
}

/**
 * Holm's adjustment for several tests: rejecting what is at or below α keeps the probability of any
 * false rejection at α (Holm, "A simple sequentially rejective multiple test procedure", 1979).
 *
 * @param {number[]} pValues
 * @param {number} [count] of all tests, at least those given; the others count with a p-value of 1
 * @returns {number[]} adjusted, in the order given
 */
export function adjustByHolm(pValues, count = pValues.length) {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a] - pValues[b]);
  const adjusted = pValues.map(() => 1);
  let highest = 0;
  order.forEach((index, place) => {
    highest = Math.max(highest, Math.min(1, (count - place) * pValues[index]));
    adjusted[index] = highest;
  });
  return adjusted;
}
