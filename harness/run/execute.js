import { group, median, rollup } from 'd3-array';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { sumOf } from '../stats/means.js';

/** @import { HostNoise, PassName, Progress, RunEnd } from '../formats/types.ts' */
/** @import { RunJob } from './jobs.js' */

/** @typedef {{ id: string }} PlannedAny a planned job of any pass */
/** @typedef {{ id: string, attempt: number, outcome: 'done' | 'failed', workerMs: number }} ObservedAny an observation of any pass */

/**
 * What distinguishes one pass from another: the jobs that it plans, how one is performed, and what follows from it.
 *
 * @template {PlannedAny} P planned job
 * @template {ObservedAny} O observation
 * @typedef {object} Pass
 * @property {string} name
 * @property {Iterable<P[]>} stages the planned jobs in the order in which they run; a stage is requested after the
 *   stage before has run, so it may depend on the observations up to there
 * @property {(planned: P, runJob: RunJob, place: number) => Promise<Performed>} perform runs the job on this host;
 *   `place`: its number, from 0, among the jobs that run at the same time
 * @property {(planned: P, position: StagePosition<P>) => Progress} describe
 * @property {(job: P | O) => string} [kindOf] jobs of one kind take about as long as each other; by default all do
 * @property {number} [usualMs] how long a job takes, at least, while none of its kind has run; unknown by default
 * @property {(jobs: P[]) => number} [expectMs] how long a stage takes of which only the whole is of use, given those of its
 *   jobs that are not done
 * @property {number} [attempts] how often a job is tried until it succeeds; 1 by default
 * @property {boolean} [keepsFailures] whether a job that failed is done, so that no later session runs it again
 * @property {(planned: P) => boolean} [skips] whether the job has become pointless
 * @property {(planned: P, last: O) => void} [settle] called with the observation of the last attempt
 * @property {(jobs: P[]) => P[][]} [group] jobs that run at the same time; each on its own by default
 * @property {number} [width] how many groups run at the same time on one host; 1 by default
 * @property {(planned: P) => string} [unitOf] jobs with the same unit run on one host; each on its own by default
 * @property {(planned: P) => string} [artefactBaseOf] what the paths of the files that the job leaves begin with,
 *   relative to the directory of the run; absent if it leaves none
 * @property {() => void} [close] removes what is needed only while the pass runs
 */

/**
 * What an attempt at a job yields: an observation without its place in the plan. A job that was performed elsewhere
 * says where and when.
 *
 * @typedef {{
 *   outcome: 'done' | 'failed',
 *   workerMs: number,
 *   startedAtMs?: number,
 *   host?: string,
 *   [figure: string]: unknown,
 * }} Performed
 */

/**
 * @template P
 * @typedef {object} StagePosition
 * @property {P[]} left jobs of the stage that are not done, beginning with the next one
 * @property {number} total jobs of the stage, including those that are done
 */

/**
 * A job for an executor.
 *
 * @template {PlannedAny} [P=any]
 * @typedef {object} Task
 * @property {P} planned
 * @property {number} attempt from 1
 * @property {(runJob: RunJob) => Promise<Performed>} perform runs the job on this host
 */

/**
 * Runs jobs somewhere: in processes of this host, on the hosts of a fleet, or by looking into files.
 *
 * @typedef {object} Executor
 * @property {(pass: Pick<Pass<any, any>, 'width'>) => number} widthOf how many groups of jobs it takes at the same time
 * @property {<P extends PlannedAny>(jobs: P[], pass: Pass<P, any>) => P[][]} divide makes groups, each of which it takes
 *   as a whole
 * @property {(tasks: Task[], limits: Limits) => Promise<(Performed | 'left' | null)[]>} run resolves when all tasks of a
 *   group have ended; 'left' for one that had not ended when the time was over or the user interrupted, null for one
 *   that nobody could run
 * @property {() => Pick<Progress, 'hosts'>} [describe] what it adds to the progress
 * @property {number} [refreshMs] how often the progress changes without a job that ends
 * @property {() => boolean} [hasNews] whether the change is worth showing at once
 * @property {() => { ended: RunEnd, left?: PassName[], wallMs: number, hostNoise: HostNoise }} [tellSession] what is known of jobs that ran
 *   earlier, in place of what the session observes
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Limits
 * @property {Pass<any, any>} pass
 * @property {AbortSignal} signal aborted when the user interrupts
 * @property {number} leftMs after which no other task begins; Infinity for no limit
 */

/**
 * @template {ObservedAny} O
 * @typedef {object} LoopContext
 * @property {Executor} executor
 * @property {O[]} observations of earlier sessions; the loop adds its own
 * @property {(observation: O) => void} [append] to the journal, if there is one
 * @property {Clock} [clock] by default one that starts now
 * @property {() => number} [untilMs] time of the session by which the pass has to end, without a budget by default; no job
 *   starts that usually takes longer
 * @property {AbortSignal} signal aborted when the user interrupts
 * @property {(describe: () => Progress, isNews?: boolean) => void} [onProgress] called before each group of jobs
 */

/** @typedef {'complete' | 'budget' | 'interrupted' | 'failed'} PassEnd `failed`: a job has no result */

/**
 * Runs the jobs of a pass that are not done yet. This is the only loop that runs jobs. Each observation is in the
 * journal before the next group of jobs starts; that of a job during which the user interrupts is discarded, because
 * the interrupt ended its worker.
 *
 * @template {PlannedAny} P
 * @template {ObservedAny} O
 * @param {Pass<P, O>} pass
 * @param {LoopContext<O>} context
 * @returns {Promise<PassEnd>}
 */
export async function execute(pass, context) {
  try {
    return await runStages(pass, context);
  } finally {
    pass.close?.();
  }
}

/**
 * @template {PlannedAny} P
 * @template {ObservedAny} O
 * @param {Pass<P, O>} pass
 * @param {LoopContext<O>} context
 * @returns {Promise<PassEnd>}
 */
async function runStages(pass, context) {
  const { executor, observations, signal, untilMs = () => Infinity } = context;
  const { clock = openClock(new Date().toISOString()) } = context;
  const { skips = () => false, attempts = 1 } = pass;
  let hasFailed = false;
  let isOver = false;

  /** Notes that the time is over for what probably takes so long. @param {() => number} expectMs */
  const endInTime = (expectMs) => {
    const leftMs = untilMs() - clock.sessionMs();
    // Where nothing is known of it, it starts.
    isOver ||= leftMs < 0 || (leftMs < Infinity && expectMs() > leftMs);
    return isOver;
  };

  for (const stage of pass.stages) {
    const done = new Set(observations.filter(isDone).map(({ id }) => id));
    /** Jobs that have not ended. @type {Map<string, P>} */
    const left = new Map(stage.flatMap((job) => (done.has(job.id) ? [] : [[job.id, job]])));
    /** Groups that have not begun. */
    let groups = executor.divide([...left.values()], pass);
    const stopShowing = showWhile(() => describeStage(left, stage));
    if (pass.expectMs !== undefined && left.size > 0) {
      const expectStageMs = pass.expectMs;
      endInTime(() => expectStageMs([...left.values()]));
    }

    /** @returns {P[] | null} the next group without a job that has become pointless */
    const takeGroup = () => {
      while (groups.length > 0 && !signal.aborted && !isOver) {
        if (!groups[0].some(skips)) {
          return endInTime(() => expectGroupMs(groups[0])) ? null : (groups.shift() ?? null);
        }
        // The partners of such a job run with other jobs.
        const waiting = groups.flat();
        for (const job of waiting.filter(skips)) left.delete(job.id);
        groups = executor.divide(
          waiting.filter(({ id }) => left.has(id)),
          pass,
        );
      }
      return null;
    };
    const takeGroups = async () => {
      for (let jobs = takeGroup(); jobs !== null; jobs = takeGroup()) {
        const [first] = jobs;
        show(() => describeStage(left, stage, first));
        await runGroup(jobs);
        for (const { id } of jobs) left.delete(id);
      }
    };
    try {
      const lanes = Math.min(executor.widthOf(pass), groups.length);
      await Promise.all(Array.from({ length: lanes }, takeGroups));
    } finally {
      stopShowing();
    }
    if (signal.aborted) return 'interrupted';
    if (isOver) return hasFailed ? 'failed' : 'budget';
  }
  return hasFailed ? 'failed' : 'complete';

  /** @param {O} observation */
  function isDone({ outcome }) {
    return outcome === 'done' || pass.keepsFailures === true;
  }

  /** @param {Map<string, P>} left @param {P[]} stage @param {P | undefined} [next] */
  function describeStage(left, stage, next) {
    const open = [...left.values()];
    const planned = next ?? open[0] ?? stage[0];
    return pass.describe(planned, { left: open, total: stage.length });
  }

  /** @type {(jobs: P[]) => number} jobs that run at the same time; NaN if unknown */
  function expectGroupMs(jobs) {
    const { kindOf = () => '', usualMs } = pass;
    const times = jobs.map((job) => {
      const kind = kindOf(job);
      const expectedMs = estimateMs(new Map([[kind, 1]]), observations, kindOf, usualMs);
      const isKnown = observations.some((observation) => kindOf(observation) === kind);
      return isKnown ? expectedMs : Math.max(expectedMs, usualMs ?? expectedMs);
    });
    return Math.max(...times);
  }

  /** @param {() => Progress} describe  @param {boolean} [isNews] */
  function show(describe, isNews) {
    context.onProgress?.(() => ({ ...describe(), ...executor.describe?.() }), isNews);
  }

  /** Shows the progress now and then while no job ends. @param {() => Progress} describe */
  function showWhile(describe) {
    if (executor.refreshMs === undefined) return () => {};
    const timer = setInterval(() => show(describe, executor.hasNews?.()), executor.refreshMs);
    return () => clearInterval(timer);
  }

  /** @param {P[]} jobs that the executor takes together */
  async function runGroup(jobs) {
    let pending = jobs;
    for (let attempt = 1; attempt <= attempts && pending.length > 0; attempt++) {
      // The next session tries them again.
      if (attempt > 1 && endInTime(() => expectGroupMs(pending))) return;
      const startedAtMs = clock.elapsedMs();
      const tasks = pending.map((planned) => ({
        planned,
        attempt,
        perform: (/** @type {RunJob} */ runJob) =>
          pass.perform(planned, runJob, jobs.indexOf(planned)),
      }));
      const leftMs = untilMs() - clock.sessionMs();
      const performed = await executor.run(tasks, { pass, signal, leftMs });
      if (signal.aborted) return;
      const failed = [];
      for (const [index, planned] of pending.entries()) {
        const found = performed[index];
        if (found === 'left') {
          isOver = true;
          continue;
        }
        if (found === null) {
          if (!skips(planned)) hasFailed = true;
          continue;
        }
        const observation = /** @type {O} */ (
          /** @type {unknown} */ ({
            formatVersion: FORMAT_VERSION,
            ...planned,
            attempt,
            startedAtMs,
            ...found,
          })
        );
        observations.push(observation);
        context.append?.(observation);
        const isLast = attempt === attempts || observation.outcome === 'done';
        if (isLast) pass.settle?.(planned, observation);
        if (observation.outcome === 'failed') failed.push(planned);
      }
      pending = failed;
    }
    hasFailed ||= pending.length > 0;
  }
}

/** Fields of an observation that the loop sets. */
const OF_LOOP = new Set(['formatVersion', 'attempt']);

/**
 * What a job that ran elsewhere adds to its observation, with nothing that the plan says or the loop sets.
 *
 * @param {object} observation
 * @param {object} planned
 * @returns {Performed}
 */
export function takePerformed(observation, planned) {
  const own = Object.entries(observation).filter(
    ([name]) => !(name in planned) && !OF_LOOP.has(name),
  );
  return /** @type {Performed} */ (Object.fromEntries(own));
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
 * The time in which at least one job ran; both arms are profiled at the same time.
 * @type {(jobs: { startedAtMs: number, workerMs: number }[]) => number} milliseconds
 */
export function countBusyMs(jobs) {
  let busyMs = 0;
  let endMs = -Infinity;
  for (const { startedAtMs, workerMs } of jobs.toSorted((a, b) => a.startedAtMs - b.startedAtMs)) {
    const jobEndMs = startedAtMs + workerMs;
    busyMs += Math.max(0, jobEndMs - Math.max(startedAtMs, endMs));
    endMs = Math.max(endMs, jobEndMs);
  }
  return busyMs;
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
