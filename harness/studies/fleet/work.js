import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { findCores } from '../../host/cores.js';
import { waitUntilFree, withHostLock } from '../../host/lock.js';
import { AssayError, MachineError, UsageError } from '../../lib/errors.js';
import { describeError } from '../../lib/failures.js';
import { makeTemporaryDirectory } from '../../lib/files.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { omitUndefined } from '../../lib/records.js';
import { planProfileJobs } from '../../profiling/plan-profiles.js';
import { findRecorders, listWantedRecorders } from '../../profiling/recorder-registry.js';
import { listDifferences, REFUSED, selectDifferences, shorten } from '../../run/identity.js';
import { requireLimits } from '../../run/limits.js';
import { execute, openClock } from '../../run/execute.js';
import { openLocalExecutor } from '../../run/executors/local.js';
import { openJobRunner } from '../../run/jobs.js';
import { openMemoryPass } from '../../run/passes/memory.js';
import { openPlacementPass } from '../../run/passes/placement.js';
import { openProfilePass } from '../../run/passes/profiles.js';
import { openTimingPass } from '../../run/passes/timing.js';
import { prepareComparison } from '../../run/prepare.js';
import { describeExperiment } from '../../run/run.js';
import { enterSandbox } from '../../run/sandbox.js';
import { PROCESSES_PER_BLOCK, listAllLooks, planJobs } from '../../stats/plan.js';
import { scheduleOf } from '../../stats/schedule.js';
import { planMemoryJobs } from '../../stats/memory/plan.js';
import { planPlacements } from '../../stats/placement-plan.js';
import { hasProgram } from '../../variants/build-family.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { checkCells, checkQuestion } from '../replay/question.js';
import { sendArtefacts } from './artefacts.js';
import { SILENCE_MS } from './broker.js';
import { writeLine, writeNote } from '../../lib/messages.js';

/** @import { Io } from '../../lib/io.ts' */
/** @import { FleetBlock, FleetHost, FleetProfileBlock, FleetResult, FleetRun, PreparedCorpus, Question, Recorder } from '../../formats/types.ts' */
/** @import { Pass } from '../../run/execute.js' */
/** @import { PlacementSetting } from '../../run/passes/placement.js' */
/** @import { ProfileSetting } from '../../run/passes/profiles.js' */
/** @import { TimingSetting } from '../../run/passes/timing.js' */
/** @import { Session } from '../../run/run.js' */
/** @import { FoundFamily } from '../../variants/families.js' */
/** @import { Broker, TakenBlock } from './broker.js' */

/** How long to wait for a block before looking again whether the user interrupts. */
const WAIT_MS = 2_000;
/** How often a host reports that it is working. */
const HEARTBEAT_MS = SILENCE_MS / 3;
/** A host that does not measure a run leaves its blocks to others, and looks again after this time. */
const REFUSED_MS = 5_000;
/** A host without the recorder of a block returns the block to the queue for this time. */
const UNFIT_MS = 250;
/** After this time every host has had the block and none has its recorder: the next one answers that it is missing. */
const MAX_UNFIT_MS = 120_000;
/** A run that could not be prepared or read is tried again after this time. */
const RETRY_MS = 60_000;
/** Runs that a host keeps prepared. */
const MAX_KEPT = 20;
/** Characters of a reason that a message may have. */
const MAX_REASON = 10_000;
/** Blocks without a recorder that a host remembers. */
const MAX_UNFIT = 10_000;

/**
 * A run as this host measures it, or the reason why it does not; `mayPass` if it may do so later.
 *
 * @typedef {{ reason: string, mayPass: boolean }} Refused
 * @typedef {PreparedExperiment | Refused} Experiment
 *
 * @typedef {object} PreparedExperiment
 * @property {FleetRun} run
 * @property {PreparedRun} prepared
 * @property {Recorder[]} recorders that work here
 * @property {Pick<FleetHost, 'environment' | 'calibration' | 'recorders'>} here
 *
 * @typedef {Awaited<ReturnType<typeof prepareComparison>>} PreparedRun
 */

/**
 * @typedef {object} WorkContext
 * @property {Broker} broker
 * @property {string} host name of this one
 * @property {string[]} allowed specs of variants that are measured besides built-in ones, with * at the end for any
 *   rest; all if there is none
 * @property {boolean} isTrusting whether variants from elsewhere run without a sandbox
 * @property {Omit<Session, 'recorders'>} session
 * @property {Io} io
 */

/**
 * Measures blocks, one after the other, until the user interrupts.
 * @type {(context: WorkContext) => Promise<void>}
 */
export async function work(context) {
  const { broker, host, io } = context;
  const note = (/** @type {string} */ text) => writeNote(io.stderr, text);
  /** @type {Map<string, Promise<Experiment>>} */
  const experiments = new Map();
  /** When this host first had a block whose recorder it lacks. @type {Map<string, number>} */
  const unfit = new Map();
  /** Runs of which a block could not be read. @type {Set<string>} */
  const unreadable = new Set();
  /** @param {string} fleetId */
  const identify = (fleetId) => ({ formatVersion: FORMAT_VERSION, fleetId, host });
  const refuse = (/** @type {string} */ problem, /** @type {string} */ fleetId) => {
    if (unreadable.has(fleetId)) return;
    keepNewest(unreadable.add(fleetId), MAX_KEPT);
    note(`cannot read a block: ${problem}`);
    const reason = `a block cannot be read: ${problem}`;
    broker.answer({ kind: 'refusal', ...identify(fleetId), reason }).catch(() => {});
  };
  while (!io.signal.aborted) {
    const taken = await takeBlock(context, { note, refuse });
    if (taken === null) continue;
    const { fleetId } = taken.block;
    const from = identify(fleetId);
    const known = experiments.get(fleetId);
    const experiment = known ?? prepareRun(fleetId, context);
    experiments.delete(fleetId);
    keepNewest(experiments.set(fleetId, experiment), MAX_KEPT);
    const heartbeat = setInterval(taken.stillWorking, HEARTBEAT_MS);
    /** @param {Refused} refused */
    const refuseRun = async ({ reason, mayPass }) => {
      if (mayPass) setTimeout(() => experiments.delete(fleetId), RETRY_MS).unref();
      note(`this host refuses a run: ${reason}`);
      await broker.answer({ kind: 'refusal', ...from, reason: reason.slice(0, MAX_REASON) });
    };
    try {
      // The submitter counts the hosts that take a block and do not answer, also those that prepare its run.
      if (known === undefined) {
        const { block, delivery } = taken;
        broker.tellWorking(fleetId, { host, blockId: block.blockId, delivery });
      }
      const found = await experiment;
      if ('reason' in found) {
        if (known === undefined) await refuseRun(found);
        taken.giveBack(REFUSED_MS);
      } else {
        if (known === undefined) {
          await broker.answer({ kind: 'host', ...from, ...found.here });
        }
        const refused = await workOn(taken, found, context, { note, unfit });
        if (refused !== null) {
          experiments.set(fleetId, Promise.resolve(refused));
          await refuseRun(refused);
          taken.giveBack(REFUSED_MS);
        }
      }
    } catch (error) {
      taken.giveBack(0);
      if (io.signal.aborted) return;
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }
}

/** @type {(kept: Map<string, unknown> | Set<string>, most: number) => void} */
function keepNewest(kept, most) {
  const [oldest] = kept.keys();
  if (kept.size > most) kept.delete(oldest);
}

/**
 * @param {WorkContext} context
 * @param {{ note: (text: string) => void, refuse: Parameters<Broker['takeBlock']>[1] }} say
 * @returns {Promise<TakenBlock | null>} null where there is none, as while the broker is away
 */
async function takeBlock({ broker, io }, { note, refuse }) {
  try {
    // Preparing a run would disturb a measurement, and other hosts could not take a block that waits for the lock.
    await waitUntilFree(io);
    return await broker.takeBlock(WAIT_MS, refuse);
  } catch (error) {
    if (broker.isClosed()) throw error;
    if (!io.signal.aborted) note(`cannot fetch a block: ${/** @type {Error} */ (error).message}`);
    await delay(WAIT_MS, undefined, { signal: io.signal }).catch(() => {});
    return null;
  }
}

/**
 * @param {FleetBlock} block
 * @param {Pick<FleetRun, 'question'> & { corpora: PreparedCorpus[] }} run
 * @returns {boolean} whether its jobs are among those of the plan, each once; those that are profiled depend on what
 *   recorders there are, see `findFit`
 */
export function isPlanned(block, { question, corpora }) {
  switch (block.pass) {
    case 'timing': {
      const from = block.jobs[0].block * PROCESSES_PER_BLOCK;
      const to = from + PROCESSES_PER_BLOCK;
      if (to > Math.max(...listAllLooks(question))) return false;
      return areAmong(block.jobs, planJobs(question, question.cells, { from, to }));
    }
    case 'memory':
      return areAmong(block.jobs, planMemoryJobs(question, corpora));
    case 'placement': {
      const { cells, placements = 0 } = question;
      const planned = cells.map(({ id }) => planPlacements(question, id, placements));
      return areAmong(block.jobs, planned.flat(2));
    }
    default:
      return true;
  }
}

/**
 * @template {{ id: string }} J
 * @param {J[]} jobs
 * @param {J[]} planned
 * @returns {boolean} whether each is planned, and there once
 */
function areAmong(jobs, planned) {
  const left = new Map(planned.map((job) => [job.id, job]));
  return jobs.every((job) => isDeepStrictEqual(left.get(job.id), job) && left.delete(job.id));
}

/**
 * @param {TakenBlock} taken
 * @param {PreparedExperiment} experiment
 * @param {WorkContext} context
 * @param {{ note: (text: string) => void, unfit: Map<string, number> }} session
 * @returns {Promise<Refused | null>} why this host does not measure the run after all
 */
async function workOn(taken, experiment, context, { note, unfit }) {
  const { block } = taken;
  const { question } = experiment.run;
  const { corpora } = experiment.prepared;
  const { isAsked, isFit } =
    block.pass === 'profiles'
      ? await findFit(block, experiment)
      : { isAsked: isPlanned(block, { question, corpora }), isFit: true };
  if (!isAsked) {
    const problem = 'its jobs are not those of the plan';
    note(`a block was refused: ${problem}`);
    // Without an answer the submitter would wait for ever.
    await context.broker.answer(answerNothing(block, context.host));
    taken.refuse(problem);
    return null;
  }
  if (!isFit) {
    const nowMs = performance.now();
    const firstMs = unfit.get(block.blockId) ?? nowMs;
    keepNewest(unfit.set(block.blockId, firstMs), MAX_UNFIT);
    if (nowMs - firstMs < MAX_UNFIT_MS) {
      taken.giveBack(UNFIT_MS);
      return null;
    }
  }
  const refused = await answerBlock(taken, experiment, context);
  if (refused !== null) return refused;
  writeLine(context.io.stderr, block.blockId.slice(block.blockId.indexOf('/') + 1));
  return null;
}

/** @type {(block: FleetBlock, host: string) => FleetResult} */
function answerNothing({ pass, fleetId, blockId }, host) {
  const answer = { formatVersion: FORMAT_VERSION, fleetId, host, blockId, wallMs: 0, files: [] };
  return { kind: pass, ...answer, observations: [] };
}

/**
 * @param {FleetProfileBlock} block
 * @param {PreparedExperiment} experiment
 * @returns {Promise<{ isAsked: boolean, isFit: boolean }>} whether its jobs may be planned for the question, and whether
 *   this host has their recorder
 */
async function findFit({ jobs }, { run: { question }, prepared: { family }, recorders }) {
  const { cells, recorders: asked } = question;
  const wanted = await listWantedRecorders(question, await hasProgram(family));
  // Each recorder alone: beside others the submitter may plan fewer processes of it, but not more.
  const planned = wanted.flatMap((recorder) =>
    planProfileJobs({ cells, allCells: cells, recorders: [recorder], asked }),
  );
  const here = new Set(recorders.map(({ name }) => name));
  return {
    isAsked: areAmong(jobs, planned),
    isFit: jobs.every(({ recorder }) => here.has(recorder)),
  };
}

/** @type {(taken: TakenBlock, experiment: PreparedExperiment, context: WorkContext) => Promise<Refused | null>} */
async function answerBlock({ block, delivery, done }, experiment, context) {
  const { broker, host } = context;
  const tell = () => broker.tellWorking(block.fleetId, { host, blockId: block.blockId, delivery });
  const telling = setInterval(tell, HEARTBEAT_MS);
  tell();
  try {
    const answer = await makeAnswer(block, experiment, context);
    if ('reason' in answer) return answer;
    // Stop the heartbeat first: one that arrived after the answer would show the host as still measuring.
    clearInterval(telling);
    await broker.answer(answer);
  } finally {
    clearInterval(telling);
  }
  done();
  return null;
}

/**
 * @param {FleetBlock} block
 * @param {PreparedExperiment} experiment
 * @param {WorkContext} context
 * @returns {Promise<FleetResult | Refused>} why this host cannot measure the run, if jobs cannot be started
 * @throws {Error} when the user interrupts, or the broker does not take what a recorder has left
 */
async function makeAnswer(block, experiment, { broker, host, session, io }) {
  const { fleetId, blockId } = block;
  const request = { command: `${PROGRAM} fleet work`, where: fleetId, waits: true };
  const path = makeTemporaryDirectory('fleet');
  try {
    const performed = await withHostLock(request, io, () =>
      performBlock(block, experiment, { ...session, path }),
    ).catch(explainError);
    if (io.signal.aborted) throw new Error('interrupted');
    if ('reason' in performed) return performed;
    const { observations, wallMs } = performed;
    const answer = { formatVersion: FORMAT_VERSION, fleetId, host, blockId, wallMs, files: [] };
    if (block.pass !== 'profiles') return { kind: block.pass, ...answer, observations };
    const put = (/** @type {Uint8Array} */ bytes) => broker.putObject(fleetId, bytes);
    return { kind: block.pass, ...answer, ...(await sendArtefacts(observations, path, put)) };
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Performs the jobs of a block in processes of this host, as a run here would.
 *
 * @param {FleetBlock} block
 * @param {PreparedExperiment} experiment
 * @param {Omit<Session, 'recorders'> & { path: string }} outside with a directory for what the jobs leave
 * @returns {Promise<{ observations: any[], wallMs: number }>} starts are relative to that of the block
 */
export async function performBlock(block, { run, prepared, recorders }, { path, ...outside }) {
  const { question, settings, expectedDigests } = run;
  const { family, runtimes, sandbox, variants, corpora, packages, server, code } = prepared;
  const session = enterSandbox({ ...outside, recorders }, sandbox);
  const { signal, host } = session;
  const clock = openClock(new Date().toISOString());
  const measured = { question, settings, expectedDigests, variants, corpora, packages, runtimes };
  /** @type {any[]} */
  const observations = [];
  const setting = {
    manifest: { ...measured, ...omitUndefined({ server }) },
    familyPath: family.path,
    cores: findCores(scheduleOf(question), session.environment),
    ...{ path, observations, recorders, host, signal },
  };
  await execute(
    { ...openPass(block, setting), stages: [block.jobs] },
    {
      executor: openLocalExecutor(
        code.watch(openJobRunner(question.nodeFlags, session, runtimes), path),
      ),
      observations,
      clock,
      signal,
    },
  );
  return { observations, wallMs: clock.sessionMs() };
}

/** @type {(block: FleetBlock, setting: TimingSetting & PlacementSetting & ProfileSetting) => Pass<any, any>} */
function openPass(block, setting) {
  switch (block.pass) {
    case 'timing':
      return openTimingPass(setting);
    case 'memory':
      return openMemoryPass(setting);
    case 'placement':
      return openPlacementPass({ ...setting, chooseCell: () => null, isEnough: () => true });
    default:
      return openProfilePass(block.jobs, setting);
  }
}

/**
 * Resolves what a run needs, and compares it with what the submitter has.
 * @type {(fleetId: string, context: WorkContext) => Promise<Experiment>}
 */
async function prepareRun(fleetId, { broker, allowed, isTrusting, session, io }) {
  const run = await broker.getRun(fleetId);
  if (typeof run === 'string') return { reason: run, mayPass: true };
  try {
    requireLimits(run.question, run.settings);
    requireAllowed(run.question, allowed);
    const families = await listFamilies(PROJECT.experimentsPath);
    const family = findFamily(families, run.question.family);
    const question = isTrusting ? run.question : await restrict(run, family, allowed);
    const prepared = await prepareComparison(question, {
      families,
      family,
      io,
      recorded: run.variants,
    });
    const { environment, calibration, ...here } = describeExperiment(prepared, io.environment);
    const { node, ...there } = run;
    const differences = listDifferences(
      { ...there, environment: { ...environment, node } },
      { ...here, question: run.question, environment },
    );
    const [first] = selectDifferences(differences, REFUSED.fleet);
    if (first !== undefined) {
      const { label, before, now } = first;
      const reason = `${label} differs (${shorten(now)}, not ${shorten(before)})`;
      return { reason, mayPass: false };
    }
    const isProgram = await hasProgram(family);
    const { recorders, states } = await findRecorders(question, session.host, isProgram);
    const found = calibration === undefined ? {} : { calibration };
    return { run, prepared, recorders, here: { environment, recorders: states, ...found } };
  } catch (error) {
    return explainError(error);
  }
}

/**
 * Makes a refusal of any error: what a submitter has sent must not end a host, whatever it leads to. A host that ended
 * would leave the block to the next one, which would end as well.
 * @type {(error: unknown) => Refused}
 */
function explainError(error) {
  if (error instanceof AssayError) {
    return { reason: describeError(error), mayPass: error instanceof MachineError };
  }
  const { message } = error instanceof Error ? error : { message: String(error) };
  return { reason: `the host fails with a defect of Assay: ${message}`, mayPass: false };
}

/**
 * @param {Question} question
 * @param {string[]} allowed
 * @throws {UsageError} naming what is not allowed here
 */
export function requireAllowed(question, allowed) {
  if (allowed.length === 0) return;
  const refused = listSpecs(question).filter(
    (spec) => parseVariantSpec(spec).kind !== 'built-in' && !isListed(spec, allowed),
  );
  if (refused.length === 0) return;
  throw new UsageError(`${refused.join(', ')} is not allowed here`, {
    remedy: 'start the worker with another --allow',
  });
}

/** All that is fetched or built for a question. @type {(question: Question) => string[]} */
function listSpecs({ baseline, candidates, reference }) {
  return [...new Set([baseline, ...candidates, ...(reference === undefined ? [] : [reference])])];
}

/** @type {(spec: string, allowed: string[]) => boolean} */
function isListed(spec, allowed) {
  return allowed.some((each) => (each.endsWith('*') ? begins(spec, each) : spec === each));
}

/** @type {(text: string) => boolean} */
function isArchive(text) {
  const spec = parseVariantSpec(text);
  return spec.kind === 'npm' && spec.isArchive === true;
}

/** @type {(spec: string, pattern: string) => boolean} whether the rest, too, stays where the pattern says */
function begins(spec, pattern) {
  const start = pattern.slice(0, -1);
  // The rest may complete a step that the pattern begins with a dot.
  return spec.startsWith(start) && !spec.slice(start.length - 1).includes('..');
}

/**
 * Refuses what would run outside of a sandbox although the owner of this host has not asked for it: flags by which Node
 * loads code, and builds. Checks names before anything is loaded by them.
 *
 * @param {FleetRun} run
 * @param {FoundFamily} family
 * @param {string[]} allowed
 * @returns {Promise<Question>} with a sandbox, if a variant is not part of Assay
 * @throws {AssayError} naming what is refused
 */
export async function restrict(run, family, allowed) {
  const { question, corpora, variants } = run;
  checkQuestion(question);
  // That of the run is compared with this one.
  const environment = { node: process.versions.node };
  const record = { question, corpora, variants, environment, results: [] };
  await checkCells(record, family, PROJECT.corporaPath);
  const specs = listSpecs(question);
  const ofKind = (/** @type {string} */ kind) =>
    specs.filter((spec) => parseVariantSpec(spec).kind === kind);
  if (ofKind('path').length > 0) {
    throw new UsageError('path: names a directory of the submitter', {
      remedy: 'use git: or npm:',
    });
  }
  const archives = specs.filter((spec) => isArchive(spec) && !isListed(spec, allowed));
  if (archives.length > 0) {
    throw new UsageError(`${archives.join(', ')} is not in the registry`, {
      remedy: 'start the worker with an --allow that names it',
    });
  }
  const builds = ofKind('git').filter((spec) => !isListed(spec, allowed));
  if (builds.length > 0) {
    throw new UsageError(`${builds.join(', ')} is built outside of the sandbox`, {
      remedy: 'start the worker with an --allow that names it',
    });
  }
  if (question.build !== undefined) {
    throw new UsageError('--build is a command of the submitter', {
      remedy: 'start the worker with --trust',
    });
  }
  return specs.length === ofKind('built-in').length ? question : { ...question, sandbox: true };
}
