import { describeCell } from './cell/description.js';
import { collectCells, logFiguresOf, poolBaseline, sampleLooks } from './cell/samples.js';
import { MIN_PROCESSES, judgeCells } from './decision-rule.js';
import { collectWarnings } from './notes.js';
import { forEachArm } from './plan.js';
import { drawIndex, seedGenerator } from './random.js';
import { meanOfTrimmed } from './robust.js';

/** @import { Cell, Environment, HostNoise, Observation, OperationSummary, Question, RatioInterval, RunPart, Thresholds, Verdict } from '../formats/types.ts' */
/** @import { CellDescription } from './cell/description.js' */
/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/**
 * The part of verdict.json that follows from the timed observations, and, by cell id, whether measuring
 * of that cell can stop.
 *
 * @typedef {Pick<Verdict, 'cells' | 'summaries' | 'warnings'> & {
 *   decided: Record<string, boolean>,
 *   interimLooks: Record<string, number[]>,
 * }} RunComparison
 */

/**
 * Turns observations into verdicts. Deterministic: the order of the observations does not matter.
 *
 * Call it at the looks of the question. A call at any other time uses all observations and corrects for
 * one additional look; repeated calls until the result pleases are not corrected for.
 *
 * @param {object} run
 * @param {Question} run.question
 * @param {Iterable<Observation>} run.observations
 * @param {Record<string, string>} [run.expectedDigests] by cell id; other outputs are refused
 * @param {Verdict['ended']} [run.ended]
 * @param {Environment | null} [run.environment]
 * @param {HostNoise | null} [run.hostNoise]
 * @param {RunPart[] | undefined} [run.parts] of a merged run
 * @param {Thresholds | undefined} [run.thresholds] of a calibration of the host
 * @param {Record<string, number[]>} [run.interimLooks] by cell id, sizes of the unplanned looks that
 *   earlier sessions took
 * @returns {RunComparison} cells in the order of the question
 * @throws {import('../lib/errors.js').FormatError} when an observation belongs to another run
 */
export function compareRun({
  question,
  observations,
  expectedDigests = {},
  ended = 'complete',
  environment = null,
  hostNoise = null,
  parts,
  thresholds,
  interimLooks = {},
}) {
  const records = collectCells(question, observations, expectedDigests);
  const inputs = records.map((record) => ({
    samples: sampleLooks(record, question.looks, interimLooks[record.cell.id]),
    refused: record.wrongArms.length > 0,
    bands: question.bands?.[record.cell.id] ?? [],
  }));
  const judgements = judgeCells(inputs, question);
  const cells = records.map((record, index) =>
    describeCell(record, inputs[index].samples, judgements[index], question),
  );
  const warnings = collectWarnings(question, cells, {
    ended,
    environment,
    hostNoise,
    ...(parts === undefined ? {} : { parts }),
    ...(thresholds === undefined ? {} : { thresholds }),
  });
  return {
    cells: cells.map(({ comparison }) => comparison),
    summaries: summarizeOperations(cells, question.seed),
    warnings,
    decided: Object.fromEntries(
      cells.map(({ record, judgement }) => [record.cell.id, judgement.decided]),
    ),
    interimLooks: listInterimLooks(cells, question.looks),
  };
}

/**
 * @param {CellDescription[]} cells
 * @param {readonly number[]} planned
 * @returns {Record<string, number[]>} by cell id, those with enough processes for a verdict
 */
function listInterimLooks(cells, planned) {
  const looked = cells.map(({ record, judgement }) => {
    const own = judgement.looks.filter((size) => size >= MIN_PROCESSES && !planned.includes(size));
    return /** @type {const} */ ([record.cell.id, own]);
  });
  return Object.fromEntries(looked.filter(([, own]) => own.length > 0));
}

/**
 * One geometric mean for each operation and Node that has a cell with enough processes and correct
 * output.
 *
 * @param {CellDescription[]} cells
 * @param {number} seed
 * @returns {OperationSummary[]} in the order in which the question first names the operations
 */
function summarizeOperations(cells, seed) {
  const random = seedGenerator(seed);
  const usable = cells.filter(
    ({ comparison: { processes, verdict } }) =>
      verdict !== 'refused' && Math.min(processes.baseline, processes.candidate) >= MIN_PROCESSES,
  );
  const keys = new Set(usable.map(({ record }) => keyOf(record.cell)));
  return [...keys].map((key) => {
    const included = usable.filter(({ record }) => keyOf(record.cell) === key);
    const { operation, node } = included[0].record.cell;
    // The mean of a single cell is its own ratio, with the same interval.
    const [{ comparison: only }] = included;
    const ratio =
      included.length === 1 && only.effect !== null
        ? only.effect.ratio
        : bootstrapGeometricMean(included.map(takeFigures), random);
    const cellCount = included.length;
    return { operation, ...(node === undefined ? {} : { node }), cellCount, ratio };
  });
}

/** @param {Cell} cell */
function keyOf({ operation, node }) {
  return `${operation} ${node}`;
}

/** @type {(description: CellDescription) => CellFigures} */
function takeFigures({ record: { arms } }) {
  const figures = forEachArm((arm) => logFiguresOf(arms[arm]));
  return { baseline: poolBaseline(figures), candidate: figures.candidate };
}

/** About as many values are drawn for one interval, which limits the replicates. */
const DRAW_BUDGET = 1_000_000;
const MIN_REPLICATES = 200;
const MAX_REPLICATES = 2000;
/** A larger arm is resampled at this size, and its deviation scaled. */
const MAX_RESAMPLED = 400;
/** Two-sided: 95 % of the replicates lie within the interval. */
const LEVEL = 0.05;

/** @typedef {{ baseline: number[], candidate: number[] }} CellFigures log figures of processes */

/**
 * Geometric mean over cells of the ratio of trimmed means, with a percentile interval from a bootstrap:
 * processes are drawn with replacement within each arm of each cell (Davison and Hinkley, "Bootstrap
 * Methods and their Application", 1997, section 3.2). Batches are not resampled: their variation is part
 * of the variation between processes.
 *
 * The work is bounded for runs of any size. Arms above 400 processes are drawn at 400 and their
 * deviations scaled by √(400 / n); there are 200 to 2000 replicates, as many as a million draws allow.
 * Sequential looks are not corrected for: the mean only describes, verdicts are those of cells.
 *
 * @param {CellFigures[]} cells each arm with at least one process
 * @param {RandomGenerator} random advanced by the call
 * @returns {RatioInterval}
 */
export function bootstrapGeometricMean(cells, random) {
  const arms = cells.flatMap(({ baseline, candidate }) => [
    prepareArm(baseline, -1),
    prepareArm(candidate, 1),
  ]);
  const draws = arms.reduce((sum, { scratch }) => sum + scratch.length, 0);
  const affordable = Math.floor(DRAW_BUDGET / draws);
  const replicates = Math.min(Math.max(affordable, MIN_REPLICATES), MAX_REPLICATES);
  const estimate = arms.reduce((sum, { sign, mean }) => sum + sign * mean, 0) / cells.length;
  const drawn = new Float64Array(replicates);
  for (let replicate = 0; replicate < replicates; replicate++) {
    let deviation = 0;
    for (const arm of arms) deviation += arm.sign * drawDeviation(arm, random);
    drawn[replicate] = estimate + deviation / cells.length;
  }
  drawn.sort();
  return {
    estimate: Math.exp(estimate),
    low: Math.exp(quantileOf(drawn, LEVEL / 2)),
    high: Math.exp(quantileOf(drawn, 1 - LEVEL / 2)),
  };
}

/**
 * @param {number[]} figures
 * @param {1 | -1} sign of the arm in the difference
 */
function prepareArm(figures, sign) {
  const pool = Float64Array.from(figures).sort();
  const size = Math.min(pool.length, MAX_RESAMPLED);
  return {
    sign,
    mean: meanOfTrimmed(pool),
    pool,
    scratch: new Float64Array(size),
    scale: Math.sqrt(size / pool.length),
  };
}

/**
 * The deviation of the trimmed mean of a resampled arm from the real one.
 *
 * @param {ReturnType<typeof prepareArm>} arm
 * @param {RandomGenerator} random
 */
function drawDeviation({ pool, scratch, mean, scale }, random) {
  for (let index = 0; index < scratch.length; index++) {
    scratch[index] = pool[drawIndex(random, pool.length)];
  }
  scratch.sort();
  return (meanOfTrimmed(scratch) - mean) * scale;
}

/**
 * @param {Float64Array} sorted
 * @param {number} share 0…1
 */
function quantileOf(sorted, share) {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}
