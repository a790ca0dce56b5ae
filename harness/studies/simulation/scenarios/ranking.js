import { isFaster, isSlower } from '../../../stats/verdicts.js';
import { makeQuestion, playFigures } from '../looks.js';
import { drawNormal } from '../noise.js';
import { NOISE, SPREAD } from './times.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { PlannedJob, SimulationLimits } from '../../../formats/types.ts' */
/** @import { Scenario, SimulatedCell } from '../scenario.js' */

/** The second variant has another spread than the first. @type {(factor: number) => (random: RandomGenerator) => (job: PlannedJob) => number} */
const unequal =
  (factor) =>
  (random) =>
  ({ cellId }) =>
    (cellId.endsWith('b1') ? factor : 1) * SPREAD * drawNormal(random);

/** @type {typeof NOISE} */
const NOISES = {
  ...NOISE,
  'one variant with three times the spread': unequal(3),
  'one variant with a third of the spread': unequal(1 / 3),
};

/**
 * A run is wrong if it excludes a true best, calls a variant the best that is not the only one, or has an interval
 * without the truth.
 *
 * @param {string} name
 * @param {object} truth
 * @param {string} truth.noise
 * @param {number[]} truth.times of the variants relative to each other
 * @param {number} [truth.workloads]
 * @param {SimulationLimits} [limits]
 * @returns {Scenario}
 */
function makeScenario(name, { noise, times, workloads = 1 }, limits = { wrong: 0.02 }) {
  const logs = times.map(Math.log);
  const truthOf = (/** @type {number} */ cell) => {
    const own = cell % logs.length;
    return logs[own] - Math.min(...logs.filter((_, variant) => variant !== own));
  };
  return {
    group: 'ranking',
    name,
    limits,
    play(random) {
      const question = makeQuestion(workloads, random.next(), {
        candidates: times.map((_, index) => `b${index}`),
        rank: true,
      });
      const draw = NOISES[noise](random);
      const played = playFigures(question, (job, cell) => {
        const value = draw(job);
        return value === null ? null : value + logs[cell % logs.length];
      });
      const cells = played.map(({ judgement, samples }, cell) => ({
        truth: truthOf(cell),
        verdict: judgement.verdict,
        interval: judgement.standing?.interval ?? null,
        processes: samples.at(-1)?.size ?? 0,
      }));
      return { cells, isWrong: cells.some(isWrong) };
    },
  };
}

/** @param {SimulatedCell} cell */
function isWrong({ truth, verdict, interval }) {
  const isMissed = interval !== null && (truth < interval.low || truth > interval.high);
  return isMissed || (isSlower(verdict) && truth <= 0) || (isFaster(verdict) && truth >= 0);
}

/** @type {Record<string, number[]>} */
const TRUTHS = {
  '3 equal': [1, 1, 1],
  '4 equal': [1, 1, 1, 1],
  '8 equal': Array(8).fill(1),
  'the best of 4 by 2 %': [1, 1.02, 1.02, 1.02],
  'two best of 4': [1, 1, 1.1, 1.3],
  'a ladder of 4 in steps of 5 %': [1, 1.05, 1.1, 1.15],
};

/** @type {Scenario[]} */
export const RANKING_SCENARIOS = [
  ...Object.entries(TRUTHS).flatMap(([name, times]) =>
    /** @type {const} */ ([
      'normal',
      'Student t, 3 degrees of freedom',
      'skewed',
      '30 % of the processes 1.5 times slower',
    ]).map((noise) => makeScenario(`${noise}, ${name}`, { noise, times })),
  ),
  ...Object.keys(NOISES)
    .filter((noise) => noise !== 'normal' && !noise.startsWith('candidate'))
    .map((noise) => makeScenario(`${noise}, 2 equal`, { noise, times: [1, 1] })),
  makeScenario('normal, 2 equal', { noise: 'normal', times: [1, 1] }),
  makeScenario('normal, 4 equal, 6 workloads', {
    noise: 'normal',
    times: [1, 1, 1, 1],
    workloads: 6,
  }),
  // Power: an excluded variant is one whose difference was found.
  makeScenario(
    'normal, 3 of 4 slower by 5 %',
    { noise: 'normal', times: [1, 1.05, 1.05, 1.05] },
    { wrong: 0.02, overlooked: 0.05 },
  ),
];
