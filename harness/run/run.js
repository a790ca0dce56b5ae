import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { readCalibrationRecord, applyCalibration } from '../host/calibration-record.js';
import { compareHostCounters, readHostCounters } from '../host/counters.js';
import { describeEnvironment } from '../host/environment.js';
import { describeAssay } from '../lib/project.js';
import { chooseCellsToExplain, planProfileJobs } from '../profiling/plan-profiles.js';
import { contractViolations } from '../stats/verdicts.js';
import { chooseLayoutCells } from '../stats/placement.js';
import { checkContract, checkOutputs, requireKnownRows } from './gate.js';
import { openJobRunner } from './job-runner.js';
import { measurePlacement } from './measure-layouts.js';
import { measureMemory } from './measure-memory.js';
import { recordProfiles } from './record-profiles.js';
import { createRunDirectory, journal, removePartialWrites, writeManifest } from './store.js';
import { enterSandbox } from './sandbox/sandbox.js';
import { measureTimes } from './timing.js';
import { analyzeRun } from './verdict.js';

/** @import { Difference, Family, Job, Manifest, MeasureSettings, PreparedCorpus, Question, Recorder, RecorderHost, RecorderState, Runtime, Sandbox, Verdict } from '../formats/types.ts' */
/** @import { AnalyzedRun } from './verdict.js' */
/** @import { AnyProgress } from './print-progress.js' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { StoredRun } from './store.js' */
/** @import { WorkerOutcome } from './run-worker.js' */

/** Of the time of a session with a budget, what other layouts may take beyond it. */
const LAYOUT_SHARE = 1 / 3;

/**
 * @typedef {object} Session what a session of measuring has of the outside world
 * @property {Record<string, string | undefined>} environment
 * @property {AbortSignal} signal aborted when the user interrupts
 * @property {(progress: AnyProgress) => void} onProgress
 * @property {RecorderHost} host
 * @property {(run: StoredRun & AnalyzedRun) => Promise<void>} publish writes the reports of a run, printing
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
 * @returns {Promise<StoredRun & AnalyzedRun>}
 */
export async function executeRun(run, family, session, sofar) {
  const { path, manifest } = run;
  removePartialWrites(path);
  const { sessionMs } = openClock(manifest.createdAt);
  const countersBefore = readHostCounters();
  const { acceptedRows } = manifest.question;
  const isRefused =
    sofar.differences.length > 0 || contractViolations(manifest.contracts, acceptedRows).length > 0;
  const { budgetSeconds, interimLooks = {} } = sofar;
  let ended = isRefused
    ? 'refused'
    : await measure(run, family, session, { budgetSeconds, interimLooks });
  const hostNoise = compareHostCounters(countersBefore, readHostCounters());
  const judge = (seen = run) =>
    analyzeRun(seen, {
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
  return measurePlacement(chooseLayoutCells(manifest.question, verdict.cells), {
    path,
    manifest,
    family,
    observations: layoutObservations,
    runJob: openJobRunner(manifest.question.nodeFlags, session, manifest.runtimes),
    keep: journal(path, 'layout-observation').append,
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
    keep: journal(path, 'profile-observation').append,
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
      measureTimes({
        ...common,
        observations,
        interimLooks,
        keep: journal(path, 'observation').append,
        isOverBudget: () => sessionMs() > untilMs,
      }),
    measureMemory: (untilMs) =>
      measureMemory({
        ...common,
        observations: memoryObservations,
        keep: journal(path, 'memory-observation').append,
        isOverBudget: () => sessionMs() > untilMs,
      }),
  });
}

/**
 * @typedef {object} Prepared what a new run starts from
 * @property {string} command as typed
 * @property {string} runsPath where the directory of the run is made
 * @property {Question} question
 * @property {FoundFamily} family
 * @property {Manifest['variants']} variants
 * @property {PreparedCorpus[]} corpora
 * @property {PreparedCorpus[]} correctnessCorpora the same labels, with the documents to check outputs on
 * @property {Record<string, string>} packages that operations need: directory by name
 * @property {Runtime[]} runtimes that cells and variants ask for
 * @property {Sandbox | null} [sandbox] that the question wants workers to run in
 * @property {RecorderState[]} recorderStates what their probes said
 */

/**
 * Starts a run: directory, gate, manifest, measuring, verdict.
 *
 * @param {Prepared} prepared
 * @param {Session} outside
 * @returns {Promise<StoredRun & AnalyzedRun>}
 */
export async function createRun(prepared, outside) {
  const session = enterSandbox(outside, prepared.sandbox);
  const { question, family, variants, corpora } = prepared;
  const createdAt = new Date();
  const { sessionMs } = openClock(createdAt.toISOString());
  const { runId, path } = createRunDirectory(prepared.runsPath, nameRun(createdAt, question));
  const checks = countWorkerMs(openJobRunner(question.nodeFlags, session, prepared.runtimes));
  const gate = await checkCorrectness(prepared, join(path, 'artefacts'), checks.runJob).catch(
    (error) => {
      // Without a manifest the directory is no run, and nothing was timed.
      rmSync(path, { recursive: true });
      throw error;
    },
  );
  const environment = describeEnvironment({ variables: session.environment });
  const calibrated = applyCalibration(readCalibrationRecord(), {
    mode: question.mode,
    environment,
  });
  /** @type {Manifest} */
  const manifest = {
    formatVersion: FORMAT_VERSION,
    runId,
    createdAt: createdAt.toISOString(),
    command: prepared.command,
    assay: describeAssay(),
    question,
    settings: chooseSettings(family, calibrated),
    variants,
    corpora,
    expectedDigests: gate.expectedDigests,
    contracts: gate.contracts,
    packages: prepared.packages,
    recorders: prepared.recorderStates,
    runtimes: prepared.runtimes,
    environment,
    ...(calibrated === null
      ? {}
      : { calibration: calibrated.calibration, thresholds: calibrated.thresholds }),
  };
  writeManifest(path, manifest);
  const run = {
    path,
    manifest,
    observations: [],
    memoryObservations: [],
    profileObservations: [],
    layoutObservations: [],
    verdict: null,
  };
  return executeRun(run, family, session, {
    differences: gate.differences,
    checkMs: checks.totalMs(),
    earlierWallMs: sessionMs(),
    budgetSeconds: question.budgetSeconds,
  });
}

/**
 * What must hold before anything is timed: the behaviour contract and the right bytes.
 *
 * @param {Pick<Prepared, 'question' | 'family' | 'variants' | 'correctnessCorpora'>} prepared
 * @param {string} outputPath directory for outputs
 * @param {(job: Job) => Promise<WorkerOutcome>} runJob
 * @throws {import('../lib/errors.js').UsageError} when a row is accepted that the contract does not have
 */
export async function checkCorrectness(
  { question, family, variants, correctnessCorpora },
  outputPath,
  runJob,
) {
  const compared = [variants.baseline, variants.candidate];
  const outputs = await checkOutputs({
    family,
    reference: variants.reference,
    variants: compared,
    cells: question.cells,
    corpora: correctnessCorpora,
    outputPath,
    runJob,
  });
  const { cells } = question;
  const contracts = await checkContract({ family, variants: compared, cells, runJob });
  requireKnownRows(question, contracts);
  return { ...outputs, contracts };
}

/** @param {ReturnType<typeof openJobRunner>} runJob */
function countWorkerMs(runJob) {
  let totalMs = 0;
  return {
    /** @param {Job} job */
    async runJob(job) {
      const outcome = await runJob(job);
      totalMs += outcome.workerMs;
      return outcome;
    },
    totalMs: () => totalMs,
  };
}

/** Of the budget, what the times may take before memory is measured. */
const TIMES_SHARE = 1 / 2;
/** Why measuring ended early, the most important reason first. */
const EARLY_ENDS = /** @type {const} */ (['interrupted', 'failed', 'budget']);

/** @typedef {'complete' | 'budget' | 'interrupted' | 'failed'} MeasuringEnd */

/**
 * Measures times and memory within one budget. With both, the times come first and may take half of
 * the budget; memory has the rest, and what memory leaves goes to times that are not settled.
 *
 * @param {object} measuring
 * @param {Question['memory']} measuring.memory
 * @param {number} measuring.budgetMs of the session; Infinity for no limit
 * @param {(untilMs: number) => Promise<MeasuringEnd>} measuring.measureTimes until so long after the
 *   session began; goes on where it ended when it is called again
 * @param {(untilMs: number) => Promise<MeasuringEnd>} measuring.measureMemory likewise
 * @returns {Promise<MeasuringEnd>}
 */
export async function measureInTurn({ memory, budgetMs, measureTimes, measureMemory }) {
  if (memory === 'only') return measureMemory(budgetMs);
  if (memory === 'none') return measureTimes(budgetMs);
  let timesEnded = await measureTimes(budgetMs * TIMES_SHARE);
  if (timesEnded === 'interrupted') return 'interrupted';
  const memoryEnded = await measureMemory(budgetMs);
  if (memoryEnded !== 'interrupted' && timesEnded === 'budget') {
    timesEnded = await measureTimes(budgetMs);
  }
  return EARLY_ENDS.find((end) => end === timesEnded || end === memoryEnded) ?? 'complete';
}

/**
 * Time of a run, which never goes back, though the clock of the machine may be set back while the run
 * lasts or between two of its sessions.
 *
 * @param {string} createdAt when the run was made, ISO 8601
 * @returns {{ elapsedMs: () => number, sessionMs: () => number }} since the run was made, and since now
 */
export function openClock(createdAt) {
  const earlierMs = Math.max(0, Date.now() - Date.parse(createdAt));
  const startMs = performance.now();
  const sessionMs = () => performance.now() - startMs;
  return { elapsedMs: () => earlierMs + sessionMs(), sessionMs };
}

/**
 * @param {Date} createdAt
 * @param {Pick<Question, 'baseline' | 'candidate'>} question
 * @returns {string} `20261121-114500-generator-vs-linked-list`, UTC
 */
export function nameRun(createdAt, { baseline, candidate }) {
  return `${nameMoment(createdAt)}-${shortenSpec(baseline)}-vs-${shortenSpec(candidate)}`;
}

/**
 * @param {string} spec `path:../my/codec.js`
 * @returns {string} its last part, fit for a file name: `codec`
 */
function shortenSpec(spec) {
  const lastPart = spec.replace(/^.*[:/](?=.)/, '').replace(/\.[cm]?js$/, '');
  return lastPart.replaceAll(/[^\w@.-]+/g, '-').slice(0, 24);
}

/**
 * @param {Date} moment
 * @returns {string} `20261121-114500`, UTC: what the directory of a run begins with
 */
export function nameMoment(moment) {
  const digits = moment.toISOString().replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}

/** How long and how often a timed job measures: decisions 0001 and 0017 have the reasons. */
const MEASURE_SETTINGS = Object.freeze({
  warmUpMs: 80,
  warmUpCalls: 5_000,
  maxWarmUpMs: 400,
  batchCount: 24,
  batchMs: 5,
});

/**
 * What timed jobs of a family are told: the family's own wishes before what a calibration of the host
 * found best, before the defaults.
 *
 * @param {Pick<Family, 'settings'>} family
 * @param {{ batchCount: number } | null} calibrated null where there is no calibration, or it is not
 *   to have its say
 * @returns {MeasureSettings}
 */
export function chooseSettings({ settings }, calibrated) {
  const { batchCount = MEASURE_SETTINGS.batchCount } = calibrated ?? {};
  return { ...MEASURE_SETTINGS, batchCount, ...settings };
}
