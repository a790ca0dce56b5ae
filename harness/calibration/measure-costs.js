import { fileURLToPath } from 'node:url';
import { MachineError } from '../errors.js';
import { makeMeasureJob } from '../measure-job.js';
import { runWorker } from '../run-worker.js';
import { findCalmPace } from '../stats/calm-pace.js';
import { takeMedian } from '../stats/median.js';
import { takeFigure } from '../stats/process-figure.js';
import { describeCost, describePlain, takeCosts } from './cost-of-rounds.js';
import { NO_COST_ROUNDS } from './open-bench.js';
import { INJECTED_COSTS } from './plan-calibration.js';

/** @import { Cell, InjectedCost, Measurement, Question } from '../types.ts' */
/** @import { WorkerOutcome } from '../run-worker.js' */
/** @import { Bench } from './open-bench.js' */

const ALTERNATE_PATH = fileURLToPath(new URL('alternate-worker.js', import.meta.url));
/** Rounds whose cost is large beside the noise, by which one round is priced. */
const PRICING_ROUNDS = 5_000;
const PRICING_PROCESSES = 3;
const VERIFYING_PROCESSES = 8;
/** Ordinary processes that tell what a document takes without any cost. */
const PLAIN_PROCESSES = 12;
/** Turns, and length of a batch, in an alternating process. */
const ALTERNATING = { turns: 40, batchMs: 3 };
const TIMEOUT_MS = 30_000;

/**
 * Finds how many rounds cost what is to be injected into a cell, and verifies each by a measurement of
 * its own: processes that run all costs in turns.
 *
 * @param {Question['mode']} mode
 * @param {Cell} cell
 * @param {Bench} bench
 * @param {{ environment: Record<string, string | undefined>, signal: AbortSignal }} session
 * @returns {Promise<InjectedCost[]>} one for each share
 * @throws {MachineError} when a worker fails
 */
export async function measureCosts(mode, cell, bench, session) {
  const run = { mode, cell, bench, session };
  const baseline = await measurePlain(run);
  const priced = await alternate(run, [NO_COST_ROUNDS, PRICING_ROUNDS], PRICING_PROCESSES);
  const roundNs = takeMedian(takeCosts(priced, 2).map(([ns]) => ns)) / PRICING_ROUNDS;
  const rounds = INJECTED_COSTS.map(
    (share) => NO_COST_ROUNDS + Math.max(1, Math.round((share * baseline.ns) / roundNs)),
  );
  const sides = [NO_COST_ROUNDS, ...rounds];
  const verified = takeCosts(await alternate(run, sides, VERIFYING_PROCESSES), sides.length);
  return INJECTED_COSTS.map((injected, index) => ({
    mode,
    cellId: cell.id,
    injected,
    rounds: rounds[index],
    ratio: describeCost(
      verified.map((costs) => costs[index]),
      baseline,
    ),
    processes: verified.length,
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
 * @returns {Promise<Measurement[]>}
 */
async function alternate({ mode, cell, bench, session }, sides, processes) {
  const measured = [];
  for (let process = 0; process < processes; process++) {
    const job = makeJob(`alternate/${cell.id}/${sides.length}/${process}`, cell, bench);
    const { turns, batchMs } = ALTERNATING;
    const outcome = await runWorker(
      { ...job, settings: { ...job.settings, batchCount: turns * sides.length, batchMs } },
      {
        executable: globalThis.process.execPath,
        args: [
          ...bench.questions[mode].nodeFlags,
          ALTERNATE_PATH,
          bench.costAxis,
          ...sides.map(String),
        ],
        environment: session.environment,
        timeoutMs: TIMEOUT_MS,
        signal: session.signal,
      },
    );
    measured.push(takeMeasurement(outcome));
  }
  return measured;
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
