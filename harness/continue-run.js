import { compareHostCounters, readHostCounters } from './environment.js';
import { judgeRun } from './judge-run.js';
import { listBreaches } from './list-breaches.js';
import { measureMemory } from './measure-memory.js';
import { measureRun } from './measure-run.js';
import { openJobRunner } from './open-job-runner.js';
import { chooseCellsToExplain, planProfileJobs } from './plan-profiles.js';
import { recordProfiles } from './record-profiles.js';
import {
  appendMemoryObservation,
  appendObservation,
  appendProfileObservation,
  dropTornLine,
} from './run-store.js';

/** @import { Difference, Recorder, RecorderHost, Verdict } from './types.ts' */
/** @import { Judged } from './judge-run.js' */
/** @import { AnyProgress } from './print-progress.js' */
/** @import { FoundFamily } from './resolve/families.js' */
/** @import { StoredRun } from './run-store.js' */

/**
 * @typedef {object} Session what a session of measuring has of the outside world
 * @property {Record<string, string | undefined>} environment
 * @property {AbortSignal} signal aborted when the user interrupts
 * @property {(progress: AnyProgress) => void} onProgress
 * @property {RecorderHost} host
 * @property {Recorder[]} recorders of the second pass, those that can work here
 */

/**
 * Goes on with a run whose manifest is written: measures what is missing and judges.
 *
 * @param {StoredRun} run
 * @param {FoundFamily} family
 * @param {Session} session
 * @param {{ differences: Difference[], checkMs: number, earlierWallMs: number, budgetSeconds: number | null }} sofar
 * @returns {Promise<StoredRun & Judged>}
 */
export async function continueRun(run, family, session, sofar) {
  const { path, manifest } = run;
  dropTornLine(path);
  const startMs = Date.now();
  const countersBefore = readHostCounters();
  const { acceptedRows } = manifest.question;
  const isRefused =
    sofar.differences.length > 0 || listBreaches(manifest.contracts, acceptedRows).length > 0;
  const isOverBudget = () => {
    const { budgetSeconds } = sofar;
    return budgetSeconds !== null && Date.now() - startMs > budgetSeconds * 1000;
  };
  let ended = isRefused ? 'refused' : await measure(run, family, session, isOverBudget);
  const hostNoise = compareHostCounters(countersBefore, readHostCounters());
  const judge = () =>
    judgeRun(run, {
      ended,
      hostNoise,
      differences: sofar.differences,
      checkMs: sofar.checkMs,
      wallMs: sofar.earlierWallMs + Date.now() - startMs,
    });
  if (ended === 'complete' || ended === 'budget') {
    const { verdict } = await judge();
    if ((await explain(run, verdict, family, session)) === 'interrupted') ended = 'interrupted';
  }
  return { ...run, ...(await judge()) };
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
  const createdMs = Date.parse(manifest.createdAt);
  return recordProfiles(planned, {
    path,
    manifest,
    familyPath: family.path,
    recorders,
    host,
    observations: profileObservations,
    keep: (observation) => appendProfileObservation(path, observation),
    onProgress,
    elapsedMs: () => Date.now() - createdMs,
    signal,
  });
}

/**
 * Measures what is missing: the time first, then memory.
 *
 * @param {StoredRun} run
 * @param {FoundFamily} family
 * @param {Session} session
 * @param {() => boolean} isOverBudget of the time
 * @returns {Promise<Verdict['ended']>}
 */
async function measure(run, family, session, isOverBudget) {
  const { path, manifest, observations, memoryObservations } = run;
  const { nodeFlags, memory } = manifest.question;
  const createdMs = Date.parse(manifest.createdAt);
  const common = {
    manifest,
    familyPath: family.path,
    runJob: openJobRunner(nodeFlags, session, manifest.runtimes),
    onProgress: session.onProgress,
    elapsedMs: () => Date.now() - createdMs,
    isInterrupted: () => session.signal.aborted,
  };
  /** @type {Verdict['ended']} */
  let ended = 'complete';
  if (memory !== 'only') {
    ended = await measureRun({
      ...common,
      observations,
      keep: (observation) => appendObservation(path, observation),
      isOverBudget,
    });
  }
  if (memory === 'none' || ended === 'interrupted') return ended;
  const memoryEnded = await measureMemory({
    ...common,
    kinds: family.memory,
    observations: memoryObservations,
    keep: (observation) => appendMemoryObservation(path, observation),
  });
  return memoryEnded === 'complete' ? ended : memoryEnded;
}
