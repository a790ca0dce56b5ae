import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { readCalibrationRecord, applyCalibration } from '../host/calibration-record.js';
import { compareHostCounters, readHostCounters } from '../host/counters.js';
import { findCores } from '../host/cores.js';
import { identifyEnvironment } from '../host/environment.js';
import { identifyAssay } from '../lib/project.js';
import { omitUndefined } from '../lib/records.js';
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
import { choosePlacementCell, isPlaced } from '../stats/placement.js';
import { measuredCells } from '../stats/parts.js';
import { lackedBy, listVariants } from '../stats/plan.js';
import { scheduleOf } from '../stats/schedule.js';
import { hasProgram } from '../variants/build-family.js';
import { digestInstrument, openCodeWatch } from './code.js';
import { execute, openClock } from './execute.js';
import { openLocalExecutor } from './executors/local.js';
import { checkCorrectness, openChecks } from './gate.js';
import { openJobRunner } from './jobs.js';
import { openMemoryPass } from './passes/memory.js';
import { expectPlacementMs, openPlacementPass } from './passes/placement.js';
import { openProfilePass } from './passes/profiles.js';
import { openTimingPass } from './passes/timing.js';
import { describeGate, watchRun } from './progress.js';
import { withRunLock } from './run-lock.js';
import { enterSandbox } from './sandbox.js';
import { recordEnd, recordStart, sumSessions } from './sessions.js';
import {
  createRunDirectory,
  journal,
  makeEmptyJournals,
  readRun,
  removePartialWrites,
  writeManifest,
} from './store.js';
import { analyzeRun, isOfHosts, isRefused } from './verdict.js';

/** @import { CodeSizes } from './code-size.js' */
/** @import { Family, Manifest, MeasureSettings, PassName, PlannedPlacementJob, PlanPart, PreparedCorpus, Question, Recorder, RecorderHost, RecorderState, Runtime, Sandbox, Server, SessionStart, ShowProgress, Verdict } from '../formats/types.ts' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { Clock, Executor, LoopContext, ObservedAny, Pass, PassEnd, PlannedAny } from './execute.js' */
/** @import { CodeWatch } from './code.js' */
/** @import { RunJob } from './jobs.js' */
/** @import { PreparedResume } from './prepare.js' */
/** @import { Look } from './progress.js' */
/** @import { StoredRun } from './store.js' */
/** @import { AnalyzedRun } from './verdict.js' */

/** How long and how often a timed job measures; the reasons are in decisions 0001 and 0017. */
const MEASURE_SETTINGS = Object.freeze({
  warmUpMs: 30,
  warmUpCalls: 500,
  maxWarmUpMs: 400,
  batchCount: 48,
  batchMs: 5,
});
/** What times may take before memory is measured, as a share of what both may take. */
const TIMES_SHARE = 1 / 2;
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
 * @property {boolean} [waits] whether it waits for another session of the same run to end
 * @property {Elsewhere} [elsewhere] where jobs run, instead of on this host
 * @property {RunJob} [runJob] runs jobs in place of processes, for tests
 * @property {(look: Look) => void} [onLook] called after each look at the times
 * @property {(passes: Passes, run: StoredRun) => Promise<PassEnd>} [measure] what is measured once the outputs are
 *   correct; by default all that the question asks for
 */

/**
 * @typedef {object} Elsewhere
 * @property {string} [id] of the run at a broker
 * @property {(run: StoredRun) => Promise<Executor>} open begins a session of a run
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
 * @property {CodeSizes} [codeSizes] where variants are loaded
 * @property {CodeWatch} code which has seen what the variants load
 * @property {RecorderState[]} recorderStates results of their probes
 * @property {PlanPart} [part] of the question that is measured; all of it by default
 */

/**
 * Creates a run and executes it.
 * @type {(prepared: Prepared, outside: Session) => Promise<StoredRun & AnalyzedRun>}
 */
export async function createRun(prepared, outside) {
  const session = enterSandbox(outside, prepared.sandbox);
  const { question, family, code } = prepared;
  const createdAt = new Date();
  const { runId, path } = createRunDirectory(prepared.runsPath, nameRun(createdAt, question));
  session.onProgress(() => describeGate(question), true);
  const runJob = openJobRunner(question.nodeFlags, session, prepared.runtimes);
  const checks = openChecks(code.watch(runJob), session.signal);
  const checked = await checkCorrectness(prepared, join(path, 'artefacts'), checks).catch(
    (error) => {
      // Without a manifest the directory is not a run, and nothing was timed.
      rmSync(path, { recursive: true });
      throw error;
    },
  );
  const { expectedDigests, contracts, sizes, differences } = checked;
  /** @type {Manifest} */
  const manifest = {
    formatVersion: FORMAT_VERSION,
    runId,
    createdAt: createdAt.toISOString(),
    command: prepared.command,
    ...describeExperiment(prepared, session.environment),
    expectedDigests,
    contracts,
    ...(Object.keys(sizes).length === 0 ? {} : { sizes }),
    packages: prepared.packages,
    recorders: prepared.recorderStates,
    ...omitUndefined({
      server: prepared.server,
      fleet: session.elsewhere?.id,
      part: prepared.part,
    }),
  };
  const gate = { formatVersion: FORMAT_VERSION, workerMs: checks.busyMs(), differences };
  const run = { path, manifest, gate, ...makeEmptyJournals() };
  writeManifest(run);
  return withRunLock(path, session, () =>
    executeRun(run, { familyPath: family.path, code }, session, {
      startedAtMs: 0,
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
  const environment = identifyEnvironment({ variables });
  const calibrated = applyCalibration(readCalibrationRecord(), { ...question, environment });
  return {
    assay: identifyAssay(),
    instrument: digestInstrument(family.path),
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
  return withRunLock(path, session, async () => {
    const run = await readRun(path);
    const isProgram = await hasProgram(family);
    const { recorders } = await findSessionRecorders(run.manifest.question, session, isProgram);
    const startedAtMs = openClock(run.manifest.createdAt).elapsedMs();
    const outside = enterSandbox({ ...session, recorders }, sandbox);
    const code = openCodeWatch(run.loadedFiles);
    code.requireUnchanged();
    const measured = { familyPath: family.path, code };
    return executeRun(run, measured, outside, { startedAtMs, budgetSeconds });
  });
}

/**
 * @param {Question} question
 * @param {Pick<Session, 'elsewhere' | 'host'>} session
 * @param {boolean} isProgram whether the family is measured by its own program
 * @returns {ReturnType<typeof chooseRecorders>} those that can work here or, as far as is known before they are asked,
 *   on other hosts
 */
export async function findSessionRecorders(question, { elsewhere, host }, isProgram) {
  if (elsewhere === undefined) return chooseRecorders(question, host, isProgram);
  return { recorders: await listWantedRecorders(question, isProgram), states: [] };
}

/**
 * Executes a run that has a manifest: runs the jobs that are not done and computes the verdict.
 *
 * @param {StoredRun} run
 * @param {{ familyPath: string, code: CodeWatch }} measured
 * @param {Session} session
 * @param {Pick<SessionStart, 'startedAtMs' | 'budgetSeconds'>} start
 * @returns {Promise<StoredRun & AnalyzedRun>}
 */
export async function executeRun(run, { familyPath, code }, session, start) {
  const { manifest } = run;
  const { question } = manifest;
  removePartialWrites(run.path);
  const clock = openClock(manifest.createdAt);
  const countersBefore = readHostCounters();
  const { interimLooks } = sumSessions(run);
  recordStart(run, start);
  const executor = await openExecutor(run, code, session);
  const keepFiles = () => {
    const added = code.files.slice(run.loadedFiles.length);
    run.loadedFiles.push(...added);
    journal(run.path, 'loaded-file').append(...added);
  };
  keepFiles();
  try {
    const limits = { clock, budgetSeconds: start.budgetSeconds, interimLooks };
    const passes = openPasses(run, familyPath, session, { executor, ...limits });
    /** @type {Verdict['ended']} */
    let ended = isRefused(run)
      ? 'refused'
      : await (session.measure?.(passes, run) ?? measureBoth(passes, question.memory));
    /** Passes that the budget ended. @type {PassName[]} */
    let left = [];
    // The counters of this host do not matter where others measure.
    const countersAfter = session.elsewhere === undefined ? readHostCounters() : null;
    const told = executor.tellSession?.();
    if (told !== undefined && ended !== 'refused') ended = told.ended;
    const hostNoise = told?.hostNoise ?? compareHostCounters(countersBefore, countersAfter);
    const wallMs = () => told?.wallMs ?? clock.elapsedMs() - start.startedAtMs;
    const before = sumSessions({ ...run, sessions: run.sessions.slice(0, -1) });
    const analyze = (seen = run) =>
      analyzeRun(seen, { ended, left, hostNoise, interimLooks, wallMs: before.wallMs + wallMs() });
    if (session.measure === undefined && (ended === 'complete' || ended === 'budget')) {
      const byTimes = { ...manifest, question: { ...question, placements: 0 } };
      const early = { ...run, profileObservations: [] };
      const timed = await analyze({ ...early, manifest: byTimes, placementObservations: [] });
      const ends = [await passes.placement(timed.verdict)];
      if (!ends.includes('interrupted')) {
        const placed = await analyze(early);
        ends.push(await passes.profiles(placed.verdict));
      }
      // What failed in them is a note.
      if (ends.includes('budget')) ended = 'budget';
      if (ends.includes('interrupted')) ended = 'interrupted';
      left = told?.left ?? passes.listCut();
    }
    code.requireUnchanged();
    const analyzed = await analyze();
    const looks = analyzed.verdict.interimLooks ?? {};
    const { startedAtMs } = start;
    const taken = analyzed.verdict.timing.wallMs - before.wallMs;
    keepFiles();
    const end = { startedAtMs, ended, wallMs: taken, hostNoise, interimLooks: looks };
    recordEnd(run, { ...end, ...omitUndefined({ left: left.length === 0 ? undefined : left }) });
    return { ...run, ...analyzed };
  } finally {
    keepFiles();
    await executor.close();
  }
}

/** @type {(run: StoredRun, code: CodeWatch, session: Session) => Promise<Executor>} */
async function openExecutor(run, code, session) {
  const { question, runtimes } = run.manifest;
  if (session.elsewhere !== undefined) return session.elsewhere.open(run);
  return openLocalExecutor(
    code.watch(openJobRunner(question.nodeFlags, session, runtimes), run.path),
  );
}

/**
 * @typedef {object} Passes the passes of a run; each resumes where it ended when it is called again, and ends with its
 *   part of the budget
 * @property {(share: number, lastLook?: number) => Promise<PassEnd>} timing in a share of what times and memory may take;
 *   `lastLook`: after which it ends, processes per variant
 * @property {() => Promise<PassEnd>} memory
 * @property {(byTimes: Verdict) => Promise<PassEnd>} placement for the cells whose verdict code placement may explain
 * @property {(verdict: Pick<Verdict, 'cells'>) => Promise<PassEnd>} profiles of the cells that differ
 * @property {() => PassName[]} listCut those that the budget ended
 */

/**
 * @param {StoredRun} run
 * @param {string} familyPath
 * @param {Session} session
 * @param {{ executor: Executor, clock: Clock, budgetSeconds: number | null, interimLooks: Record<string, number[]> }} limits
 * @returns {Passes}
 */
function openPasses(run, familyPath, session, { executor, clock, budgetSeconds, interimLooks }) {
  const { path, manifest } = run;
  const { question } = manifest;
  const { signal, host } = session;
  const budgetMs = budgetSeconds === null ? Infinity : budgetSeconds * 1000;
  const { recorders } = session;
  const watch = watchRun({ run, recorders, clock, budgetMs }, session.onProgress);
  const cells = measuredCells(manifest);
  const setting = {
    path,
    manifest,
    cells,
    familyPath,
    cores:
      session.elsewhere === undefined
        ? findCores(scheduleOf(question), session.environment)
        : undefined,
  };
  /** How the passes ended last. @type {Map<PassName, PassEnd>} */
  const ends = new Map();
  /**
   * @template {PlannedAny} P
   * @template {ObservedAny} O
   * @param {PassName} name
   * @param {Pass<P, O>} pass
   * @param {Pick<LoopContext<O>, 'observations' | 'append'>} kept
   * @param {number} [share] of what it may take
   */
  const runPass = async (name, pass, kept, share = 1) => {
    const onProgress = watch.during(name);
    const untilMs = () => share * watch.endOf(name);
    const ended = await execute(pass, { executor, clock, signal, ...kept, onProgress, untilMs });
    ends.set(name, ended);
    return ended;
  };
  return {
    listCut: () => [...ends].flatMap(([name, ended]) => (ended === 'budget' ? [name] : [])),
    timing(share, lastLook) {
      const { observations } = run;
      const onLook = (/** @type {Look} */ look) => {
        watch.onLook(look);
        session.onLook?.(look);
      };
      const limits = { interimLooks, ...omitUndefined({ lastLook }) };
      const pass = openTimingPass({ ...setting, observations, onLook, ...limits });
      const { append } = journal(path, 'observation');
      return runPass('timing', pass, { observations, append }, share);
    },
    memory() {
      const { append } = journal(path, 'memory-observation');
      const observations = run.memoryObservations;
      return runPass('memory', openMemoryPass(setting), { observations, append });
    },
    placement({ cells: compared }) {
      watch.onPass('placement', compared);
      const observations = run.placementObservations;
      const choice = {
        chooseCell: (/** @type {string[]} */ chosen) => choosePlacementCell(compared, chosen, run),
        isEnough: (/** @type {string} */ cellId) => isPlaced(compared, cellId, run),
        expectMs: (/** @type {PlannedPlacementJob[]} */ jobs) => expectPlacementMs(jobs, run),
      };
      const { append } = journal(path, 'placement-observation');
      const pass = openPlacementPass({ ...setting, observations, ...choice });
      return runPass('placement', pass, { observations, append });
    },
    async profiles({ cells: compared }) {
      watch.onPass('profiles', compared);
      const available = isOfHosts(run)
        ? selectRecorders(recorders, mergeRecorderStates(run.hosts))
        : recorders;
      const planned = planProfileJobs({
        cells: chooseCellsToExplain(question, compared),
        allCells: cells,
        recorders: available,
        asked: question.recorders,
        lacks: (cell) => lackedBy(manifest, cell),
      });
      if (planned.length === 0) return 'complete';
      const pass = openProfilePass(planned, { ...setting, recorders: available, host, signal });
      const { append } = journal(path, 'profile-observation');
      return runPass('profiles', pass, { observations: run.profileObservations, append });
    },
  };
}

/**
 * Measures times and memory within their part of the budget. If both are wanted, times may take half of it,
 * memory the rest, and times that are not decided what memory leaves.
 *
 * @param {Pick<Passes, 'timing' | 'memory'>} passes
 * @param {Question['memory']} memory
 * @returns {Promise<PassEnd>}
 */
export async function measureBoth(passes, memory) {
  if (memory === 'only') return passes.memory();
  if (memory === 'none') return passes.timing(1);
  let timesEnded = await passes.timing(TIMES_SHARE);
  if (timesEnded === 'interrupted') return 'interrupted';
  const memoryEnded = await passes.memory();
  if (memoryEnded !== 'interrupted' && timesEnded === 'budget') {
    timesEnded = await passes.timing(1);
  }
  return EARLY_ENDS.find((end) => end === timesEnded || end === memoryEnded) ?? 'complete';
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

/** @type {(moment: Date) => string} `20261121-114500`, UTC: the beginning of the name of a directory */
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
