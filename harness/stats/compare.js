import { MIN_PROCESSES, judgeCells } from './judge-cells.js';
import { collectCells, poolBaseline, sampleLooks } from './collect-cells.js';
import { describeCell } from './describe-cell.js';
import { seedGenerator } from './random.js';
import { bootstrapGeometricMean } from './ratio-bootstrap.js';
import { collectWarnings } from './notes.js';

/** @import { Cell, Environment, HostNoise, Observation, OperationSummary, Question, RunPart, Thresholds, Verdict } from '../formats/types.ts' */
/** @import { CellDescription } from './describe-cell.js' */
/** @import { CellFigures } from './ratio-bootstrap.js' */

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
