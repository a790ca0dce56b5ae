import { fileURLToPath } from 'node:url';
import { MachineError } from '../errors.js';
import { makeMeasureJob } from '../measure-job.js';
import { runWorker } from '../run-worker.js';
import { findCalmPace } from '../stats/calm-pace.js';
import { takeMedian } from '../stats/median.js';
import { takeFigure } from '../stats/process-figure.js';
import { describeCost, describePlain, orderTurns, takeCosts } from './cost-of-rounds.js';
import { NO_COST_ROUNDS } from './open-bench.js';
import { INJECTED_COSTS } from './plan-calibration.js';

/** @import { Cell, InjectedCost, Measurement, Question } from '../types.ts' */
/** @import { WorkerOutcome } from '../run-worker.js' */
/** @import { CostOfRounds } from './cost-of-rounds.js' */
/** @import { Bench } from './open-bench.js' */

const ALTERNATE_PATH = fileURLToPath(new URL('alternate-worker.js', import.meta.url));
/** Rounds whose cost is large beside the noise, by which one round is priced. */
const PRICING_ROUNDS = 5_000;
const PRICING_PROCESSES = 3;
/** Alternating processes that verify: as many as the calibration has minutes, within these bounds. */
const VERIFYING = { least: 6, most: 24 };
/** Ordinary processes that tell what a document takes without any cost. */
const PLAIN_PROCESSES = 12;
/** Turns, and length of a batch, in an alternating process. */
const ALTERNATING = { turns: 40, batchMs: 3 };
const TIMEOUT_MS = 30_000;

/**
 * How many processes verify costs, so that verification is as long as the calibration allows.
 *
 * @param {number} forMs of the calibration
 * @returns {number}
 */
export function countVerifyingProcesses(forMs) {
  const { least, most } = VERIFYING;
  return Math.min(most, Math.max(least, Math.round(forMs / 60_000)));
}

/**
 * Finds how many rounds cost what is to be injected into a cell, and verifies each by a measurement of
 * its own: processes that run all costs in turns.
 *
 * @param {{ mode: Question['mode'], cell: Cell, processes: number, earlier?: InjectedCost[] }} wanted
 *   processes that verify; costs of this cell whose rounds are verified anew instead of being found
 * @param {Bench} bench
 * @param {{ environment: Record<string, string | undefined>, signal: AbortSignal }} session
 * @returns {Promise<InjectedCost[]>} one for each share
 * @throws {MachineError} when a worker fails
 */
export async function measureCosts({ mode, cell, processes, earlier = [] }, bench, session) {
  const run = { mode, cell, bench, session };
  const baseline = await measurePlain(run);
  const injected =
    earlier.length > 0 ? earlier.map(takeRounds) : await priceRounds(run, baseline.ns);
  const sides = [NO_COST_ROUNDS, ...injected.map(({ rounds }) => rounds)];
  const verified = await alternate(run, sides, processes);
  return injected.map(({ share, rounds }, index) => ({
    mode,
    cellId: cell.id,
    injected: share,
    rounds,
    ratio: describeCost(
      verified.map(({ line }) => line[index]),
      baseline,
    ),
    alone: describeCost(
      verified.map(({ alone }) => alone[index]),
      baseline,
    ),
    processes,
  }));
}

/** @typedef {{ share: number, rounds: number }} PricedShare */

/**
 * @param {InjectedCost} cost
 * @returns {PricedShare}
 */
function takeRounds({ injected, rounds }) {
  return { share: injected, rounds };
}

/**
 * @param {CostRun} run
 * @param {number} baselineNs per document
 * @returns {Promise<PricedShare[]>}
 */
async function priceRounds(run, baselineNs) {
  const sides = [NO_COST_ROUNDS, NO_COST_ROUNDS + PRICING_ROUNDS];
  const priced = await alternate(run, sides, PRICING_PROCESSES);
  const roundNs = takeMedian(priced.map(({ line: [ns] }) => ns)) / PRICING_ROUNDS;
  return INJECTED_COSTS.map((share) => ({
    share,
    rounds: NO_COST_ROUNDS + Math.max(1, Math.round((share * baselineNs) / roundNs)),
  }));
}

/**
 * @typedef {object} CostRun
 * @property {Question['mode']} mode
 * @property {Cell} cell
 * @property {Bench} bench
 * @property {{ environment: Record<string, string | undefined>, signal: AbortSignal }} session
 */

/**
 * @param {CostRun} run
 * @returns {Promise<import('./cost-of-rounds.js').PlainTime>} without any cost
 */
async function measurePlain({ mode, cell, bench }) {
  const measured = [];
  for (let process = 0; process < PLAIN_PROCESSES; process++) {
    const outcome = await bench.runJob[mode](makeJob(`plain/${cell.id}/${process}`, cell, bench));
    measured.push(takeMeasurement(outcome));
  }
  const pace = findCalmPace(
    measured.map((measurement) => ({ block: 0, outcome: 'done', measurement })),
    [PLAIN_PROCESSES],
  );
  return describePlain(measured.flatMap((measurement) => takeFigure(measurement, pace) ?? []));
}

/**
 * @param {CostRun} run
 * @param {number[]} sides numbers of rounds
 * @param {number} processes
 * @returns {Promise<CostOfRounds[]>} of each process
 */
async function alternate({ mode, cell, bench, session }, sides, processes) {
  const costs = [];
  const { turns, batchMs } = ALTERNATING;
  for (let process = 0; process < processes; process++) {
    const job = makeJob(`alternate/${cell.id}/${sides.length}/${process}`, cell, bench);
    const outcome = await runWorker(
      { ...job, settings: { ...job.settings, batchCount: turns * sides.length, batchMs } },
      {
        executable: globalThis.process.execPath,
        args: [
          ...bench.questions[mode].nodeFlags,
          ALTERNATE_PATH,
          bench.costAxis,
          ...[process, ...sides].map(String),
        ],
        environment: session.environment,
        timeoutMs: TIMEOUT_MS,
        signal: session.signal,
      },
    );
    const order = orderTurns({ seed: process, turns, sides: sides.length });
    costs.push(takeCosts(takeMeasurement(outcome), order, sides));
  }
  return costs;
}

/**
 * @param {string} id
 * @param {Cell} cell
 * @param {Bench} bench
 */
function makeJob(id, cell, { family, manifest }) {
  return makeMeasureJob(id, cell, { variant: manifest.variants.baseline, family }, manifest);
}

/**
 * @param {WorkerOutcome} outcome
 * @returns {Measurement}
 * @throws {MachineError} when it failed
 */
function takeMeasurement(outcome) {
  if ('report' in outcome && outcome.report.kind === 'measure') return outcome.report.measurement;
  const detail = 'failure' in outcome ? outcome.failure.detail : 'it reported something else';
  throw new MachineError(`a job of the calibration failed: ${detail}`, {
    remedy: 'what was measured is kept; go on with --resume',
  });
}
