import { describeCell } from './cell-description.js';
import { collectCells, poolBaseline, sampleLooks } from './cell-samples.js';
import { MIN_PROCESSES, judgeCells } from './decision-rule.js';
import { collectWarnings } from './notes.js';
import { drawIndex, seedGenerator } from './random.js';
import { meanOfTrimmed } from './robust.js';

/** @import { Cell, Environment, HostNoise, Observation, OperationSummary, Question, RatioInterval, RunPart, Thresholds, Verdict } from '../formats/types.ts' */
/** @import { CellDescription } from './cell-description.js' */
/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/**
 * What the observations of a run amount to: the part of verdict.json that follows from the data,
 * and, by cell id, whether measuring of that cell can stop.
 *
 * @typedef {Pick<Verdict, 'cells' | 'summaries' | 'warnings'> & {
 *   decided: Record<string, boolean>,
 *   interimLooks: Record<string, number[]>,
 * }} RunComparison
 */

/**
 * Turns observations into verdicts. Deterministic: the same question and the same set of
 * observations, in any order, give the same result.
 *
 * To be asked at the looks of the question. Whenever else it is asked it answers from everything
 * there is and corrects for that one look more; asking again and again until an answer pleases is
 * what no correction allows for.
 *
 * @param {object} run
 * @param {Question} run.question
 * @param {Iterable<Observation>} run.observations
 * @param {Record<string, string>} [run.expectedDigests] by cell id; outputs that differ are refused
 * @param {Verdict['ended']} [run.ended]
 * @param {Environment | null} [run.environment]
 * @param {HostNoise | null} [run.hostNoise]
 * @param {RunPart[] | undefined} [run.parts] of a run that was merged
 * @param {Thresholds | undefined} [run.thresholds] of a calibration of the host
 * @param {Record<string, number[]>} [run.interimLooks] by cell id, sizes between the planned looks at
 *   which a verdict was given before: what was looked at once stays looked at
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
 * One geometric mean for every operation and Node with a cell that has enough processes and right bytes.
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
    // The mean of one cell is the cell's own ratio, with the same interval.
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

/**
 * @param {CellDescription} description
 * @returns {CellFigures}
 */
function takeFigures({ record: { arms } }) {
  const [baseline, candidate, control] = [arms.baseline, arms.candidate, arms.control].map((jobs) =>
    jobs.flatMap(({ logFigure }) => (logFigure === null ? [] : logFigure)),
  );
  return { baseline: poolBaseline({ baseline, candidate, control }), candidate };
}

/** Values drawn for one interval, about; decides how many replicates there are. */
const DRAW_BUDGET = 1_000_000;
const MIN_REPLICATES = 200;
const MAX_REPLICATES = 2000;
/** An arm with more processes is resampled at this size and its deviation scaled to the real one. */
const MAX_RESAMPLED = 400;
/** Two-sided: 95 % of the replicates lie within the interval. */
const LEVEL = 0.05;

/**
 * The figures of one cell: of every process the logarithm of its nanoseconds.
 *
 * @typedef {{ baseline: number[], candidate: number[] }} CellFigures
 */

/**
 * Geometric mean over cells of the ratio of trimmed means, with a percentile interval from a
 * bootstrap: within each arm of each cell processes are drawn with replacement (Davison and Hinkley,
 * "Bootstrap Methods and their Application", 1997, section 3.2). Batches are not drawn again: a process
 * contributes one figure, and how far batches move it is part of how far processes differ.
 *
 * The work is bounded whatever the size of the run. Arms above 400 processes are drawn at 400, their
 * deviations shrunk by √(400 / n); and there are 200 to 2000 replicates, as many as a million draws
 * allow. No correction is made for sequential looks: the mean describes, the verdicts are the cells'.
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
 * How far the trimmed mean of one resampled arm lies from the real one's.
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
