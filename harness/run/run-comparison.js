import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readProfile } from '../host/profile-file.js';
import { useProfile } from '../host/use-profile.js';
import { checkContract } from './check-contract.js';
import { checkOutputs } from './check-outputs.js';
import { continueRun } from './continue-run.js';
import { describeEnvironment } from '../host/environment.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { chooseSettings } from './measure-settings.js';
import { nameRun } from './name-run.js';
import { openClock } from './open-clock.js';
import { openJobRunner } from './open-job-runner.js';
import { describeAssay } from '../lib/project.js';
import { requireKnownRows } from './require-known-rows.js';
import { createRunDirectory, writeManifest } from './run-store.js';
import { enterSandbox } from './sandbox/find-sandbox.js';

/** @import { Job, Manifest, PreparedCorpus, Question, RecorderState, Runtime, Sandbox } from '../formats/types.ts' */
/** @import { Session } from './continue-run.js' */
/** @import { Judged } from './judge-run.js' */
/** @import { FoundFamily } from '../variants/families.js' */
/** @import { StoredRun } from './run-store.js' */
/** @import { WorkerOutcome } from './run-worker.js' */

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
 * @property {Runtime[]} runtimes that cells and variants ask for
 * @property {Sandbox | null} [sandbox] that the question wants workers to run in
 * @property {RecorderState[]} recorderStates what their probes said
 */

/**
 * Starts a run: directory, gate, manifest, measuring, verdict.
 *
 * @param {Prepared} prepared
 * @param {Session} outside
 * @returns {Promise<StoredRun & Judged>}
 */
export async function startRun(prepared, outside) {
  const session = enterSandbox(outside, prepared.sandbox);
  const { question, family, variants, corpora } = prepared;
  const createdAt = new Date();
  const { sessionMs } = openClock(createdAt.toISOString());
  const { runId, path } = createRunDirectory(prepared.runsPath, nameRun(createdAt, question));
  const checks = countWorkerMs(openJobRunner(question.nodeFlags, session, prepared.runtimes));
  const gate = await passGate(prepared, join(path, 'artefacts'), checks.runJob).catch((error) => {
    // Without a manifest the directory is no run, and nothing was timed.
    rmSync(path, { recursive: true });
    throw error;
  });
  const environment = describeEnvironment({ variables: session.environment });
  const calibrated = useProfile(readProfile(), { mode: question.mode, environment });
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
  return continueRun(run, family, session, {
    differences: gate.differences,
    checkMs: checks.totalMs(),
    earlierWallMs: sessionMs(),
    budgetSeconds: question.budgetSeconds,
  });
}

/**
 * What must hold before anything is timed: the behaviour contract and the right bytes.
 *
 * @param {Pick<Prepared, 'question' | 'family' | 'variants' | 'gateCorpora'>} prepared
 * @param {string} outputPath directory for outputs
 * @param {(job: Job) => Promise<WorkerOutcome>} runJob
 * @throws {import('../lib/errors.js').UsageError} when a row is accepted that the contract does not have
 */
export async function passGate({ question, family, variants, gateCorpora }, outputPath, runJob) {
  const compared = [variants.baseline, variants.candidate];
  const outputs = await checkOutputs({
    family,
    reference: variants.reference,
    variants: compared,
    cells: question.cells,
    corpora: gateCorpora,
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
