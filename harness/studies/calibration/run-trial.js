import { compareHostCounters, readHostCounters } from '../../host/host-counters.js';
import { MachineError } from '../../lib/errors.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { measureRun } from '../../run/measure-run.js';
import { judgeTrial } from '../../stats/calibration/judge-trial.js';
import { NO_COST_ROUNDS } from './open-bench.js';

/** @import { Cell, Observation, Trial } from '../../formats/types.ts' */
/** @import { Bench } from './open-bench.js' */
/** @import { PlannedTrial } from '../../stats/calibration/plan-calibration.js' */

/**
 * @typedef {object} TrialContext
 * @property {Bench} bench
 * @property {number} budgetSeconds of a trial
 * @property {number} rounds that cost what is injected
 * @property {() => number} elapsedMs since the calibration began
 * @property {() => boolean} isInterrupted
 */

/**
 * One comparison whose truth is known, by the plan and the rule of `compare`.
 *
 * @param {PlannedTrial} planned
 * @param {TrialContext} context
 * @returns {Promise<{ trial: Trial, observations: Observation[] } | null>} null when it was
 *   interrupted: half a comparison says nothing of the rule
 * @throws {MachineError} when its jobs keep failing
 */
export async function runTrial(
  planned,
  { bench, budgetSeconds, rounds, elapsedMs, isInterrupted },
) {
  const { mode, cellId, injected, isFull, seed } = planned;
  const question = {
    ...bench.questions[mode],
    cells: bench.questions[mode].cells.filter(({ id }) => id === cellId),
    seed,
    budgetSeconds,
  };
  const { looks } = question;
  const variants = {
    ...bench.manifest.variants,
    candidate: await bench.withCost(injected === 0 ? NO_COST_ROUNDS : rounds),
  };
  /** @type {Observation[]} */
  const observations = [];
  const startedAtMs = elapsedMs();
  const countersBefore = readHostCounters();
  const ended = await measureRun({
    manifest: {
      ...bench.manifest,
      variants,
      // Without looks in between nothing stops it before its budget does.
      question: isFull ? { ...question, looks: looks.slice(-1) } : question,
    },
    familyPath: bench.family.path,
    observations,
    runJob: bench.runJob[mode],
    keep: () => {},
    onProgress: () => {},
    elapsedMs,
    isInterrupted,
    isOverBudget: () => elapsedMs() - startedAtMs > budgetSeconds * 1000,
  });
  if (ended === 'interrupted') return null;
  if (ended === 'failed') throw describeFailure(question.cells[0], observations);
  const trial = {
    formatVersion: FORMAT_VERSION,
    ...planned,
    startedAtMs,
    wallMs: elapsedMs() - startedAtMs,
    hostNoise: compareHostCounters(countersBefore, readHostCounters()),
    ...judgeTrial(question, observations, bench.manifest.expectedDigests),
  };
  return { trial, observations };
}

/**
 * @param {Cell} cell
 * @param {Observation[]} observations
 */
function describeFailure({ id }, observations) {
  const failed = observations.findLast(({ outcome }) => outcome === 'failed');
  const detail = failed?.outcome === 'failed' ? failed.failure.detail : 'a worker failed';
  return new MachineError(`jobs of '${id}' keep failing: ${detail}`, {
    remedy: 'what was measured is kept; mend it and go on with --resume',
  });
}
