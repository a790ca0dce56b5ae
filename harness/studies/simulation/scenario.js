import { takeProportion } from '../../stats/calibration/noise.js';
import { seedGenerator } from '../../stats/random.js';
import { forEachVerdict, isDirection, isFaster, isSlower } from '../../stats/verdicts.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/** @import { LogInterval } from '../../stats/decision-rule.js' */
/** @import { SimulationLimits, SimulationRates, VerdictWord } from '../../formats/types.ts' */

/**
 * A cell of a simulated run, as judged when measuring stopped.
 *
 * @typedef {object} SimulatedCell
 * @property {number} truth logarithm of the true ratio candidate / baseline
 * @property {number} [truthAsBuilt] the same of the two builds that were measured, where another build of
 *   the same code has another ratio; `truth` is then the mean over builds. A direction is on `truth`,
 *   interval and `equivalent` are on this
 * @property {VerdictWord} verdict
 * @property {LogInterval | null} interval the reported one, log scale
 * @property {number} processes per variant
 */

/**
 * @typedef {object} SimulatedRun
 * @property {SimulatedCell[]} cells
 * @property {boolean} [isWrong] whether the result breaks the promise; by default, whether a cell has a
 *   direction that is not the true one
 */

/**
 * Simulated runs with a known truth, judged by the functions that judge real runs.
 *
 * @typedef {object} Scenario
 * @property {string} group `times`, `ranking`, `interference`, `hosts`, `placements`, `memory`, `claims`, `trends` or `continuous`
 * @property {string} name unique within the group
 * @property {SimulationLimits} limits
 * @property {number} [minimumEffect] log scale, of `falselyEquivalent`
 * @property {(random: RandomGenerator) => SimulatedRun} play one run
 */

/**
 * @param {Scenario} scenario
 * @param {number} runs
 * @param {number} seed equal seeds give equal rates
 * @returns {SimulationRates}
 */
export function simulate({ play, minimumEffect = Math.log(1.03) }, runs, seed) {
  const random = seedGenerator(seed);
  const played = Array.from({ length: runs }, () => play(random));
  const cells = played.flatMap((run) => run.cells);
  const different = cells.filter(({ truth }) => truth !== 0);
  const withInterval = cells.filter(({ interval }) => interval !== null);
  // The logarithm of a ratio at the minimum may be a rounding error below it.
  const atMargin = cells.filter((cell) => Math.abs(builtOf(cell)) >= minimumEffect - 1e-12);
  return {
    runs,
    shares: {
      wrong: shareOf(played, (run) => run.isWrong ?? run.cells.some(isFalseDirection)),
      missed: shareOf(withInterval, isMissed),
      falselyEquivalent: shareOf(atMargin, ({ verdict }) => verdict === 'equivalent'),
      overlooked: shareOf(
        different,
        (cell) => !isDirection(cell.verdict) || isFalseDirection(cell),
      ),
    },
    verdicts: forEachVerdict(
      (word) => cells.filter(({ verdict }) => verdict === word).length / cells.length,
    ),
    processes: cells.reduce((sum, { processes }) => sum + processes, 0) / cells.length,
    stops: listStops(withInterval),
  };
}

/** @template T @param {T[]} items @param {(item: T) => boolean} has */
function shareOf(items, has) {
  return takeProportion(items.filter(has).length, items.length);
}

/** @param {SimulatedCell} cell */
function isFalseDirection({ verdict, truth }) {
  return (isSlower(verdict) && truth <= 0) || (isFaster(verdict) && truth >= 0);
}

/** @param {SimulatedCell} cell */
function isMissed(cell) {
  const truth = builtOf(cell);
  return cell.interval !== null && (truth < cell.interval.low || truth > cell.interval.high);
}

/** @param {SimulatedCell} cell */
function builtOf({ truth, truthAsBuilt = truth }) {
  return truthAsBuilt;
}

/** @param {SimulatedCell[]} cells with intervals */
function listStops(cells) {
  /** @type {Map<number, { cells: number, errors: number }>} */
  const sums = new Map();
  for (const cell of cells) {
    const { processes, interval } = cell;
    const truth = builtOf(cell);
    const sum = sums.get(processes) ?? { cells: 0, errors: 0 };
    sum.cells += 1;
    sum.errors += (interval?.estimate ?? truth) - truth;
    sums.set(processes, sum);
  }
  return [...sums]
    .map(([processes, { cells: count, errors }]) => ({
      processes,
      cells: count,
      bias: errors / count,
    }))
    .toSorted((a, b) => a.processes - b.processes);
}
