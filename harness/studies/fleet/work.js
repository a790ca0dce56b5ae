import { setTimeout as delay } from 'node:timers/promises';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { findTwoCores } from '../../host/cores.js';
import { withHostLock } from '../../host/lock.js';
import { AssayError, UsageError } from '../../lib/errors.js';
import { PROGRAM } from '../../lib/program.js';
import { PROJECT } from '../../lib/project.js';
import { listDifferences, REFUSED, selectDifferences, shorten } from '../../run/identity.js';
import { openJobRunner } from '../../run/jobs.js';
import { openClock } from '../../run/passes/pass.js';
import { measureJobs } from '../../run/passes/timing.js';
import { prepareComparison } from '../../run/prepare.js';
import { describeExperiment } from '../../run/run.js';
import { enterSandbox } from '../../run/sandbox.js';
import { isPaired, listVariants } from '../../stats/plan.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { parseVariantSpec } from '../../variants/spec.js';
import { SILENCE_MS } from './broker.js';

/** @import { Io } from '../../cli/cli.js' */
/** @import { FleetBlock, FleetHost, FleetRun, Observation, Question } from '../../formats/types.ts' */
/** @import { Session } from '../../run/run.js' */
/** @import { Broker, TakenBlock } from './broker.js' */

/** How long to wait for a block before looking again whether the user interrupts. */
const WAIT_MS = 2_000;
/** A host that does not measure a run leaves its blocks to others, and looks again after this time. */
const REFUSED_MS = 5_000;

/**
 * A run as this host measures it, or why it does not.
 *
 * @typedef {{ run: FleetRun, prepared: PreparedRun, here: Pick<FleetHost, 'environment' | 'calibration' | 'pinned'> }
 *   | { reason: string }} Experiment
 * @typedef {Awaited<ReturnType<typeof prepareComparison>>} PreparedRun
 */

/**
 * @typedef {object} WorkContext
 * @property {Broker} broker
 * @property {string} host name of this one
 * @property {FleetHost['pinned']} [pinned] the processors that this process is pinned to
 * @property {number[]} [cores] they, and what shares a core with one of them
 * @property {string[]} allowed specs of variants that are measured besides built-in ones, with * at the end for any
 *   rest; all if there is none
 * @property {boolean} isTrusting whether variants from elsewhere run without a sandbox
 * @property {Omit<Session, 'recorders'>} session
 * @property {Io} io
 */

/**
 * Measures blocks, one after the other, until the user interrupts.
 *
 * @param {WorkContext} context
 * @returns {Promise<void>}
 */
export async function work(context) {
  const { broker, io } = context;
  const note = (/** @type {string} */ text) => io.stderr.write(`note: ${text}\n`);
  /** @type {Map<string, Promise<Experiment>>} */
  const experiments = new Map();
  while (!io.signal.aborted) {
    const taken = await takeBlock(context, note);
    if (taken === null) continue;
    const { fleetId, blockId } = taken.block;
    const from = { formatVersion: FORMAT_VERSION, fleetId, host: context.host };
    const known = experiments.get(fleetId);
    const experiment = known ?? prepareRun(fleetId, context);
    experiments.set(fleetId, experiment);
    const heartbeat = setInterval(taken.stillWorking, SILENCE_MS / 3);
    try {
      const found = await experiment;
      if ('reason' in found) {
        if (known === undefined) {
          note(`a run is not measured here: ${found.reason}`);
          await broker.answer({ kind: 'refusal', ...from, reason: found.reason });
        }
        taken.giveBack(REFUSED_MS);
      } else {
        if (known === undefined) {
          await broker.answer({ kind: 'host', ...from, ...found.here });
        }
        await measureBlock(taken, found, context);
        io.stderr.write(`${blockId.slice(blockId.indexOf('/') + 1)}\n`);
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

/**
 * @param {WorkContext} context
 * @param {(text: string) => void} note
 * @returns {Promise<TakenBlock | null>} null where there is none, as while the broker is away
 */
async function takeBlock({ broker, io }, note) {
  try {
    return await broker.takeBlock(WAIT_MS, (problem) => note(`a block was refused: ${problem}`));
  } catch (error) {
    if (!io.signal.aborted) note(`no block: ${/** @type {Error} */ (error).message}`);
    await delay(WAIT_MS, undefined, { signal: io.signal }).catch(() => {});
    return null;
  }
}

/**
 * @param {TakenBlock} taken
 * @param {{ run: FleetRun, prepared: PreparedRun }} experiment
 * @param {WorkContext} context
 */
async function measureBlock({ block, done }, { run, prepared }, context) {
  const { broker, host, cores, session, io } = context;
  const { fleetId, blockId, jobs } = block;
  const request = { command: `${PROGRAM} fleet work`, where: fleetId, waits: true, cpus: cores };
  const { observations, wallMs } = await withHostLock(request, io, () =>
    measureHere(jobs, run, prepared, session),
  );
  if (io.signal.aborted) throw new Error('interrupted');
  const answer = { formatVersion: FORMAT_VERSION, fleetId, host, blockId, observations, wallMs };
  await broker.answer({ kind: 'result', ...answer });
  done();
}

/**
 * @param {FleetBlock['jobs']} jobs
 * @param {FleetRun} run
 * @param {PreparedRun} prepared
 * @param {Omit<Session, 'recorders'>} outside
 * @returns {Promise<{ observations: Observation[], wallMs: number }>} starts are relative to that of the block
 */
async function measureHere(jobs, run, prepared, outside) {
  const { question, settings, expectedDigests } = run;
  const { variants, corpora, packages, server, runtimes, family, sandbox } = prepared;
  const session = enterSandbox({ ...outside, recorders: [] }, sandbox);
  const clock = openClock(new Date().toISOString());
  /** @type {Observation[]} */
  const observations = [];
  await measureJobs(jobs, {
    manifest: {
      question,
      settings,
      expectedDigests,
      variants,
      corpora,
      packages,
      ...(server === undefined ? {} : { server }),
    },
    familyPath: family.path,
    observations,
    append() {},
    runJob: openJobRunner(question.nodeFlags, session, runtimes),
    ...(isPaired(question) ? { cores: findTwoCores(session.environment) } : {}),
    clock: { elapsedMs: clock.sessionMs, sessionMs: clock.sessionMs },
    untilMs: Infinity,
    signal: session.signal,
    onProgress() {},
  });
  return { observations, wallMs: clock.sessionMs() };
}

/**
 * Resolves what a run needs, and compares it with what the submitter has.
 *
 * @param {string} fleetId
 * @param {WorkContext} context
 * @returns {Promise<Experiment>}
 */
async function prepareRun(fleetId, { broker, pinned, allowed, isTrusting, io }) {
  const run = await broker.getRun(fleetId);
  if (typeof run === 'string') return { reason: run };
  try {
    requireAllowed(run.question, allowed);
    const families = await listFamilies(PROJECT.experimentsPath);
    const family = findFamily(families, run.question.family);
    const question = isTrusting ? run.question : sandboxed(run.question);
    const prepared = await prepareComparison(question, { families, family, io });
    // Here, so that a host without them leaves the blocks to others.
    if (isPaired(run.question)) findTwoCores(io.environment);
    const { environment, calibration, ...here } = describeExperiment(prepared, io.environment);
    const { node, ...there } = run;
    const differences = listDifferences(
      { ...there, environment: { ...environment, node } },
      { ...here, question: run.question, environment },
    );
    const [first] = selectDifferences(differences, REFUSED.fleet);
    if (first !== undefined) {
      const { label, before, now } = first;
      return { reason: `${label} differs (${shorten(now)}, not ${shorten(before)})` };
    }
    const found = {
      ...(calibration === undefined ? {} : { calibration }),
      ...(pinned === undefined ? {} : { pinned }),
    };
    return { run, prepared, here: { environment, ...found } };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return { reason: error.message };
  }
}

/**
 * @param {Question} question
 * @param {string[]} allowed
 * @throws {UsageError} naming what is not allowed here
 */
export function requireAllowed(question, allowed) {
  if (allowed.length === 0) return;
  const isAllowed = (/** @type {string} */ spec) =>
    parseVariantSpec(spec).kind === 'built-in' ||
    allowed.some((each) =>
      each.endsWith('*') ? spec.startsWith(each.slice(0, -1)) : spec === each,
    );
  const refused = listVariants(question).filter((spec) => !isAllowed(spec));
  if (refused.length === 0) return;
  throw new UsageError(`${refused.join(', ')} is not allowed here`, {
    remedy: 'start the worker with another --allow',
  });
}

/**
 * @param {Question} question
 * @returns {Question} with a sandbox, if a variant is not part of Assay
 * @throws {UsageError} for a directory, which the submitter cannot have meant on this host
 */
function sandboxed(question) {
  const kinds = listVariants(question).map((spec) => parseVariantSpec(spec).kind);
  if (kinds.includes('path')) {
    throw new UsageError('path: names a directory of the submitter', {
      remedy: 'use git: or npm:',
    });
  }
  return kinds.every((kind) => kind === 'built-in') ? question : { ...question, sandbox: true };
}
