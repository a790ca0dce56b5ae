import { prepareComparison } from '../../run/prepare-comparison.js';
import { startRun } from '../../run/run-comparison.js';
import { judgeStep } from './judge-step.js';

/** @import { Io } from '../../cli/cli.js' */
/** @import { Session } from '../../run/continue-run.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { Question } from '../../formats/types.ts' */
/** @import { Candidate, StepOutcome, StepTask } from './types.ts' */

/**
 * @typedef {object} CompareContext
 * @property {Question} question what all steps have in common
 * @property {Candidate[]} candidates
 * @property {string} command for the manifests
 * @property {string} runsPath where the runs of the steps are made
 * @property {FoundFamily[]} families
 * @property {FoundFamily} family
 * @property {Session} session
 * @property {Io} io
 */

/**
 * Measures one step, as a run with all its reports.
 *
 * @param {StepTask} task
 * @param {CompareContext} context
 * @returns {Promise<StepOutcome>}
 * @throws {import('../../lib/errors.js').AssayError} when a side cannot be had, built, loaded or checked
 */
export async function compareCandidates(task, context) {
  const { candidates, families, family, session, io } = context;
  const { baseline, candidate, seed, alpha, boundary } = task;
  /** @type {Question} */
  const question = {
    ...context.question,
    baseline: candidates[baseline].spec,
    candidate: candidates[candidate].spec,
    seed,
    alpha,
    ...(boundary === null ? {} : { boundary }),
  };
  const prepared = await prepareComparison(question, { families, family, io });
  const { command, runsPath } = context;
  const run = await startRun({ ...prepared, command, runsPath, recorderStates: [] }, session);
  await session.publish(run);
  return { ...judgeStep(run, boundary), runId: run.manifest.runId };
}
