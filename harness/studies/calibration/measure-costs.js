import { fileURLToPath } from 'node:url';
import { omitUndefined } from '../../lib/records.js';
import { execute } from '../../run/execute.js';
import { openLocalExecutor } from '../../run/executors/local.js';
import { describeMeasured, makeMeasureJob } from '../../run/passes/timing.js';
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
import { BASE_ROUNDS, explainShortfall } from './trial.js';

/** @import { Cell, CostKind, InjectedCost, MeasureSettings, Measurement, Question, ResolvedVariant } from '../../formats/types.ts' */
/** @import { Pass } from '../../run/execute.js' */
/** @import { Measured } from '../../run/passes/timing.js' */
/** @import { CostOfRounds, PlainTime } from '../../stats/calibration/injected-cost.js' */
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
 * @param {{ signal: AbortSignal }} session
 * @returns {Promise<InjectedCost[]>} one for each share
 * @throws {import('../../lib/errors.js').MachineError} when a worker fails
 */
export async function measureCosts({ forMs, earlier, ...asked }, trialContext, { signal }) {
  const processes = countVerifying(forMs);
  const { mode, cell, cost } = asked;
  /** @type {CostKind} */
  const kind = cost ?? 'arithmetic';
  const base = BASE_ROUNDS[kind];
  const variant = await trialContext.withCost(base, cost, 'baseline');
  const run = { ...asked, kind, variant, trialContext, signal };
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
 * @typedef {Pick<WantedCosts, 'mode' | 'cell' | 'cost'> & { kind: CostKind, variant: ResolvedVariant,
 *   trialContext: TrialContext, signal: AbortSignal }} CostRun `variant`: the baseline
 */

/** @type {(run: CostRun) => Promise<PlainTime>} without an injected cost */
async function measurePlain(run) {
  const planned = Array.from({ length: PLAIN_PROCESSES }, (_, process) => ({
    id: `plain/${run.cell.id}/${process}`,
  }));
  const measured = await measureJobs(run, planned);
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
  const planned = alternated.flatMap((_, process) => {
    const id = `collection/${run.cell.id}/${most}/${process}`;
    return [{ id: `${id}/fewest` }, { id, variant: heaviest }];
  });
  const collectedNs = (await measureJobs(run, planned)).map(takeCollection);
  return alternated.map((costs, process) => {
    const [fewestNs, mostNs] = collectedNs.slice(2 * process);
    return addCollection(costs, rounds, { fewestNs, mostNs });
  });
}

/**
 * @param {CostRun} run
 * @param {number[]} rounds numbers that alternate
 * @param {number} processes
 * @returns {Promise<CostOfRounds[]>} of each process
 */
async function alternate(run, rounds, processes) {
  const { costAxes, manifest } = run.trialContext;
  const { turns, batchMs } = ALTERNATING;
  const settings = { ...manifest.settings, batchCount: turns * rounds.length, batchMs };
  const planned = Array.from({ length: processes }, (_, seed) => {
    const worker = [ALTERNATE_PATH, ...[costAxes?.[run.kind], seed, ...rounds].map(String)];
    return { id: `alternate/${run.cell.id}/${rounds.length}/${seed}`, settings, worker };
  });
  return (await measureJobs(run, planned)).map((measurement, seed) =>
    takeCosts(measurement, orderTurns({ seed, turns, count: rounds.length }), rounds),
  );
}

/**
 * A job, by default with the baseline, the usual settings and the usual worker.
 *
 * @typedef {{ id: string, variant?: ResolvedVariant, settings?: MeasureSettings, worker?: string[] }} PlannedCost
 */

/**
 * Runs jobs one after the other, until one fails.
 *
 * @param {CostRun} run
 * @param {PlannedCost[]} planned
 * @returns {Promise<Measurement[]>} in the same order
 * @throws {import('../../lib/errors.js').MachineError} when one fails, or the user interrupts
 */
async function measureJobs({ mode, cell, signal, trialContext, ...run }, planned) {
  const { family, manifest } = trialContext;
  /** @type {(PlannedCost & { attempt: number } & Measured)[]} */
  const observations = [];
  /** @type {Pass<PlannedCost, typeof observations[number]>} */
  const pass = {
    name: 'costs',
    stages: [planned],
    skips: () => observations.some(({ outcome }) => outcome === 'failed'),
    async perform({ id, variant = run.variant, settings = manifest.settings, worker }, runJob) {
      const job = makeMeasureJob(id, cell, { variant, family }, { ...manifest, settings });
      return describeMeasured(await runJob(job, omitUndefined({ worker })));
    },
    describe: ({ id }) => ({ step: id }),
  };
  const executor = openLocalExecutor(trialContext.runJob[mode]);
  if ((await execute(pass, { executor, observations, signal })) !== 'complete') {
    throw explainShortfall('a job of the calibration failed', observations);
  }
  return observations.flatMap((each) => (each.outcome === 'done' ? each.measurement : []));
}
