import { compareHostCounters, readHostCounters } from '../host/host-counters.js';
import { judgeRun } from './judge-run.js';
import { chooseLayoutCells } from '../stats/choose-cells.js';
import { measureLayouts } from './measure-layouts.js';
import { listBreaches } from '../stats/list-breaches.js';
import { measureInTurn } from './measure-in-turn.js';
import { measureMemory } from './measure-memory.js';
import { measureRun } from './measure-run.js';
import { openClock } from './open-clock.js';
import { openJobRunner } from './open-job-runner.js';
import { chooseCellsToExplain, planProfileJobs } from '../profiling/plan-profiles.js';
import { recordProfiles } from './record-profiles.js';
import {
  appendLayoutObservation,
  appendMemoryObservation,
  appendObservation,
  appendProfileObservation,
  dropTornFiles,
  dropTornLine,
} from './run-store.js';

/** @import { Difference, Recorder, RecorderHost, Sandbox, Verdict } from '../formats/types.ts' */
/** @import { Judged } from './judge-run.js' */
/** @import { AnyProgress } from './print-progress.js' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { StoredRun } from './run-store.js' */

/** Of the time of a session with a budget, what other layouts may take beyond it. */
const LAYOUT_SHARE = 1 / 3;

/**
 * @typedef {object} Session what a session of measuring has of the outside world
 * @property {Record<string, string | undefined>} environment
 * @property {AbortSignal} signal aborted when the user interrupts
 * @property {(progress: AnyProgress) => void} onProgress
 * @property {RecorderHost} host
 * @property {(run: StoredRun & Judged) => Promise<void>} publish writes the reports of a run, printing
 *   none
 * @property {Recorder[]} recorders of the second pass, those that can work here
 * @property {Sandbox | null} [sandbox] that workers run in, which the question decides
 * @property {number} [jobTimeoutMs] for every job, in place of the usual limits
 */

/**
 * Goes on with a run whose manifest is written: measures what is missing and judges.
 *
 * @param {StoredRun} run
 * @param {FoundFamily} family
 * @param {Session} session
 * @param {object} sofar
 * @param {Difference[]} sofar.differences
 * @param {number} sofar.checkMs
 * @param {number} sofar.earlierWallMs
 * @param {Record<string, number[]>} [sofar.interimLooks] at which earlier sessions gave a verdict
 * @param {number | null} sofar.budgetSeconds
 * @returns {Promise<StoredRun & Judged>}
 */
export async function continueRun(run, family, session, sofar) {
  const { path, manifest } = run;
  dropTornLine(path);
  dropTornFiles(path);
  const { sessionMs } = openClock(manifest.createdAt);
  const countersBefore = readHostCounters();
  const { acceptedRows } = manifest.question;
  const isRefused =
    sofar.differences.length > 0 || listBreaches(manifest.contracts, acceptedRows).length > 0;
  const { budgetSeconds, interimLooks = {} } = sofar;
  let ended = isRefused
    ? 'refused'
    : await measure(run, family, session, { budgetSeconds, interimLooks });
  const hostNoise = compareHostCounters(countersBefore, readHostCounters());
  const judge = (seen = run) =>
    judgeRun(seen, {
      ended,
      hostNoise,
      differences: sofar.differences,
      checkMs: sofar.checkMs,
      interimLooks,
      wallMs: sofar.earlierWallMs + sessionMs(),
    });
  if (ended === 'complete' || ended === 'budget') {
    const byTimes = await judge({ ...run, layoutObservations: [] });
    const judgeAll = async () => (run.layoutObservations.length === 0 ? byTimes : judge());
    const passes = [
      () => layOut(run, byTimes.verdict, family, { session, budgetSeconds }),
      async () => explain(run, (await judgeAll()).verdict, family, session),
    ];
    for (const pass of passes) {
      if (ended !== 'interrupted' && (await pass()) === 'interrupted') ended = 'interrupted';
    }
  }
  return { ...run, ...(await judge()) };
}

/**
 * Measures the cells that code placement might have decided in other layouts of both sides.
 *
 * @param {StoredRun} run
 * @param {Verdict} verdict by the times alone
 * @param {FoundFamily} family
 * @param {{ session: Session, budgetSeconds: number | null }} limits
 * @returns {Promise<'complete' | 'interrupted'>}
 */
async function layOut(run, verdict, family, { session, budgetSeconds }) {
  const { path, manifest, layoutObservations } = run;
  const { elapsedMs, sessionMs } = openClock(manifest.createdAt);
  const longestMs = budgetSeconds === null ? Infinity : budgetSeconds * 1000 * LAYOUT_SHARE;
  return measureLayouts(chooseLayoutCells(manifest.question, verdict.cells), {
    path,
    manifest,
    family,
    observations: layoutObservations,
    runJob: openJobRunner(manifest.question.nodeFlags, session, manifest.runtimes),
    keep: (observation) => appendLayoutObservation(path, observation),
    onProgress: session.onProgress,
    elapsedMs,
    isInterrupted: () => session.signal.aborted,
    isOverBudget: () => sessionMs() > longestMs,
  });
}

/**
 * The second pass: profiles both sides of the cells that differ.
 *
 * @param {StoredRun} run
 * @param {Verdict} verdict on the times
 * @param {FoundFamily} family
 * @param {Session} session
 * @returns {Promise<'complete' | 'interrupted'>}
 */
async function explain(run, verdict, family, { recorders, host, signal, onProgress }) {
  const { path, manifest, profileObservations } = run;
  const { question } = manifest;
  const planned = planProfileJobs({
    cells: chooseCellsToExplain(question, verdict.cells),
    allCells: question.cells,
    recorders,
    asked: question.recorders,
  });
  if (planned.length === 0) return 'complete';
  const { elapsedMs } = openClock(manifest.createdAt);
  return recordProfiles(planned, {
    path,
    manifest,
    familyPath: family.path,
    recorders,
    host,
    observations: profileObservations,
    keep: (observation) => appendProfileObservation(path, observation),
    onProgress,
    elapsedMs,
    signal,
  });
}

/**
 * Measures what is missing, within the budget.
 *
 * @param {StoredRun} run
 * @param {FoundFamily} family
 * @param {Session} session
 * @param {object} limits
 * @param {number | null} limits.budgetSeconds
 * @param {Record<string, number[]>} limits.interimLooks
 * @returns {Promise<Verdict['ended']>}
 */
function measure(run, family, session, { budgetSeconds, interimLooks }) {
  const { path, manifest, observations, memoryObservations } = run;
  const { nodeFlags, memory } = manifest.question;
  const { elapsedMs, sessionMs } = openClock(manifest.createdAt);
  const common = {
    manifest,
    familyPath: family.path,
    runJob: openJobRunner(nodeFlags, session, manifest.runtimes),
    onProgress: session.onProgress,
    elapsedMs,
    isInterrupted: () => session.signal.aborted,
  };
  return measureInTurn({
    memory,
    budgetMs: budgetSeconds === null ? Infinity : budgetSeconds * 1000,
    measureTimes: (untilMs) =>
      measureRun({
        ...common,
        observations,
        interimLooks,
        keep: (observation) => appendObservation(path, observation),
        isOverBudget: () => sessionMs() > untilMs,
      }),
    measureMemory: (untilMs) =>
      measureMemory({
        ...common,
        observations: memoryObservations,
        keep: (observation) => appendMemoryObservation(path, observation),
        isOverBudget: () => sessionMs() > untilMs,
      }),
  });
}
