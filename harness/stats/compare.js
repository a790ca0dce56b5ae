import { group } from 'd3-array';
import { omitUndefined } from '../lib/records.js';
import { describeCell } from './cell/description.js';
import { averageHosts } from './cell/hosts.js';
import { collectCells, sampleLooks } from './cell/samples.js';
import { contrastOf } from './contrast.js';
import { MIN_PROCESSES, allowForHosts, allowForPull, judgeCells, widen } from './decision-rule.js';
import { figureOf } from './figure.js';
import { combineFreedom, meanOf, sumOf, toRatios } from './means.js';
import { collectWarnings } from './notes.js';
import { rankCells } from './ranking.js';
import { intervalAround } from './robust.js';
import { fitSweeps } from './sweep.js';

/** @import { Compared } from './code-notes.js' */
/** @import { Contrast } from './contrast.js' */
/** @import { Cell, Environment, HostNoise, Observation, OperationSummary, PreparedCorpus, Question, RunPart, Runtime, Thresholds, Verdict } from '../formats/types.ts' */
/** @import { CellDescription } from './cell/description.js' */
/** @import { ArmTest, CellInput, CellJudgement, LogInterval } from './decision-rule.js' */

/**
 * The part of verdict.json that follows from the timed observations, and, by cell id, whether measuring
 * of that cell can stop.
 *
 * @typedef {Pick<Verdict, 'cells' | 'summaries' | 'sweeps' | 'warnings'> & {
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
 * @param {Pick<Runtime, 'runtime' | 'lacks'>[]} [run.runtimes] other than the Node that ran Assay
 * @param {Compared | undefined} [run.variants]
 * @param {Pick<PreparedCorpus, 'name' | 'changedValues' | 'label' | 'sizeBytes' | 'documentCount'>[]} [run.corpora]
 * @param {Cell[]} [run.measured] the cells that the run measures, if it measures only a part of the question
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
  runtimes = [],
  variants,
  corpora = [],
  measured = question.cells,
  interimLooks = {},
}) {
  const records = collectCells(question, observations, expectedDigests);
  const inputs = records.map((record) => ({
    samples: sampleLooks(record, question, interimLooks[record.cell.id]),
    refused: record.wrongArms.length > 0,
    bands: question.bands?.[record.cell.id] ?? [],
  }));
  const judgements = judgeInputs(inputs, question);
  const own = new Set(measured.map(({ id }) => id));
  const cells = records.flatMap((record, index) =>
    own.has(record.cell.id)
      ? [describeCell(record, inputs[index].samples, judgements[index], question)]
      : [],
  );
  const sweeps = contrastOf(question).hasBaseline
    ? fitSweeps(
        cells.map(({ record }) => record),
        corpora,
      )
    : [];
  const warnings = collectWarnings(question, cells, {
    sweeps,
    ended,
    environment,
    hostNoise,
    runtimes,
    corpora,
    ...omitUndefined({ variants }),
    ...(parts === undefined ? {} : { parts }),
    ...(thresholds === undefined ? {} : { thresholds }),
  });
  return {
    cells: cells.map(({ comparison }) => comparison),
    summaries: summarizeOperations(cells, question),
    ...(sweeps.length === 0 ? {} : { sweeps }),
    warnings,
    decided: Object.fromEntries(
      cells.map(({ record, judgement }) => [record.cell.id, judgement.decided]),
    ),
    interimLooks: listInterimLooks(cells),
  };
}

/**
 * The rule of each contrast.
 * @type {Record<Contrast['name'], (inputs: CellInput[], question: Question) => CellJudgement[]>}
 */
const RULES = { baseline: judgeCells, ranking: rankCells };

/**
 * @param {CellInput[]} inputs every cell of the question, in its order
 * @param {Question} question
 * @returns {CellJudgement[]} by the rule of its contrast
 */
export function judgeInputs(inputs, question) {
  return RULES[contrastOf(question).name](inputs, question);
}

/**
 * Lists the unplanned looks with enough processes, by cell id.
 * @type {(cells: CellDescription[]) => Record<string, number[]>}
 */
function listInterimLooks(cells) {
  const looked = cells.map(({ record, judgement }) => {
    const { unplanned = [] } = judgement.plan;
    const own = unplanned.filter((size) => size >= MIN_PROCESSES);
    return /** @type {const} */ ([record.cell.id, own]);
  });
  return Object.fromEntries(looked.filter(([, own]) => own.length > 0));
}

/**
 * One geometric mean for each operation, runtime, figure and candidate that has a cell with enough
 * processes and correct output.
 * @type {(cells: CellDescription[], question: Question) => OperationSummary[]} in the order of the question
 */
function summarizeOperations(cells, question) {
  const usable = cells.flatMap(({ record: { cell }, judgement }) => {
    const { effect, verdict } = judgement;
    return verdict === 'refused' || effect === null ? [] : [{ cell, effect }];
  });
  const groups = group(usable, ({ cell: { operation, runtime, candidate, ...cell } }) =>
    JSON.stringify([operation, runtime, figureOf(cell).calls, candidate]),
  );
  return [...groups.values()].map((included) => {
    const [{ cell }] = included;
    const { operation, runtime, candidate } = cell;
    return {
      operation,
      ...omitUndefined({ runtime }),
      ...figureOf(cell).fields,
      ...omitUndefined({ candidate }),
      cellCount: included.length,
      ratio: toRatios(
        averageEffects(
          included.map(({ effect }) => effect),
          question,
        ),
      ),
    };
  });
}

/**
 * Mean of the effects of cells, on the log scale: the logarithm of their geometric mean. The noise of the cells is
 * independent; hosts are not, see `averageHosts`. The interval has the strictest level of theirs, and allows for a pull of
 * each cell of its own: cells that are pulled up and cells that are pulled down do not cancel.
 *
 * @param {Pick<ArmTest, 'test' | 'interval' | 'level' | 'allowance' | 'hosts'>[]} effects at least one
 * @param {Pick<Question, 'schedule'>} question
 * @returns {LogInterval} of a single cell: its own
 */
export function averageEffects(effects, question) {
  if (effects.length === 1) return effects[0].interval;
  const parts = effects.map(({ test: { standardError, degreesOfFreedom: freedom, noise } }) => ({
    squaredError: (noise?.squaredError ?? standardError ** 2) / effects.length ** 2,
    freedom: noise?.freedom ?? freedom,
  }));
  const differences = effects.map(({ test }) => test.difference);
  const hosted = effects.flatMap(({ hosts }) => hosts ?? []);
  const mean = allowForHosts(
    {
      difference: meanOf(differences),
      standardError: Math.sqrt(sumOf(parts.map(({ squaredError }) => squaredError))),
      degreesOfFreedom: combineFreedom(parts),
    },
    hosted.length === 0 ? undefined : averageHosts(hosted),
  );
  const level = Math.min(...effects.map((effect) => effect.level));
  const allowances = effects.map(({ allowance }) => allowance);
  const interval = allowForPulls(intervalAround(mean, level), differences, question);
  return widen(interval, {
    low: meanOf(allowances.map(({ low }) => low)),
    high: meanOf(allowances.map(({ high }) => high)),
  });
}

/** @type {(mean: LogInterval, differences: number[], question: Pick<Question, 'schedule'>) => LogInterval} */
function allowForPulls(mean, differences, question) {
  const ends = differences.map((estimate) => {
    const { low, high } = allowForPull({ estimate, low: estimate, high: estimate }, question);
    return { low: low - estimate, high: high - estimate };
  });
  const { estimate, low, high } = allowForPull(mean, question);
  return {
    estimate,
    low: Math.min(low, mean.low + meanOf(ends.map((end) => end.low))),
    high: Math.max(high, mean.high + meanOf(ends.map((end) => end.high))),
  };
}
