import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { readCalibrationRecord, applyCalibration } from '../host/calibration-record.js';
import { compareHostCounters, readHostCounters } from '../host/counters.js';
import { findTwoCores } from '../host/cores.js';
import { describeEnvironment } from '../host/environment.js';
import { PROJECT, describeAssay } from '../lib/project.js';
import {
  chooseCellsToExplain,
  mergeRecorderStates,
  planProfileJobs,
} from '../profiling/plan-profiles.js';
import {
  chooseRecorders,
  listWantedRecorders,
  selectRecorders,
} from '../profiling/recorder-registry.js';
import { contractViolations } from '../stats/verdicts.js';
import { choosePlacementCell, isPlaced } from '../stats/placement.js';
import { lackedBy, listVariants } from '../stats/plan.js';
import { scheduleOf } from '../stats/schedule.js';
import { hasProgram } from '../variants/build-family.js';
import { digestDirectories } from '../variants/cache.js';
import { checkCorrectness } from './gate.js';
import { openJobRunner } from './jobs.js';
import { measureMemory } from './passes/memory.js';
import { openClock } from './passes/pass.js';
import { measurePlacement } from './passes/placement.js';
import { recordProfiles } from './passes/profiles.js';
import { measureTimes } from './passes/timing.js';
import { describeGate, watchRun } from './progress.js';
import { enterSandbox } from './sandbox.js';
import {
  hostJournal,
  createRunDirectory,
  journal,
  readRun,
  removePartialWrites,
  writeManifest,
} from './store.js';
import { analyzeRun, countBusyMs, restoreSessionTotals } from './verdict.js';

/** @import { Difference, Family, FleetHost, Job, Manifest, MeasureSettings, PreparedCorpus, Question, Recorder, RecorderHost, RecorderState, Runtime, Sandbox, Server, ShowProgress, Verdict } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Clock, ConductPass, PassContext, PassEnd } from './passes/pass.js' */
/** @import { PreparedResume } from './prepare.js' */
/** @import { StoredRun } from './store.js' */
/** @import { AnalyzedRun } from './verdict.js' */

/** How long and how often a timed job measures; the reasons are in decisions 0001 and 0017. */
const MEASURE_SETTINGS = Object.freeze({
  warmUpMs: 80,
  warmUpCalls: 3_000,
  maxWarmUpMs: 400,
  batchCount: 12,
  batchMs: 5,
});
/** Share of the budget after which timing stops and memory is measured. */
const TIMES_SHARE = 1 / 2;
/** What placement may take in addition to the budget, as a share of it. */
const PLACEMENT_SHARE = 1 / 3;
/** Reasons why measuring ended early, the most important first. */
const EARLY_ENDS = /** @type {const} */ (['interrupted', 'failed', 'budget']);

/**
 * @typedef {object} Session the outside world in one session of measuring
 * @property {Record<string, string | undefined>} environment
 * @property {AbortSignal} signal aborted when the user interrupts
 * @property {ShowProgress} onProgress
 * @property {RecorderHost} host
 * @property {(run: StoredRun & AnalyzedRun) => Promise<void>} publish writes the reports of a run without
 *   printing one
 * @property {Recorder[]} recorders of the profile pass, as `findSessionRecorders` finds them
 * @property {Sandbox | null} [sandbox] for workers, as the question asks
 * @property {Fleet} [fleet] where jobs run, instead of this host
 * @property {number} [jobTimeoutMs] of every job, instead of the usual limits
 */

/**
 * @typedef {object} Fleet
 * @property {string} id of the run there
 * @property {(manifest: Manifest) => Promise<void>} publish begins a session
 * @property {(...args: [...Parameters<ConductPass>, FleetHosts]) => ReturnType<ConductPass>} conduct
 * @property {() => Promise<void>} end removes what the session has left there
 * @property {<T>(path: string, work: () => Promise<T>) => Promise<T>} alone runs `work` unless another session of the
 *   run in that directory does so
 *
 * @typedef {object} FleetHosts
 * @property {string} path of the run
 * @property {FleetHost[]} hosts that have measured the run
 * @property {(host: FleetHost) => void} addHost
 */

/**
 * @typedef {object} Prepared the start of a new run
 * @property {string} command as typed
 * @property {string} runsPath in which the directory of the run is created
 * @property {Question} question
 * @property {FoundFamily} family
 * @property {Manifest['variants']} variants
 * @property {PreparedCorpus[]} corpora
 * @property {PreparedCorpus[]} correctnessCorpora the same labels, with the documents to check outputs on
 * @property {Record<string, string>} packages that operations need: directory by name
 * @property {Server | undefined} [server] that operations talk to, instead of their own
 * @property {Runtime[]} runtimes that cells and variants ask for
 * @property {Sandbox | null} [sandbox] for workers, as the question asks
 * @property {RecorderState[]} recorderStates results of their probes
 */

/**
 * Creates a run and executes it.
 * @type {(prepared: Prepared, outside: Session) => Promise<StoredRun & AnalyzedRun>}
 */
export async function createRun(prepared, outside) {
  const session = enterSandbox(outside, prepared.sandbox);
  const { question, family } = prepared;
  const createdAt = new Date();
  const { sessionMs } = openClock(createdAt.toISOString());
  const { runId, path } = createRunDirectory(prepared.runsPath, nameRun(createdAt, question));
  session.onProgress(() => describeGate(question), true);
  const checks = watchJobs(openJobRunner(question.nodeFlags, session, prepared.runtimes));
  const gate = await checkCorrectness(prepared, join(path, 'artefacts'), checks.runJob).catch(
    (error) => {
      // Without a manifest the directory is not a run, and nothing was timed.
      rmSync(path, { recursive: true });
      throw error;
    },
  );
  /** @type {Manifest} */
  const manifest = {
    formatVersion: FORMAT_VERSION,
    runId,
    createdAt: createdAt.toISOString(),
    command: prepared.command,
    ...describeExperiment(prepared, session.environment),
    expectedDigests: gate.expectedDigests,
    contracts: gate.contracts,
    ...(Object.keys(gate.sizes).length === 0 ? {} : { sizes: gate.sizes }),
    packages: prepared.packages,
    ...(prepared.server === undefined ? {} : { server: prepared.server }),
    recorders: prepared.recorderStates,
    ...(session.fleet === undefined ? {} : { fleet: session.fleet.id }),
  };
  writeManifest(path, manifest);
  const run = {
    path,
    manifest,
    observations: [],
    memoryObservations: [],
    profileObservations: [],
    placementObservations: [],
    ...(session.fleet === undefined ? {} : { hosts: [] }),
    verdict: null,
  };
  return withRunLock(session, path, () =>
    executeRun(run, family, session, {
      differences: gate.differences,
      checkMs: checks.busyMs(),
      earlierWallMs: sessionMs(),
      interimLooks: {},
      budgetSeconds: question.budgetSeconds,
    }),
  );
}

/**
 * The part of a manifest that says what is measured, with what and where.
 *
 * @param {Pick<Prepared, 'question' | 'family' | 'variants' | 'corpora' | 'runtimes'>} prepared
 * @param {Session['environment']} variables
 */
export function describeExperiment({ question, family, variants, corpora, runtimes }, variables) {
  const environment = describeEnvironment({ variables });
  const calibrated = applyCalibration(readCalibrationRecord(), { ...question, environment });
  const { assayPath } = PROJECT;
  const folders = ['harness', 'corpora', join('experiments', 'support')];
  const sources = [...folders.map((folder) => join(assayPath, folder)), family.path];
  return {
    assay: describeAssay(),
    instrument: digestDirectories(
      assayPath,
      sources.filter((path) => existsSync(path)),
    ),
    question,
    settings: chooseSettings(family, calibrated),
    variants,
    corpora,
    runtimes,
    environment,
    ...(calibrated === null
      ? {}
      : { calibration: calibrated.calibration, thresholds: calibrated.thresholds }),
  };
}

/**
 * Resumes an interrupted run. It is read here, under the lock of the host or of the run: another process
 * may have resumed it since it was prepared.
 *
 * @param {string} path absolute path of the run
 * @param {number | null} budgetSeconds of this session
 * @param {PreparedResume} prepared
 * @param {Omit<Session, 'recorders'>} session
 * @returns {Promise<StoredRun & AnalyzedRun>}
 */
export async function resumeRun(path, budgetSeconds, { family, sandbox }, session) {
  return withRunLock(session, path, async () => {
    const run = await readRun(path);
    const { differences, checkMs, wallMs: earlierWallMs, interimLooks } = restoreSessionTotals(run);
    const isProgram = await hasProgram(family);
    const { recorders } = await findSessionRecorders(run.manifest.question, session, isProgram);
    return executeRun(run, family, enterSandbox({ ...session, recorders }, sandbox), {
      differences,
      checkMs,
      earlierWallMs,
      interimLooks,
      budgetSeconds,
    });
  });
}

/**
 * Runs `work` while no other session measures the run. Without a fleet the lock of the host sees to that.
 *
 * @template T
 * @param {Pick<Session, 'fleet'>} session
 * @param {string} path absolute path of the run
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
function withRunLock({ fleet }, path, work) {
  return fleet === undefined ? work() : fleet.alone(path, work);
}

/**
 * @param {Question} question
 * @param {Pick<Session, 'fleet' | 'host'>} session
 * @param {boolean} isProgram whether the family is measured by its own program
 * @returns {ReturnType<typeof chooseRecorders>} those that can work here or, as far as is known before they are asked,
 *   on hosts of the fleet
 */
export async function findSessionRecorders(question, { fleet, host }, isProgram) {
  if (fleet === undefined) return chooseRecorders(question, host, isProgram);
  return { recorders: await listWantedRecorders(question, isProgram), states: [] };
}

/**
 * Executes a run that has a manifest: runs the jobs that are not done and computes the verdict.
 *
 * @param {StoredRun} run
 * @param {FoundFamily} family
 * @param {Session} session
 * @param {object} earlier
 * @param {Difference[]} earlier.differences that the correctness gate found
 * @param {number} earlier.checkMs worker time of the gate
 * @param {number} earlier.earlierWallMs
 * @param {Record<string, number[]>} earlier.interimLooks unplanned looks of earlier sessions, by cell
 * @param {number | null} earlier.budgetSeconds of this session
 * @returns {Promise<StoredRun & AnalyzedRun>}
 */
async function executeRun(run, family, session, earlier) {
  const { fleet } = session;
  if (fleet === undefined) return executePasses(run, family, session, earlier);
  await fleet.publish(run.manifest);
  try {
    return await executePasses(run, family, session, earlier);
  } finally {
    await fleet.end();
  }
}

/** @type {typeof executeRun} */
async function executePasses(run, family, session, earlier) {
  const { path, manifest } = run;
  const { differences, checkMs, earlierWallMs, interimLooks, budgetSeconds } = earlier;
  removePartialWrites(path);
  const clock = openClock(manifest.createdAt);
  const countersBefore = readHostCounters();
  const isRefused =
    differences.length > 0 ||
    contractViolations(manifest.contracts, manifest.question.acceptedRows).length > 0;
  const passes = openPasses(run, family, session, { clock, budgetSeconds, interimLooks });
  /** @type {Verdict['ended']} */
  let ended = isRefused ? 'refused' : await measureBoth(passes, manifest.question.memory);
  // What this host does says nothing of those that measure.
  const countersAfter = session.fleet === undefined ? readHostCounters() : null;
  const hostNoise = compareHostCounters(countersBefore, countersAfter);
  const analyze = (seen = run) =>
    analyzeRun(seen, {
      ended,
      hostNoise,
      differences,
      checkMs,
      interimLooks,
      wallMs: earlierWallMs + clock.sessionMs(),
    });
  if (ended === 'complete' || ended === 'budget') {
    const byTimes = await analyze({ ...run, placementObservations: [] });
    if ((await passes.placement(byTimes.verdict)) === 'interrupted') {
      ended = 'interrupted';
    } else {
      const { verdict } = run.placementObservations.length === 0 ? byTimes : await analyze();
      if ((await passes.profiles(verdict)) === 'interrupted') ended = 'interrupted';
      const hasMore = run.placementObservations.length + run.profileObservations.length > 0;
      if (ended !== 'interrupted' && !hasMore) return { ...run, ...byTimes };
    }
  }
  return { ...run, ...(await analyze()) };
}

/**
 * @param {NonNullable<Session['fleet']>} fleet
 * @param {StoredRun} run
 * @returns {{ conduct: ConductPass }}
 */
function conductBy(fleet, { path, hosts = [] }) {
  const addHost = (/** @type {FleetHost} */ host) => {
    hosts.push(host);
    hostJournal(path).append(host);
  };
  return { conduct: (pass, context) => fleet.conduct(pass, context, { path, hosts, addHost }) };
}

/**
 * @typedef {object} Passes the passes of a run; each resumes where it ended when it is called again
 * @property {number} budgetMs Infinity without a budget
 * @property {(untilMs: number) => Promise<PassEnd>} timing no job starts after that time of the session
 * @property {(untilMs: number) => Promise<PassEnd>} memory likewise
 * @property {(verdict: Verdict) => Promise<'complete' | 'interrupted'>} placement for the cells whose
 *   verdict code placement may explain
 * @property {(verdict: Verdict) => Promise<'complete' | 'interrupted'>} profiles of the cells that differ
 */

/**
 * @param {StoredRun} run
 * @param {FoundFamily} family
 * @param {Session} session
 * @param {{ clock: Clock, budgetSeconds: number | null, interimLooks: Record<string, number[]> }} limits
 * @returns {Passes}
 */
function openPasses(run, family, session, { clock, budgetSeconds, interimLooks }) {
  const { path, manifest } = run;
  const { question, runtimes } = manifest;
  const { signal, recorders, host, fleet } = session;
  const budgetMs = budgetSeconds === null ? Infinity : budgetSeconds * 1000;
  const placementMs = budgetMs * PLACEMENT_SHARE;
  const watch = watchRun({ run, recorders, clock, budgetMs, placementMs }, session.onProgress);
  const common = {
    path,
    manifest,
    familyPath: family.path,
    runJob: openJobRunner(question.nodeFlags, session, runtimes),
    ...(scheduleOf(question).width > 1 ? { cores: findTwoCores(session.environment) } : {}),
    clock,
    signal,
  };
  const elsewhere = fleet === undefined ? {} : conductBy(fleet, run);
  return {
    budgetMs,
    timing: (untilMs) =>
      measureTimes({
        ...common,
        observations: run.observations,
        append: journal(path, 'observation').append,
        onProgress: watch.during('timing'),
        onLook: watch.onLook,
        interimLooks,
        untilMs,
        ...elsewhere,
      }),
    memory: (untilMs) =>
      measureMemory({
        ...common,
        observations: run.memoryObservations,
        append: journal(path, 'memory-observation').append,
        onProgress: watch.during('memory'),
        untilMs,
      }),
    async placement({ cells }) {
      watch.onPass('placement', cells);
      const chooseCell = (/** @type {string[]} */ chosen) =>
        choosePlacementCell(cells, chosen, run);
      const isEnough = (/** @type {string} */ cellId) => isPlaced(cells, cellId, run);
      return measurePlacement(chooseCell, isEnough, {
        ...common,
        observations: run.placementObservations,
        append: journal(path, 'placement-observation').append,
        onProgress: watch.during('placement'),
        untilMs: clock.sessionMs() + placementMs,
      });
    },
    async profiles({ cells }) {
      watch.onPass('profiles', cells);
      const { hosts } = run;
      const available =
        hosts === undefined ? recorders : selectRecorders(recorders, mergeRecorderStates(hosts));
      const planned = planProfileJobs({
        cells: chooseCellsToExplain(question, cells),
        allCells: question.cells,
        recorders: available,
        asked: question.recorders,
        lacks: (cell) => lackedBy(run.manifest, cell),
      });
      if (planned.length === 0) return 'complete';
      return recordProfiles(planned, {
        ...common,
        observations: run.profileObservations,
        append: journal(path, 'profile-observation').append,
        onProgress: watch.during('profiles'),
        recorders: available,
        host,
        ...elsewhere,
      });
    },
  };
}

/**
 * Measures times and memory within one budget. If both are wanted, times may take half of the budget,
 * memory the rest, and times that are not decided what memory leaves.
 *
 * @param {Pick<Passes, 'budgetMs' | 'timing' | 'memory'>} passes
 * @param {Question['memory']} memory
 * @returns {Promise<PassEnd>}
 */
export async function measureBoth({ budgetMs, ...passes }, memory) {
  if (memory === 'only') return passes.memory(budgetMs);
  if (memory === 'none') return passes.timing(budgetMs);
  let timesEnded = await passes.timing(budgetMs * TIMES_SHARE);
  if (timesEnded === 'interrupted') return 'interrupted';
  const memoryEnded = await passes.memory(budgetMs);
  if (memoryEnded !== 'interrupted' && timesEnded === 'budget') {
    timesEnded = await passes.timing(budgetMs);
  }
  return EARLY_ENDS.find((end) => end === timesEnded || end === memoryEnded) ?? 'complete';
}

/** @param {PassContext<never>['runJob']} runJob */
function watchJobs(runJob) {
  /** @type {Parameters<typeof countBusyMs>[0]} */
  const jobs = [];
  return {
    /** @param {Job} job */
    async runJob(job) {
      const startedAtMs = performance.now();
      const outcome = await runJob(job);
      jobs.push({ startedAtMs, workerMs: outcome.workerMs });
      return outcome;
    },
    busyMs: () => countBusyMs(jobs),
  };
}

/**
 * @param {Date} createdAt
 * @param {Pick<Question, 'baseline' | 'candidates' | 'rank'>} question
 * @returns {string} `20261121-114500-generator-vs-linked-list`, UTC
 */
export function nameRun(createdAt, question) {
  const [first, second, ...others] = listVariants(question);
  const more = others.length === 0 ? '' : `-and-${others.length}-more`;
  return `${nameMoment(createdAt)}-${shortenSpec(first)}-vs-${shortenSpec(second)}${more}`;
}

/**
 * @param {string} spec `path:../my/codec.js`
 * @returns {string} its last part, usable as a file name: `codec`
 */
function shortenSpec(spec) {
  const lastPart = spec.replace(/^.*[:/](?=.)/, '').replace(/\.[cm]?js$/, '');
  return lastPart.replaceAll(/[^\w@.-]+/g, '-').slice(0, 24);
}

/**
 * @param {Date} moment
 * @returns {string} `20261121-114500`, UTC: the beginning of the name of a directory
 */
export function nameMoment(moment) {
  const digits = moment.toISOString().replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}

/**
 * The settings of the timed jobs: those of the family, or what a calibration of the host found best, or
 * the defaults.
 *
 * @param {Pick<Family, 'settings'>} family
 * @param {{ batchCount: number } | null} calibrated null if no calibration record applies
 * @returns {MeasureSettings}
 */
export function chooseSettings({ settings }, calibrated) {
  const { batchCount = MEASURE_SETTINGS.batchCount } = calibrated ?? {};
  return { ...MEASURE_SETTINGS, batchCount, ...settings };
}
