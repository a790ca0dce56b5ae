import { AssayError } from '../../lib/errors.js';

/** @import { Bisection, BisectionStep, StepOutcome, StepPurpose, StepTask } from './types.ts' */

/**
 * @typedef {object} BisectionTools
 * @property {(task: StepTask) => Promise<StepOutcome>} compare throws AssayError where a side cannot
 *   be measured
 * @property {(bisection: Bisection) => void} keep called after every step
 * @property {(step: BisectionStep, bisection: Bisection) => void} onStep
 * @property {() => boolean} isInterrupted
 * @property {() => number} nowMs
 */

/**
 * The record of a bisection as it grows.
 *
 * @typedef {object} BisectionLog
 * @property {() => Bisection} current
 * @property {(changes: Partial<Bisection>) => Bisection} note
 * @property {(task: Pick<StepTask, 'purpose' | 'baseline' | 'candidate' | 'attempt' | 'alpha'>) => Promise<BisectionStep>} take
 *   a step
 */

/**
 * @param {Bisection} opened without a step
 * @param {BisectionTools} tools
 * @returns {BisectionLog}
 */
export function openLog(opened, { compare, keep, onStep, nowMs }) {
  let bisection = opened;
  /** @type {BisectionLog['note']} */
  function note(changes) {
    bisection = { ...bisection, ...changes };
    keep(bisection);
    return bisection;
  }
  /** @type {BisectionLog['take']} */
  async function take(wanted) {
    const { candidates, steps, seed, boundary } = bisection;
    const task = {
      ...wanted,
      // Every step has an order of its own, which follows from that of the bisection.
      seed: (seed + steps.length) % 2 ** 32,
      boundary: wanted.purpose === 'search' ? boundary : null,
    };
    const startMs = nowMs();
    const outcome = await compare(task).catch((error) => describeError(error, wanted.purpose));
    /** @type {BisectionStep} */
    const step = {
      ...task,
      ...outcome,
      baseline: candidates[task.baseline].spec,
      candidate: candidates[task.candidate].spec,
      seconds: Math.round(nowMs() - startMs) / 1000,
    };
    note({ steps: [...steps, step] });
    onStep(step, bisection);
    return step;
  }
  return { current: () => bisection, note, take };
}

/**
 * What cannot be measured is passed over, unless it is an end: without it there is no question.
 *
 * @param {unknown} error
 * @param {StepPurpose} purpose
 * @returns {StepOutcome}
 */
function describeError(error, purpose) {
  if (!(error instanceof AssayError) || purpose === 'ends') throw error;
  const reason = error.message;
  return { answer: 'unusable', verdict: null, ratio: null, processes: 0, reason, runId: null };
}
