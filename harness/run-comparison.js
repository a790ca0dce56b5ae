import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkContract } from './check-contract.js';
import { checkOutputs } from './check-outputs.js';
import { judgeRun } from './judge-run.js';
import { compareHostCounters, describeEnvironment, readHostCounters } from './environment.js';
import { FORMAT_VERSION } from './format-version.js';
import { listBreaches } from './list-breaches.js';
import { measureMemory } from './measure-memory.js';
import { measureRun } from './measure-run.js';
import { nameMoment } from './name-run.js';
import { openJobRunner } from './open-job-runner.js';
import { chooseCellsToExplain, planProfileJobs } from './plan-profiles.js';
import { describeAssay } from './project.js';
import { recordProfiles } from './record-profiles.js';
import {
  appendMemoryObservation,
  appendObservation,
  appendProfileObservation,
  createRunDirectory,
  dropTornLine,
  writeManifest,
} from './run-store.js';

/** @import { Difference, Job, Manifest, PreparedCorpus, Question, Recorder, RecorderHost, RecorderState, Verdict } from './types.ts' */
/** @import { AnyProgress } from './print-progress.js' */
/** @import { Judged } from './judge-run.js' */
/** @import { FoundFamily } from './resolve/families.js' */
/** @import { StoredRun } from './run-store.js' */
/** @import { WorkerOutcome } from './run-worker.js' */

/** How long and how often a timed job measures: decision 0001 has the reasons. */
const MEASURE_SETTINGS = Object.freeze({
  warmUpMs: 80,
  warmUpCalls: 5_000,
  maxWarmUpMs: 400,
  batchCount: 3,
  batchMs: 10,
});

/**
 * @typedef {object} Session what a session of measuring has of the outside world
 * @property {Record<string, string | undefined>} environment
 * @property {AbortSignal} signal aborted when the user interrupts
 * @property {(progress: AnyProgress) => void} onProgress
 * @property {RecorderHost} host
 * @property {Recorder[]} recorders of the second pass, those that can work here
 */

/**
 * @typedef {object} Prepared what a new run starts from
 * @property {string} command as typed
 * @property {string} runsPath where the directory of the run is made
 * @property {Question} question
 * @property {FoundFamily} family
 * @property {Manifest['variants']} variants
 * @property {PreparedCorpus[]} corpora
 * @property {PreparedCorpus[]} gateCorpora the same labels, with the documents to check outputs on
 * @property {Record<string, string>} packages that operations need: directory by name
 * @property {RecorderState[]} recorderStates what their probes said
 */

/**
 * Starts a run: directory, gate, manifest, measuring, verdict.
 *
 * @param {Prepared} prepared
 * @param {Session} session
 * @returns {Promise<StoredRun & Judged>}
 */
export async function startRun(prepared, session) {
  const { question, family, variants, corpora } = prepared;
  const createdAt = new Date();
  const { runId, path } = createRunDirectory(prepared.runsPath, nameRun(createdAt, question));
  const checks = countWorkerMs(openJobRunner(question.nodeFlags, session));
  const gate = await passGate(prepared, path, checks.runJob).catch((error) => {
    // Without a manifest the directory is no run, and nothing was timed.
    rmSync(path, { recursive: true });
    throw error;
  });
  /** @type {Manifest} */
  const manifest = {
    formatVersion: FORMAT_VERSION,
    runId,
    createdAt: createdAt.toISOString(),
    command: prepared.command,
    assay: describeAssay(),
    question,
    settings: { ...MEASURE_SETTINGS },
    variants,
    corpora,
    expectedDigests: gate.expectedDigests,
    contracts: gate.contracts,
    packages: prepared.packages,
    recorders: prepared.recorderStates,
    environment: describeEnvironment(),
  };
  writeManifest(path, manifest);
  const run = {
    path,
    manifest,
    observations: [],
    memoryObservations: [],
    profileObservations: [],
    verdict: null,
  };
  return continueRun(run, family, session, {
    differences: gate.differences,
    checkMs: checks.totalMs(),
    earlierWallMs: Date.now() - createdAt.getTime(),
    budgetSeconds: question.budgetSeconds,
  });
}

/**
 * What must hold before anything is timed: the behaviour contract and the right bytes.
 *
 * @param {Prepared} prepared
 * @param {string} path of the run
 * @param {(job: Job) => Promise<WorkerOutcome>} runJob
 */
async function passGate({ question, family, variants, gateCorpora }, path, runJob) {
  const compared = [variants.baseline, variants.candidate];
  const outputs = await checkOutputs({
    family,
    reference: variants.reference,
    variants: compared,
    cells: question.cells,
    corpora: gateCorpora,
    outputPath: join(path, 'artefacts'),
    runJob,
  });
  return { ...outputs, contracts: await checkContract({ family, variants: compared, runJob }) };
}

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
  const ended = isRefused ? 'refused' : await measure(run, family, session, isOverBudget);
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
    await explain(run, verdict, family, session);
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
  if (planned.length === 0) return;
  const createdMs = Date.parse(manifest.createdAt);
  await recordProfiles(planned, {
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
    runJob: openJobRunner(nodeFlags, session),
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
    observations: memoryObservations,
    keep: (observation) => appendMemoryObservation(path, observation),
  });
  return memoryEnded === 'complete' ? ended : memoryEnded;
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

/**
 * @param {Date} createdAt
 * @param {Question} question
 * @returns {string} `20261121-114500-generator-vs-linked-list`, UTC
 */
function nameRun(createdAt, { baseline, candidate }) {
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
