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
const ROUGH_SHARE = 0.2;

/**
 * The looks of a cell. Where there is a rough test beside that of the undisturbed processes, it has a share of α and the
 * other the rest, so that whatever either does, the error rates add up to at most α (decisions 0029 and 0051).
 *
 * @typedef {object} LookPlan
 * @property {readonly number[]} looks sample sizes, ascending, as planned
 * @property {boolean} hasRough whether there are two tests at each of them
 * @property {readonly number[]} [unplanned] sizes of other looks, ascending
 * @property {number} [size] of the last look; by default a planned one
 */

/** @type {(plan: LookPlan, isRough: boolean) => number} share of α that a test has */
function shareOf({ hasRough }, isRough) {
  if (!hasRough) return 1;
  return isRough ? ROUGH_SHARE : 1 - ROUGH_SHARE;
}

/**
 * @param {number} alpha overall level
 * @param {LookPlan} plan
 * @param {boolean} [isRough] whether of the rough test
 * @returns {number} nominal level at the last look
 */
export function levelOfLook(alpha, plan, isRough = false) {
  const planned = nominalLevel(shareOf(plan, isRough) * alpha, plan.looks);
  return plan.size === undefined ? planned : spendLevel(planned, plan, plan.size);
}

/**
 * @param {LookPlan} plan
 * @param {{ rough: number, usual: number }} lowest p of either test, as if of a planned look; 1 where there was none
 * @returns {number} p corrected for all looks: at most α where one of them rejects at its level
 */
export function sequentialP(plan, { rough, usual }) {
  const correct = (/** @type {number} */ p, /** @type {boolean} */ isRough) =>
    overallLevel(p, plan.looks) / shareOf(plan, isRough);
  if (!plan.hasRough) return correct(usual, false);
  return Math.min(1, correct(rough, true), correct(usual, false));
}

/** Larger p-values reject at no level that is used. */
const MAX_P = 0.2;

/**
 * The nominal p-value that a planned look would need to say as much as this one: planned looks that have this level leave
 * exactly p to the look of this size.
 *
 * @param {number} p nominal
 * @param {LookPlan} plan
 * @param {number} size of the look
 * @returns {number}
 */
export function toPlannedP(p, plan, size) {
  if (!isAffected(plan, size)) return p;
  if (p > MAX_P) return 1;
  if (p < UNION_IS_EXACT) return p;
  let [low, high] = [2 * Math.log(p), 0];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (spendLevel(Math.exp(middle), plan, size) < p) low = middle;
    else high = middle;
  }
  return Math.exp(high);
}

/** Whether an unplanned look has taken a part of what the look of this size has. @type {(plan: Pick<LookPlan, 'looks' | 'unplanned'>, size: number) => boolean} */
function isAffected({ looks, unplanned = [] }, size) {
  const before = Math.max(0, ...looks.filter((look) => look < size));
  return unplanned.some((look) => look > before && look <= size);
}

/** @type {Map<string, number>} */
const spentLevels = new Map();

/**
 * The nominal level of a look, when planned looks alone would have this one. By each planned look as much of the error is
 * spent as by planned looks alone; an unplanned look between two spends its part by sample size, and the next one the
 * rest (Lan and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70, 1983). So the level of a look
 * does not depend on later ones, and all together spend what planned ones would.
 *
 * @param {number} planned
 * @param {Pick<LookPlan, 'looks' | 'unplanned'>} plan
 * @param {number} size
 * @returns {number}
 */
function spendLevel(planned, { looks, unplanned = [] }, size) {
  if (!isAffected({ looks, unplanned }, size) || planned >= 1) return planned;
  const key = `${planned}/${looks.join()}/${unplanned.join()}/${size}`;
  const known = spentLevels.get(key);
  if (known !== undefined) return known;
  const last = looks.at(-1) ?? 0;
  // A look after the last planned one is as good as planned.
  const whole = [...looks, ...unplanned.filter((look) => look > last)];
  const ends = [0, ...whole.map((_, index) => overallLevel(planned, whole.slice(0, index + 1)))];
  const spentBy = (/** @type {number} */ at) => {
    const next = whole.findIndex((look) => look >= at);
    const from = whole[next - 1] ?? 0;
    return ends[next] + ((at - from) / (whole[next] - from)) * (ends[next + 1] - ends[next]);
  };
  const all = [...new Set([...whole, ...unplanned])].sort((a, b) => a - b);
  const taken = all.filter((look) => look <= size);
  /** @type {{ grid: ReturnType<typeof makeGrid>, density: number[], at: number } | null} */
  let state = null;
  let level = 0;
  for (const now of taken) {
    const wanted = spentBy(now) - (state === null ? 0 : spentBy(state.at));
    level = findLevel(wanted, state, now);
    const grid = makeGrid(normalCritical(level), all);
    /** @type {number[]} */
    const density =
      state === null
        ? grid.points.map(normalDensity)
        : carryDensity(state.grid, state.density, { before: state.at, now }, grid.points);
    state = { grid, density, at: now };
  }
  if (spentLevels.size >= MAX_REMEMBERED) spentLevels.clear();
  spentLevels.set(key, level);
  return level;
}

/** @type {(wanted: number, state: { grid: ReturnType<typeof makeGrid>, density: number[], at: number } | null, now: number) => number} level at which a look is the first to reject with this probability */
function findLevel(wanted, state, now) {
  if (state === null) return wanted;
  const { grid, density, at } = state;
  // No level rejects less often than it says.
  let [low, high] = [Math.log(wanted), 0];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    const boundary = normalCritical(Math.exp(middle));
    if (integrateCrossing(grid, density, boundary, { before: at, now }) > wanted) high = middle;
    else low = middle;
  }
  return Math.exp(low);
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
 * @param {number[]} [targets] points of the grid of this look, where it has another boundary
 * @returns {number[]}
 */
function carryDensity({ points, weights }, density, { before, now }, targets = points) {
  const spread = Math.sqrt(now - before);
  const scale = Math.sqrt(now) / spread;
  const ratio = Math.sqrt(before) / spread;
  return targets.map((to) => {
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
