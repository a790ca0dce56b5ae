import { omitUndefined } from '../../../lib/records.js';
import { toRatios } from '../../../stats/means.js';
import { choosePlacementCell, isPlaced, judgePlacements } from '../../../stats/placement.js';
import { planPlacements } from '../../../stats/placement-plan.js';
import { USUAL } from '../../../stats/usual.js';
import { scheduleOf } from '../../../stats/schedule.js';
import { makeQuestion, playFigures } from '../looks.js';
import { drawNormal } from '../noise.js';
import { NOISE, PAIR_NOISE, SCHEDULES } from './times.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { CellComparison, PlacementObservation, PlannedPlacementJob, Question } from '../../../formats/types.ts' */
/** @import { PlacementRun } from '../../../stats/placement.js' */
/** @import { SimulatedRun, Scenario } from '../scenario.js' */

/**
 * @typedef {object} Truth
 * @property {number} difference candidate / baseline on average over placements, log scale
 * @property {number} spread standard deviation between placements, log scale
 */

/** @typedef {Record<'baseline' | 'candidate', number[]>} PlacementLevels log scale, by placement, the built one first */

/** @type {(truth: Truth, random: RandomGenerator) => PlacementLevels} */
function drawLevels({ difference, spread }, random) {
  const draw = (/** @type {number} */ centre) =>
    Array.from({ length: USUAL.placements + 1 }, () => centre + spread * drawNormal(random));
  return { baseline: draw(0), candidate: draw(difference) };
}

/**
 * One run: the times up to their last look, then as many placements as the run would measure.
 *
 * @param {Truth[]} truths by cell
 * @param {RandomGenerator} random
 * @param {Question['schedule']} [schedule]
 * @returns {SimulatedRun}
 */
function playRun(truths, random, schedule) {
  const question = makeQuestion(truths.length, random.next(), {
    placements: USUAL.placements,
    ...omitUndefined({ schedule }),
  });
  const { comparesPlacedPairs } = scheduleOf(question);
  const drawNoise = (comparesPlacedPairs ? PAIR_NOISE.pairs : NOISE.normal)(random);
  const levels = truths.map((truth) => drawLevels(truth, random));
  const played = playFigures(question, (job, cell) => {
    const [built] = levels[cell][job.arm === 'candidate' ? 'candidate' : 'baseline'];
    return built + (drawNoise(job) ?? NaN);
  });
  const judged = placeCells(played, question, (cell, job) => {
    return levels[cell][job.arm][job.placement] + (drawNoise(job) ?? NaN);
  });
  return {
    cells: judged.map(({ verdict }, cell) => ({
      truth: truths[cell].difference,
      truthAsBuilt: levels[cell].candidate[0] - levels[cell].baseline[0],
      verdict,
      interval: played[cell].judgement.effect?.interval ?? null,
      processes: played[cell].samples.at(-1)?.size ?? 0,
    })),
  };
}

/**
 * The stage of placements after the times.
 *
 * @param {ReturnType<typeof playFigures>} played
 * @param {Question} question
 * @param {(cell: number, job: PlannedPlacementJob) => number} drawFigure log scale
 * @returns {CellComparison[]} in the order of the cells, with what this stage knows of them
 */
export function placeCells(played, question, drawFigure) {
  const byTimes = played.map(({ judgement }, cell) => describeTimes(judgement, question, cell));
  const run = measurePlacements(byTimes, question, drawFigure);
  return judgePlacements({ cells: byTimes, warnings: [] }, { ...run, ended: 'complete' }).cells;
}

/**
 * @param {ReturnType<typeof playFigures>[number]['judgement']} judgement
 * @param {Question} question
 * @param {number} cell
 * @returns {CellComparison} what the stage of placements reads of it
 */
function describeTimes({ verdict, strong, effect, pAdjusted }, { cells }, cell) {
  const described =
    effect === null
      ? null
      : {
          ratio: toRatios(effect.interval),
          standardError: effect.test.standardError,
          degreesOfFreedom: effect.test.degreesOfFreedom,
          pSequential: effect.pSequential,
          pAdjusted,
        };
  const comparison = {
    ...{ cell: cells[cell], verdict, strong, effect: described },
    ...{ detectableEffect: null, warnings: [] },
  };
  return /** @type {CellComparison} */ (/** @type {unknown} */ (comparison));
}

/**
 * Measures cells in other placements, chosen as a run chooses them.
 *
 * @param {CellComparison[]} byTimes
 * @param {Question} question
 * @param {(cell: number, job: PlannedPlacementJob) => number} drawFigure log scale
 * @returns {PlacementRun}
 */
function measurePlacements(byTimes, question, drawFigure) {
  /** @type {PlacementObservation[]} */
  const placementObservations = [];
  const variants = { baseline: {}, candidates: [{}] };
  const manifest = { question, variants, runtimes: [], expectedDigests: {} };
  const unknown = /** @type {unknown} */ ({ manifest, observations: [], placementObservations });
  const run = /** @type {PlacementRun} */ (unknown);
  /** @type {string[]} */
  const chosen = [];
  for (;;) {
    const cellId = choosePlacementCell(byTimes, chosen, run);
    if (cellId === null) return run;
    const cell = byTimes.findIndex((each) => each.cell.id === cellId);
    for (const jobs of planPlacements(question, cellId, USUAL.placements)) {
      for (const job of jobs) {
        const ns = Math.exp(drawFigure(cell, job));
        const measurement = { batchNsPerDocument: [ns] };
        // Partners start at the same time.
        const done = { startedAtMs: 0, outcome: 'done', measurement };
        const observation = /** @type {unknown} */ ({ ...job, ...done });
        placementObservations.push(/** @type {PlacementObservation} */ (observation));
      }
      if (isPlaced(byTimes, cellId, run)) break;
    }
    chosen.push(cellId);
  }
}

/** Standard deviations between placements. Calibration found 2.3 % in one cell of four, 0 to 0.5 % in three. */
const SPREADS = [0, 0.01, 0.015, 0.023, 0.03, 0.05];

/** @param {number} share */
function formatPercent(share) {
  return `${Number((share * 100).toPrecision(3))} %`;
}

/** A difference of several standard deviations is found nearly always. */
const OVERLOOKED = 0.05;

/** @type {(count: number, share: number, spread: number, schedule?: Question['schedule']) => Scenario} */
function makeScenario(count, share, spread, schedule) {
  const truth = { difference: Math.log1p(share), spread };
  const isLarge = share >= 0.05 && share >= 4 * spread;
  return {
    group: 'placements',
    name: `${share === 0 ? 'equal' : `${formatPercent(share)} slower`}, spread ${formatPercent(spread)}${count === 1 ? '' : `, ${count} cells`}${schedule === undefined ? '' : ', pairs'}`,
    limits: {
      falselyEquivalent: 0.01,
      ...(share === 0 ? { wrong: 0.02 } : {}),
      ...(isLarge ? { overlooked: OVERLOOKED } : {}),
    },
    play: (random) => playRun(Array(count).fill(truth), random, schedule),
  };
}

export const PLACEMENT_SCENARIOS = SCHEDULES.flatMap((schedule) => [
  ...[0, 0.03, 0.05, 0.1].flatMap((share) =>
    SPREADS.map((spread) => makeScenario(1, share, spread, schedule)),
  ),
  ...[0, 0.05].flatMap((share) =>
    [0, 0.023, 0.05].map((spread) => makeScenario(6, share, spread, schedule)),
  ),
]);
