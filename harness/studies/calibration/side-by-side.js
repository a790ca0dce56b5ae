import { MachineError } from '../../lib/errors.js';
import { openJobRunner } from '../../run/jobs.js';
import { makeMeasureJob } from '../../run/passes/timing.js';
import { planGroupBlock } from '../../stats/calibration/side-by-side.js';
import { takeFigure, undisturbedSpeed } from '../../stats/interference.js';
import { BASE_ROUNDS } from './trial.js';

/** @import { Cell, GroupProcess, Measurement, MeasureReport, ResolvedVariant } from '../../formats/types.ts' */
/** @import { Session } from '../../run/run.js' */
/** @import { TrialContext } from './trial.js' */

/** Of `BASE_ROUNDS`: the candidate takes about 15 % more time than the baseline, by its garbage … */
const CANDIDATE_FACTOR = 10;
/** … and what the other groups run about twice as much as without rounds. */
const LOAD_FACTOR = 50;
/** Jobs that an agent runs at once, if it has two processors. */
const MOST_AT_ONCE = 2;

/**
 * Measures each group of processors while all others are idle and while all are busy, block after block until the
 * time is over. Only whole blocks are kept.
 *
 * @param {object} context
 * @param {number[][]} context.groups of processors, at least two
 * @param {TrialContext} context.trialContext of a family with costs
 * @param {Cell[]} context.cells
 * @param {number} context.seed
 * @param {number} context.from first block that is not measured yet
 * @param {Pick<Session, 'environment' | 'signal'>} context.session
 * @param {() => boolean} context.isOver whether the time is over or the user interrupted
 * @param {(block: GroupProcess[]) => void} context.keep
 * @param {(step: string) => void} context.onStep
 * @throws {MachineError} when a job fails
 */
export async function measureSideBySide(context) {
  const { groups, trialContext, cells, seed, from, session, isOver, keep, onStep } = context;
  const { withCost, questions, family, manifest } = trialContext;
  const arms = {
    baseline: await withCost(BASE_ROUNDS.allocation, 'allocation'),
    candidate: await withCost(CANDIDATE_FACTOR * BASE_ROUNDS.allocation, 'allocation'),
  };
  const loads = {
    arithmetic: await withCost(LOAD_FACTOR * BASE_ROUNDS.arithmetic, 'arithmetic'),
    allocation: await withCost(LOAD_FACTOR * BASE_ROUNDS.allocation, 'allocation'),
  };

  for (let block = from; !isOver(); block++) {
    const { own, others, cell, jobs } = planGroupBlock({ seed, block, groups, cells });
    const cpus = own.join(',');
    onStep(`processors ${cpus} · ${cell.id} · block ${block + 1}`);
    /** @type {(Omit<GroupProcess, 'ns'> & { measurement: Measurement })[]} */
    const measured = [];
    /** @type {GroupProcess['beside']} */
    let current = 'nothing';
    let stop = async () => {};
    try {
      for (const [position, { beside, arm }] of jobs.entries()) {
        if (beside !== current) {
          await stop();
          stop = beside === 'nothing' ? async () => {} : keepBusy(others, loads[beside], cell);
          current = beside;
        }
        const id = `side-by-side/${cell.id}/${block}/${position}/${arm}`;
        const measurement = await measure(id, arms[arm], cell, own, session.signal);
        if (measurement === null) return;
        measured.push({ cpus, beside, arm, cellId: cell.id, block, measurement });
      }
    } finally {
      await stop();
    }
    const speed = undisturbedSpeed(
      measured.map((each) => ({ ...each, outcome: 'done' })),
      [],
    );
    keep(
      measured.map(({ measurement, ...each }) => ({ ...each, ns: takeFigure(measurement, speed) })),
    );
  }

  /**
   * @param {string} id
   * @param {ResolvedVariant} variant
   * @param {Cell} cell
   * @param {number[]} cpus
   * @param {AbortSignal} signal
   * @returns {Promise<Measurement | null>} null once the signal is aborted
   */
  async function measure(id, variant, cell, cpus, signal) {
    const runJob = openJobRunner(questions.default.nodeFlags, { ...session, signal });
    const outcome = await runJob(makeMeasureJob(id, cell, { variant, family }, manifest), cpus);
    if (signal.aborted) return null;
    if ('failure' in outcome) {
      throw new MachineError(
        `a job on processors ${cpus.join(',')} failed: ${outcome.failure.detail}`,
        { remedy: 'whole blocks are kept; fix the cause and continue with --resume' },
      );
    }
    return /** @type {MeasureReport} */ (outcome.report).measurement;
  }

  /**
   * Runs jobs on groups, one after the other as an agent does.
   *
   * @param {number[][]} busy
   * @param {ResolvedVariant} load
   * @param {Cell} cell
   * @returns {() => Promise<void>} ends them
   */
  function keepBusy(busy, load, cell) {
    const ending = new AbortController();
    const signal = AbortSignal.any([session.signal, ending.signal]);
    const loops = busy.flatMap((cpus) =>
      Array.from({ length: Math.min(MOST_AT_ONCE, cpus.length) }, async () => {
        while (!signal.aborted) await measure('side-by-side/load', load, cell, cpus, signal);
      }),
    );
    const ended = Promise.all(loops);
    // A failure is thrown when they are ended.
    ended.catch(() => {});
    return async () => {
      ending.abort();
      await ended;
    };
  }
}
