import { omitUndefined } from '../../../lib/records.js';
import { takePlacementSpread } from '../../../stats/calibration/noise.js';
import { forEachArm } from '../../../stats/plan.js';
import { sumOf, toLogs } from '../../../stats/means.js';
import { USUAL } from '../../../stats/usual.js';
import { describeCells } from '../../history/store.js';
import { askStep } from '../../trend/question.js';
import { USUAL_PROCESSES, toResults } from '../../trend/series.js';
import { makeTrendStudy, update } from '../../trend/trend.js';
import { makeQuestion, playFigures } from '../looks.js';
import { drawNormal, drawPlacements } from '../noise.js';
import { placeCells } from './placements.js';
import { NOISE, PAIR_NOISE, SCHEDULES, SPREAD } from './times.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { PlannedJob, PlannedPlacementJob, Question, SeriesChange, SimulationLimits, Trend, TrendResult } from '../../../formats/types.ts' */
/** @import { TrendOutcome, TrendStepTask } from '../../trend/trend.js' */
/** @import { Scenario, SimulatedCell, SimulatedRun } from '../scenario.js' */

/**
 * @typedef {object} World
 * @property {number} points
 * @property {number} [first] points that are measured first; by default all
 * @property {number} spread standard deviation between builds of the same code, log scale
 * @property {boolean} [isCalibrated] whether the host has measured that spread in eight placements
 * @property {Record<number, number>} [steps] true ratio to the point before, by number of the point
 * @property {boolean} [isCutShort] whether the budget ends before neighbours are compared
 * @property {Question['schedule']} [schedule]
 */

/** What all points are compared with; none of them. */
const REFERENCE = 'reference';
const CELL = '0';

/** @type {(world: World, random: RandomGenerator) => Trend} before its first step */
function openTrend({ points, first = points, spread, isCalibrated, schedule }, random) {
  const question = makeQuestion(1, random.next(), {
    ...{ baseline: REFERENCE, placements: USUAL.placements },
    ...omitUndefined({ schedule }),
  });
  const specs = Array.from({ length: points }, (_, number) => String(number));
  const trend = {
    ...{ question, firstPoints: first, processes: USUAL_PROCESSES, steps: [], skipped: [] },
    points: specs.map((spec) => ({ spec, name: spec })),
    ...(isCalibrated === true ? { placementSpread: { [CELL]: calibrate(spread, random) } } : {}),
  };
  return update(/** @type {Trend} */ (/** @type {unknown} */ (trend)), {});
}

/** @type {(spread: number, random: RandomGenerator) => number} what a calibration finds */
function calibrate(placementSpread, random) {
  const logs = drawPlacements(8, { placementSpread, processSpread: SPREAD }, random);
  return takePlacementSpread(CELL, logs)?.spread.estimate ?? 0;
}

/**
 * @param {World} world
 * @param {RandomGenerator} random
 * @returns {{ codeOf: (spec: string) => number, levelOf: (spec: string, build?: number) => number }} log ratio of the
 *   code of a variant to the baseline, and with that of one of its builds; the first is the one that all steps measure
 */
function drawVariants({ points, spread, steps = {} }, random) {
  const codes = new Map([[REFERENCE, 0]]);
  let level = 0;
  for (let number = 0; number < points; number++) {
    level += Math.log(steps[number] ?? 1);
    codes.set(String(number), level);
  }
  /** @type {Map<string, number>} */
  const builds = new Map();
  const codeOf = (/** @type {string} */ spec) => codes.get(spec) ?? 0;
  return {
    codeOf,
    levelOf(spec, build = 0) {
      const key = `${spec}/${build}`;
      const own = builds.get(key) ?? spread * drawNormal(random);
      builds.set(key, own);
      return codeOf(spec) + own;
    },
  };
}

/**
 * @param {TrendStepTask} task
 * @param {Trend} trend
 * @param {(spec: string, build?: number) => number} levelOf
 * @param {RandomGenerator} random
 * @returns {TrendResult[]}
 */
function measureStep(task, trend, levelOf, random) {
  const question = askStep(trend, task);
  const specOf = (/** @type {string} */ arm, cell = 0) =>
    arm === 'candidate' ? task.candidates[question.cells[cell].candidate ?? 0] : task.baseline;
  const draw = (question.schedule === 'paired' ? PAIR_NOISE.pairs : NOISE.normal)(random);
  const noiseOf = (/** @type {PlannedJob | PlannedPlacementJob} */ job) => draw(job) ?? NaN;
  const played = playFigures(
    question,
    (job, cell) => levelOf(specOf(job.arm, cell)) + noiseOf(job),
  );
  const judged = placeCells(
    played,
    question,
    (cell, job) => levelOf(specOf(job.arm, cell), job.placement) + noiseOf(job),
  );
  const described = judged.map((comparison, cell) => ({
    ...comparison,
    processes: forEachArm(() => played[cell].samples.at(-1)?.size ?? 0),
  }));
  return toResults(describeCells(described, question));
}

/**
 * Measures until nothing is open. A run is wrong if it has a change between points of the same code. Each true step is a
 * cell, and so is a trend without any; what is found between its points is its verdict.
 *
 * @param {World} world
 * @param {RandomGenerator} random
 * @returns {SimulatedRun}
 */
function playTrend(world, random) {
  const { codeOf, levelOf } = drawVariants(world, random);
  const study = makeTrendStudy(
    () => Promise.reject(new Error('the scenario measures')),
    () => Infinity,
  );
  const session = { path: '', results: [], elapsedMs: () => 0, isInterrupted: () => false };
  let trend = openTrend(world, random);
  for (;;) {
    const task = study.next(trend, session);
    if (task === null || (world.isCutShort === true && task.purpose === 'neighbours')) break;
    /** @type {TrendOutcome} */
    const result = {
      ...{ results: measureStep(task, trend, levelOf, random), skipped: [], runId: 'run' },
      ...{ ended: 'complete', seconds: 1, sessionSeconds: 1 },
    };
    trend = study.absorb(trend, { task, result, ms: 1 });
  }
  const { changes } = trend.series[0];
  const processes = sumOf(
    trend.steps.flatMap(({ results }) => results.map((result) => result.processes)),
  );
  const truths = Object.entries(world.steps ?? { 0: 1 });
  return {
    cells: truths.map(([number, ratio]) => {
      const found = changes.find(
        ({ before, after }) => Number(before) < Number(number) && Number(number) <= Number(after),
      );
      return { truth: Math.log(ratio), ...describeFound(found), processes };
    }),
    isWrong: changes.some(({ before, after }) => codeOf(before) === codeOf(after)),
  };
}

/** @type {(change: SeriesChange | undefined) => Pick<SimulatedCell, 'verdict' | 'interval'>} */
function describeFound(change) {
  if (change === undefined) return { verdict: 'inconclusive', interval: null };
  const { step } = change;
  return { verdict: step.estimate > 1 ? 'slower' : 'faster', interval: toLogs(step) };
}

/** @type {(name: string, world: World, limits?: SimulationLimits) => Scenario} */
function makeScenario(name, world, limits = { wrong: 0.02 }) {
  return {
    group: 'trends',
    name: `${name}${world.schedule === undefined ? '' : ', pairs'}`,
    limits,
    play: (random) => playTrend(world, random),
  };
}

/** Standard deviations between builds: usual, and in the worst cell that is known. */
const SPREADS = [0.005, 0.023];
const STEPS = { 14: 0.8, 33: 1.08, 49: 0.96 };

/** @type {Scenario[]} */
export const TREND_SCENARIOS = SCHEDULES.flatMap((schedule) =>
  SPREADS.flatMap((spread) =>
    [false, true].flatMap((isCalibrated) => {
      const common = { spread, isCalibrated, ...omitUndefined({ schedule }) };
      const builds = `spread ${100 * spread} %${isCalibrated ? ', calibrated' : ''}`;
      return [
        makeScenario(`10 points alike, ${builds}`, { ...common, points: 10 }),
        makeScenario(`100 points alike, ${builds}`, { ...common, points: 100 }),
        makeScenario(
          `100 points alike, ${builds}, cut short`,
          { ...common, points: 100, isCutShort: true },
          { wrong: 0.05 },
        ),
        makeScenario(
          `60 points, 9 first, three steps, ${builds}`,
          { ...common, points: 60, first: 9, steps: STEPS },
          // Each of the several places that are compared side by side may be wrong.
          { wrong: 0.05, missed: 0.05 },
        ),
      ];
    }),
  ),
);
