import { randomUUID } from 'node:crypto';
import { group } from 'd3-array';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { compareHosts } from '../../stats/host/host.js';
import { openArtefacts } from './artefacts.js';
import { openRoster } from './roster.js';

/** @import { FleetBlock, FleetHost, FleetMessage, FleetResult, Manifest, Observation, PlannedJob, PlannedProfileJob, ProfileObservation } from '../../formats/types.ts' */
/** @import { ConductPass, LoopContext, SharedPass } from '../../run/passes/pass.js' */
/** @import { Fleet, FleetHosts } from '../../run/run.js' */
/** @import { Broker } from './broker.js' */

/** @typedef {PlannedJob | PlannedProfileJob} SharedJob */
/** @typedef {Observation | ProfileObservation} SharedObservation */
/** @typedef {{ broker: Broker, id: string, note: (note: string) => void, roster: ReturnType<typeof openRoster> }} Sending */

/** How often the progress is offered while nobody answers. */
const TICK_MS = 4_000;

/**
 * Has the jobs of a run measured and recorded by the hosts of a fleet, block by block.
 *
 * @param {Broker} broker
 * @param {string} id of the run at the broker
 * @param {(note: string) => void} note
 * @returns {Omit<Fleet, 'alone'>}
 */
export function openFleet(broker, id, note) {
  const sending = { broker, id, note, roster: openRoster() };
  return {
    id,
    publish: (manifest) => broker.putRun(id, describeRun(manifest)),
    conduct: (pass, context, hosts) => conduct(pass, context, { ...hosts, ...sending }),
    end: () =>
      broker.endRun(id).catch(({ message }) => {
        note(`what the run has stored at the broker stays there: ${message}`);
      }),
  };
}

/** @type {(manifest: Manifest) => import('../../formats/types.ts').FleetRun} */
function describeRun({ formatVersion, assay, instrument, question, settings, ...manifest }) {
  const { variants, runtimes, expectedDigests, corpora, environment } = manifest;
  return {
    formatVersion,
    assay,
    ...(instrument === undefined ? {} : { instrument }),
    question,
    settings,
    variants,
    runtimes,
    expectedDigests,
    corpora: corpora.map(({ label, digest, documentCount }) => ({ label, digest, documentCount })),
    node: environment.node,
  };
}

/**
 * Runs the stages of a pass: the blocks of a stage wait at the broker until hosts have answered for all of them. What
 * hosts have answered to an earlier session counts, too.
 *
 * @param {SharedPass<SharedJob, SharedObservation>} pass
 * @param {LoopContext<SharedObservation>} context
 * @param {FleetHosts & Sending} fleet
 * @returns {ReturnType<ConductPass>}
 */
async function conduct(pass, context, fleet) {
  const { broker, id, note } = fleet;
  const { signal, clock, untilMs } = context;
  // Blocks of an earlier session would be measured for nothing.
  await broker.withdraw(id);
  const session = randomUUID();
  const { answers, stop } = await broker.listen(id);
  const arrived = answers[Symbol.asyncIterator]();
  // Promise.race on each answer would keep all answers in memory until the end.
  const cancelEnd = callAtEnd(signal, untilMs - clock.sessionMs(), stop);
  const display = openDisplay(context, fleet);
  const ledger = openLedger(pass, context);
  const artefacts = openArtefacts({ path: fleet.path, fleetId: id, broker });
  let hasFailed = false;
  try {
    for (const stage of pass.stages) {
      const left = stage.filter((job) => !ledger.isDone(job) && pass.skips?.(job) !== true);
      const blocks = groupIntoBlocks(left, pass.unitOf, session);
      const waiting = new Map(blocks.map((block) => [block.blockId, block.jobs]));
      for (const block of blocks) {
        const common = { formatVersion: FORMAT_VERSION, fleetId: id, pass: pass.name };
        await broker.submit(/** @type {FleetBlock} */ ({ ...common, ...block }));
      }
      if (blocks.length > 0) await broker.ensureDelivery();
      while (waiting.size > 0) {
        display.show(() => {
          const open = [...waiting.values()].flat();
          return pass.describe(open[0] ?? left[0], { left: open, total: stage.length });
        });
        const next = await arrived.next();
        if (next.done === true) {
          if (signal.aborted) return 'interrupted';
          return hasFailed ? 'failed' : 'budget';
        }
        const answer = checkAnswer(next.value, fleet);
        if (answer === null) continue;
        const own = waiting.get(answer.blockId);
        const jobs = own ?? stage;
        const taken = await takeArtefacts(answer, jobs);
        hasFailed = ledger.absorb(taken, jobs, own !== undefined) || hasFailed;
        if (answer.kind === 'profiles') await artefacts.drop(answer);
        if (own === undefined) {
          // An answer to an earlier session may have completed blocks of this one.
          for (const [blockId, others] of waiting) {
            if (others.every(ledger.isDone)) waiting.delete(blockId);
          }
          continue;
        }
        if (!own.every((job) => ledger.isSettled(job) || pass.skips?.(job) === true)) {
          note(`${answer.host} did not answer for all jobs of ${answer.blockId}`);
          hasFailed = true;
        }
        waiting.delete(answer.blockId);
      }
    }
    return hasFailed ? 'failed' : 'complete';
  } catch (error) {
    // Without the broker, the interrupt ends a request that fails.
    if (signal.aborted) return 'interrupted';
    throw error;
  } finally {
    display.stop();
    cancelEnd();
    stop();
    await broker.withdraw(id).catch(({ message }) => {
      note(`blocks of the run stay at the broker: ${message}`);
    });
  }

  /** @type {(answer: FleetResult, jobs: SharedJob[]) => Promise<FleetResult>} */
  async function takeArtefacts(answer, jobs) {
    if (answer.kind !== 'profiles' || pass.artefactBaseOf === undefined) return answer;
    const open = /** @type {PlannedProfileJob[]} */ (jobs.filter((job) => !ledger.isDone(job)));
    return artefacts.take(answer, open, pass.artefactBaseOf);
  }
}

/**
 * @param {Pick<LoopContext<never>, 'onProgress'>} context
 * @param {Sending} sending
 */
function openDisplay({ onProgress }, { broker, id, roster }) {
  /** @type {Parameters<LoopContext<never>['onProgress']>[0] | undefined} */
  let describe;
  /** @param {boolean} isNews */
  const draw = (isNews) => {
    if (describe === undefined) return;
    const describeStep = describe;
    onProgress(() => ({ ...describeStep(), hosts: roster.list() }), isNews);
  };
  const unwatch = broker.watch(id, roster.hear);
  const timer = setInterval(() => draw(roster.hasNews()), TICK_MS);
  return {
    /** @param {NonNullable<typeof describe>} described until the next call */
    show(described) {
      describe = described;
      draw(false);
    },
    stop() {
      clearInterval(timer);
      unwatch();
    },
  };
}

/**
 * @param {AbortSignal} signal
 * @param {number} ms
 * @param {() => void} stop called when the signal is aborted or the time is over
 * @returns {() => void} cancels the call
 */
function callAtEnd(signal, ms, stop) {
  const timer = Number.isFinite(ms) ? setTimeout(stop, Math.max(0, ms)) : undefined;
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
}

/**
 * @param {FleetMessage | string} message or what is wrong with it
 * @param {FleetHosts & Sending} fleet
 * @returns {FleetResult | null} null if it has no observations
 */
function checkAnswer(message, { hosts, addHost, note, roster }) {
  if (typeof message === 'string') {
    note(`an answer was ignored: ${message}`);
    return null;
  }
  if (message.kind === 'result' || message.kind === 'profiles') {
    roster.answer(message.host, message.observations.filter(isFailed).length);
    return message;
  }
  if (message.kind === 'refusal') {
    roster.refuse(message.host, message.reason);
    note(`${message.host} does not measure this run: ${message.reason}`);
    return null;
  }
  roster.join(message.host);
  const known = hosts.find(({ host }) => host === message.host);
  if (known === undefined) {
    addHost(message);
  } else if (!isSameHost(known, message)) {
    note(`two hosts share the name ${message.host} and count as one; tell them apart with --name`);
  }
  return null;
}

/** @type {(one: FleetHost, other: FleetHost) => boolean} */
function isSameHost(one, other) {
  return compareHosts(one.environment, other.environment).every(({ aspect }) => aspect === 'load');
}

/**
 * Keeps which jobs have an observation, so that each counts once, however often a block was measured.
 *
 * @param {Pick<SharedPass<any, any>, 'name' | 'attempts' | 'doneId' | 'settle'>} pass
 * @param {Pick<LoopContext<any>, 'observations' | 'append' | 'clock'>} context
 */
export function openLedger(pass, { observations, append, clock }) {
  const { name, attempts = 1, doneId, settle } = pass;
  const ownKind = name === 'timing' ? 'result' : 'profiles';
  const done = new Set(observations.map(doneId));
  /** Attempts that failed. */
  const tried = new Set(observations.filter(isFailed).map(keyOf));
  const isDone = (/** @type {SharedJob} */ { id }) => done.has(id);
  return {
    isDone,

    /** @type {(job: SharedJob) => boolean} whether it is done, or has failed for good */
    isSettled: (job) => isDone(job) || tried.has(`${job.id} ${attempts}`),

    /**
     * @param {FleetResult} result
     * @param {SharedJob[]} jobs that may be in it
     * @param {boolean} isOfSession whether it answers a block of this session
     * @returns {boolean} whether a job failed at every attempt
     */
    absorb({ kind, observations: found, wallMs, host }, jobs, isOfSession) {
      if (kind !== ownKind) return false;
      const planned = new Map(jobs.map((job) => [job.id, job]));
      const startMs = Math.max(0, clock.elapsedMs() - wallMs);
      let hasFailed = false;
      for (const observation of found) {
        const job = planned.get(observation.id);
        const { attempt } = observation;
        if (job === undefined || isDone(job) || attempt < 1 || attempt > attempts) continue;
        const startedAtMs = startMs + observation.startedAtMs;
        const own = { ...nameAsPlanned(observation, job), host, startedAtMs };
        const isKnown = isFailed(own) && tried.has(keyOf(own));
        // What failed in an earlier session, and is read again, says nothing of this one.
        if (isKnown && !isOfSession) continue;
        if (!isKnown) {
          observations.push(own);
          append(own);
          done.add(doneId(own));
          if (isFailed(own)) tried.add(keyOf(own));
        }
        if (attempt === attempts || !isFailed(own)) settle?.(job, own);
        hasFailed ||= attempt === attempts && isFailed(own);
      }
      return hasFailed;
    },
  };
}

/** @param {SharedObservation} observation */
function isFailed({ outcome }) {
  return outcome === 'failed';
}

/** @param {SharedObservation} observation */
function keyOf({ id, attempt }) {
  return `${id} ${attempt}`;
}

/**
 * @param {SharedObservation} observation
 * @param {SharedJob} job
 * @returns {SharedObservation} with its place in the plan, whatever the host says; and each text is in memory once
 */
function nameAsPlanned(observation, job) {
  return /** @type {SharedObservation} */ ({ ...observation, ...job });
}

/**
 * Jobs that belong together are for one host.
 *
 * @template {SharedJob} J
 * @param {J[]} jobs in the order of the plan
 * @param {(job: J) => string} unitOf
 * @param {string} session
 * @returns {{ blockId: string, jobs: J[] }[]} in that order
 */
export function groupIntoBlocks(jobs, unitOf, session) {
  const blocks = group(jobs, (job) => `${session}/${unitOf(job)}`);
  return [...blocks].map(([blockId, own]) => ({ blockId, jobs: own }));
}
