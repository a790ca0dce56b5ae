import { group, median, rollup } from 'd3-array';
import { sumOf } from '../../stats/means.js';

/** @import { Job, Manifest, Progress } from '../../formats/types.ts' */
/** @import { WorkerOutcome } from '../process.js' */

/**
 * The run and the session, as a pass sees them.
 *
 * @template O observation
 * @template [M=Manifest] the part of the manifest that the pass needs
 * @typedef {object} PassContext
 * @property {M} manifest
 * @property {string} familyPath
 * @property {O[]} observations of earlier sessions; the pass adds its own
 * @property {(observation: O) => void} append to the journal
 * @property {(job: Job, core?: number) => Promise<WorkerOutcome>} runJob on that core alone, if one is given
 * @property {number[]} [cores] on which jobs of a paired schedule run
 * @property {Clock} clock
 * @property {number} untilMs time of the session after which no job starts; Infinity for no budget
 * @property {AbortSignal} signal aborted when the user interrupts
 * @property {(describe: () => Progress, isNews?: boolean) => void} onProgress called before each job
 */

/** @typedef {'complete' | 'budget' | 'interrupted' | 'failed'} PassEnd `failed`: a job has no result */

/**
 * What distinguishes one pass from another.
 *
 * @template {{ id: string }} P planned job
 * @template {{ outcome: 'done' | 'failed' }} O observation
 * @typedef {object} Pass
 * @property {Iterable<P[]>} stages the planned jobs, in the order in which they run; a stage is requested
 *   after the stage before has run, so it may depend on the observations up to there
 * @property {(observation: O) => string | null} doneId of the job that this observation completes; null if
 *   it completes none, and the job is to be run again
 * @property {(planned: P, attempt: number, number: number) => Promise<O>} observe runs the job; `number`: from 0, of
 *   those that run at the same time
 * @property {(planned: P, position: StagePosition<P>) => Progress} describe
 * @property {number} [attempts] how often a job is tried until it succeeds; 1 by default
 * @property {(planned: P) => boolean} [skips] whether the job has become pointless
 * @property {(planned: P, last: O) => void} [settle] called with the observation of the last attempt
 * @property {(jobs: P[]) => P[][]} [group] jobs that run at the same time; each on its own by default
 */

/**
 * A pass that several hosts may run.
 *
 * @template {{ id: string }} P planned job
 * @template {{ outcome: 'done' | 'failed' }} O observation
 * @typedef {Pass<P, O> & {
 *   name: 'timing' | 'profiles',
 *   unitOf: (planned: P) => string,
 *   artefactBaseOf?: (planned: P) => string,
 * }} SharedPass `unitOf`: jobs with the same are for one host; `artefactBaseOf`: what the paths of the artefacts of a
 *   job begin with, relative to the directory of the run
 */

/**
 * Runs the jobs of a pass, as `runPass` does here.
 *
 * @callback ConductPass
 * @param {SharedPass<any, any>} pass
 * @param {LoopContext<any>} context
 * @returns {Promise<PassEnd>}
 */

/**
 * @template P
 * @typedef {object} StagePosition
 * @property {P[]} left jobs of the stage that are not done, beginning with the next one
 * @property {number} total jobs of the stage, including those that are done
 */

/**
 * @template O
 * @typedef {Omit<PassContext<O>, 'manifest' | 'familyPath' | 'runJob'>} LoopContext
 */

/**
 * Runs the jobs of a pass that are not done yet. Each observation is in the journal before the next job
 * starts; that of a job during which the user interrupts is discarded, because the interrupt ended its
 * worker.
 *
 * @template {{ id: string }} P
 * @template {{ outcome: 'done' | 'failed' }} O
 * @param {Pass<P, O>} pass
 * @param {LoopContext<O>} context
 * @returns {Promise<PassEnd>}
 */
export async function runPass(pass, context) {
  const { observations, clock, untilMs, signal, onProgress } = context;
  const { group = eachAlone, skips = () => false } = pass;
  let hasFailed = false;
  for (const stage of pass.stages) {
    const done = new Set(observations.map(pass.doneId));
    let left = stage.filter(({ id }) => !done.has(id));
    let groups = group(left);
    while (groups.length > 0) {
      const [jobs] = groups;
      if (signal.aborted) return 'interrupted';
      if (clock.sessionMs() > untilMs) return hasFailed ? 'failed' : 'budget';
      if (jobs.some(skips)) {
        // Their partners run with other jobs.
        left = left.filter((job) => !skips(job));
        groups = group(left);
        continue;
      }
      const position = { left, total: stage.length };
      onProgress(() => pass.describe(jobs[0], position));
      const failed = await runJobs(jobs, pass, context);
      if (failed === null) return 'interrupted';
      hasFailed ||= failed.length > 0;
      left = left.slice(jobs.length);
      groups = groups.slice(1);
    }
  }
  return hasFailed ? 'failed' : 'complete';
}

/**
 * @template {{ id: string }} P
 * @template {{ outcome: 'done' | 'failed' }} O
 * @param {P[]} jobs that run at the same time
 * @param {Pass<P, O>} pass
 * @param {LoopContext<O>} context
 * @returns {Promise<P[] | null>} those that failed at every attempt; null if interrupted
 */
async function runJobs(jobs, { observe, settle, attempts = 1 }, context) {
  let pending = jobs;
  for (let attempt = 1; attempt <= attempts && pending.length > 0; attempt++) {
    const observed = await Promise.all(
      pending.map((job) => observe(job, attempt, jobs.indexOf(job))),
    );
    if (context.signal.aborted) return null;
    for (const [index, observation] of observed.entries()) {
      context.observations.push(observation);
      context.append(observation);
      if (attempt === attempts || observation.outcome === 'done')
        settle?.(pending[index], observation);
    }
    pending = pending.filter((_, index) => observed[index].outcome === 'failed');
  }
  return pending;
}

/**
 * @template P
 * @param {P[]} jobs
 * @returns {P[][]}
 */
function eachAlone(jobs) {
  return jobs.map((job) => [job]);
}

/**
 * @template J
 * @param {J[]} jobs
 * @param {(job: J) => string} kindOf
 * @returns {Map<string, number>} their number by kind
 */
export function countBy(jobs, kindOf) {
  return rollup(jobs, ({ length }) => length, kindOf);
}

/** Jobs of a kind from which the time of the next ones is estimated. */
const RECENT_JOBS = 30;

/**
 * Estimates how long jobs take, one after the other. Each takes as long as the median of the recent jobs of
 * its kind or, while there are none, of all jobs: a machine may stall for a while, which a mean would carry
 * forward.
 *
 * @template {{ workerMs: number }} O
 * @param {Map<string, number>} counts jobs by kind
 * @param {O[]} observations
 * @param {(observation: O) => string} kindOf
 * @param {number} [usualMs] of a job while there are no observations; unknown by default
 * @returns {number} milliseconds; NaN if unknown
 */
export function estimateMs(counts, observations, kindOf, usualMs = NaN) {
  const ofKind = group(observations, kindOf);
  const times = [...counts].map(([kind, count]) => {
    if (count === 0) return 0;
    const recent = (ofKind.get(kind) ?? observations).slice(-RECENT_JOBS);
    return count * (median(recent, ({ workerMs }) => workerMs) ?? usualMs);
  });
  return sumOf(times);
}

/**
 * @typedef {object} Clock milliseconds, which never decrease although the clock of the machine may be set
 *   back during a session or between two of them
 * @property {() => number} elapsedMs since the run was created
 * @property {() => number} sessionMs since this session began, which is when the clock was opened
 */

/**
 * @param {string} createdAt when the run was created, ISO 8601
 * @returns {Clock}
 */
export function openClock(createdAt) {
  const earlierMs = Math.max(0, Date.now() - Date.parse(createdAt));
  const startMs = performance.now();
  const sessionMs = () => performance.now() - startMs;
  return { elapsedMs: () => earlierMs + sessionMs(), sessionMs };
}
