import { fileURLToPath } from 'node:url';
import { MachineError } from '../../lib/errors.js';
import { makeMeasureJob } from '../../run/passes/timing.js';
import { runWorker } from '../../run/process.js';
import { undisturbedSpeed, takeFigure } from '../../stats/interference.js';
import { takeMedian } from '../../stats/robust.js';
import {
  addCollection,
  describeCost,
  describePlain,
  orderTurns,
  takeCollection,
  takeCosts,
} from '../../stats/calibration/injected-cost.js';
import { INJECTED_COSTS } from '../../stats/calibration/calibration.js';
import { BASE_ROUNDS } from './trial.js';

/** @import { Cell, CostKind, InjectedCost, Measurement, Question, ResolvedVariant } from '../../formats/types.ts' */
/** @import { Session } from '../../run/run.js' */
/** @import { WorkerOutcome } from '../../run/process.js' */
/** @import { CostOfRounds } from '../../stats/calibration/injected-cost.js' */
/** @import { TrialContext } from './trial.js' */

const ALTERNATE_PATH = fileURLToPath(new URL('alternate-worker.js', import.meta.url));
/** Rounds that measure the cost of one; large compared with the noise. */
const PRICING_ROUNDS = { arithmetic: 5_000, allocation: 500 };
const PRICING_PROCESSES = 3;
/** Number of alternating processes that verify costs: one per minute of the calibration, within these bounds. */
const VERIFYING = { least: 6, most: 24 };
/** Ordinary processes that measure a document without an injected cost. */
const PLAIN_PROCESSES = 12;
/** Batches per cost, and their duration, in an alternating process. */
const ALTERNATING = { turns: 40, batchMs: 3 };
const TIMEOUT_MS = 30_000;

/**
 * @typedef {object} WantedCosts
 * @property {Question['mode']} mode
 * @property {Cell} cell
 * @property {InjectedCost['cost']} [cost] their kind
 * @property {number} forMs duration of the calibration
 * @property {InjectedCost[]} earlier known costs of this kind and cell in this mode
 */

/** @type {(forMs: number) => number} alternating processes that verify costs in a calibration of that duration */
function countVerifying(forMs) {
  return Math.min(VERIFYING.most, Math.max(VERIFYING.least, Math.round(forMs / 60_000)));
}

/** @type {(costs: InjectedCost[], forMs: number) => boolean} whether they are known as well as a calibration of that duration would verify them */
export function areVerified([cost], forMs) {
  return cost !== undefined && cost.processes >= countVerifying(forMs);
}

/**
 * Finds the number of rounds for each injected cost of a cell, and verifies the costs in processes that alternate
 * between them. Known numbers of rounds do not change, since trials have run with them.
 *
 * @param {WantedCosts} asked
 * @param {TrialContext} trialContext
 * @param {Pick<Session, 'environment' | 'signal'>} session
 * @returns {Promise<InjectedCost[]>} one for each share
 * @throws {MachineError} when a worker fails
 */
export async function measureCosts({ forMs, earlier, ...asked }, trialContext, session) {
  const wanted = { ...asked, trialContext, session };
  const processes = countVerifying(forMs);
  const { mode, cell, cost } = wanted;
  /** @type {CostKind} */
  const kind = cost ?? 'arithmetic';
  const base = BASE_ROUNDS[kind];
  const run = { ...wanted, kind, variant: await trialContext.withCost(base, cost, 'baseline') };
  const baseline = await measurePlain(run);
  const priced = earlier.length > 0 ? earlier : await priceRounds(run, baseline.ns);
  const rounds = [base, ...priced.map((share) => share.rounds)];
  const verified = await measureRounds(run, rounds, processes);
  return priced.map((share, index) => {
    const describe = (/** @type {keyof CostOfRounds} */ by) =>
      describeCost(
        verified.map((costs) => costs[by][index]),
        baseline,
      );
    return {
      mode,
      cellId: cell.id,
      injected: share.injected,
      ...(cost === undefined ? {} : { cost }),
      rounds: share.rounds,
      ratio: describe('line'),
      alone: describe('alone'),
      processes,
    };
  });
}

/** @typedef {Pick<InjectedCost, 'injected' | 'rounds'>} PricedShare */

/**
 * @param {CostRun} run
 * @param {number} baselineNs per document
 * @returns {Promise<PricedShare[]>}
 */
async function priceRounds(run, baselineNs) {
  const [base, more] = [BASE_ROUNDS[run.kind], PRICING_ROUNDS[run.kind]];
  const priced = await measureRounds(run, [base, base + more], PRICING_PROCESSES);
  const roundNs = takeMedian(priced.map(({ line: [ns] }) => ns)) / more;
  return INJECTED_COSTS[run.kind].map((injected) => ({
    injected,
    rounds: base + Math.max(1, Math.round((injected * baselineNs) / roundNs)),
  }));
}

/**
 * @typedef {Pick<WantedCosts, 'mode' | 'cell' | 'cost'> & { trialContext: TrialContext,
 *   session: Pick<Session, 'environment' | 'signal'> }} WantedRun
 *
 * @typedef {WantedRun & { kind: CostKind, variant: ResolvedVariant }} CostRun with the baseline
 */

/**
 * @param {CostRun} run
 * @returns {Promise<import('../../stats/calibration/injected-cost.js').PlainTime>} without an injected cost
 */
async function measurePlain(run) {
  const measured = [];
  for (let process = 0; process < PLAIN_PROCESSES; process++) {
    measured.push(await measureOnce(`plain/${run.cell.id}/${process}`, run));
  }
  const speed = undisturbedSpeed(
    measured.map((measurement) => ({ block: 0, outcome: 'done', measurement })),
    [PLAIN_PROCESSES],
  );
  return describePlain(measured.flatMap((measurement) => takeFigure(measurement, speed) ?? []));
}

/**
 * @param {CostRun} run
 * @param {number[]} rounds ascending
 * @param {number} processes that alternate, and of the first and last number each as many that do not
 * @returns {Promise<CostOfRounds[]>}
 */
async function measureRounds(run, rounds, processes) {
  const alternated = await alternate(run, rounds, processes);
  if (run.cost === undefined) return alternated;
  const most = rounds[rounds.length - 1];
  const heaviest = await run.trialContext.withCost(most, run.cost, 'baseline');
  const costs = [];
  for (const [process, each] of alternated.entries()) {
    const id = `collection/${run.cell.id}/${most}/${process}`;
    const fewestNs = takeCollection(await measureOnce(`${id}/fewest`, run));
    const mostNs = takeCollection(await measureOnce(id, { ...run, variant: heaviest }));
    costs.push(addCollection(each, rounds, { fewestNs, mostNs }));
  }
  return costs;
}

/**
 * @param {CostRun} run
 * @param {number[]} rounds numbers that alternate
 * @param {number} processes
 * @returns {Promise<CostOfRounds[]>} of each process
 */
async function alternate(run, rounds, processes) {
  const { mode, cell, kind, trialContext, session } = run;
  const costs = [];
  const { turns, batchMs } = ALTERNATING;
  for (let process = 0; process < processes; process++) {
    const job = makeJob(`alternate/${cell.id}/${rounds.length}/${process}`, run);
    const outcome = await runWorker(
      { ...job, settings: { ...job.settings, batchCount: turns * rounds.length, batchMs } },
      {
        executable: globalThis.process.execPath,
        args: [
          ...trialContext.questions[mode].nodeFlags,
          ALTERNATE_PATH,
          ...[trialContext.costAxes?.[kind], process, ...rounds].map(String),
        ],
        environment: session.environment,
        timeoutMs: TIMEOUT_MS,
        signal: session.signal,
      },
    );
    const order = orderTurns({ seed: process, turns, count: rounds.length });
    costs.push(takeCosts(takeMeasurement(outcome), order, rounds));
  }
  return costs;
}

/** @type {(id: string, run: CostRun) => Promise<Measurement>} by an ordinary process */
async function measureOnce(id, run) {
  return takeMeasurement(await run.trialContext.runJob[run.mode](makeJob(id, run)));
}

/**
 * @param {string} id
 * @param {Pick<CostRun, 'cell' | 'variant' | 'trialContext'>} run
 */
function makeJob(id, { cell, variant, trialContext: { family, manifest } }) {
  return makeMeasureJob(id, cell, { variant, family }, manifest);
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
    remedy: 'completed trials are kept; continue with --resume',
  });
}
