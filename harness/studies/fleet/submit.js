import { randomUUID } from 'node:crypto';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { countOf } from '../../lib/numbers.js';
import { listHostDifferences } from '../../run/host-differences.js';
import { sharedIdOf } from '../../stats/plan.js';

/** @import { FleetHost, FleetMessage, FleetResult, Manifest, Observation, PlannedJob } from '../../formats/types.ts' */
/** @import { ConductPass, TimingContext, TimingPass } from '../../run/passes/timing.js' */
/** @import { Fleet, FleetHosts } from '../../run/run.js' */
/** @import { Broker } from './broker.js' */

/**
 * Has the timed jobs of a run measured by the hosts of a fleet, block by block.
 *
 * @param {Broker} broker
 * @param {string} id of the run at the broker
 * @param {(note: string) => void} note
 * @returns {Fleet}
 */
export function openFleet(broker, id, note) {
  return {
    id,
    publish: (manifest) => broker.putRun(id, describeRun(manifest)),
    conduct: (pass, context, hosts) => conduct(pass, context, { ...hosts, broker, id, note }),
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
 * Runs the stages of the timing pass. What hosts have answered to an earlier session is taken first; then the blocks of
 * a stage wait at the broker until hosts have measured all of them.
 *
 * @param {TimingPass} pass
 * @param {TimingContext} context
 * @param {FleetHosts & { broker: Broker, id: string, note: (note: string) => void }} fleet
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
  // Racing each answer with the end instead would keep all answers in memory until then.
  const cancelEnd = callAtEnd(signal, untilMs - clock.sessionMs(), stop);
  const ledger = openLedger(pass, context);
  let hasFailed = false;
  try {
    for (const stage of pass.stages) {
      const left = stage.filter((job) => !ledger.isDone(job) && pass.skips?.(job) !== true);
      const blocks = groupIntoBlocks(left, context, session);
      const waiting = new Map(blocks.map((block) => [block.blockId, block.jobs]));
      for (const block of blocks) {
        await broker.submit({ formatVersion: FORMAT_VERSION, fleetId: id, ...block });
      }
      while (waiting.size > 0) {
        context.onProgress(() => {
          const open = [...waiting.values()].flat();
          const progress = pass.describe(open[0] ?? left[0], { left: open, total: stage.length });
          return { ...progress, step: `${progress.step} · ${nameHosts(fleet)}` };
        });
        const next = await arrived.next();
        if (next.done === true) return signal.aborted ? 'interrupted' : 'budget';
        const answer = checkAnswer(next.value, fleet);
        if (answer === null) continue;
        const jobs = waiting.get(answer.blockId);
        hasFailed = ledger.absorb(answer, jobs ?? stage) || hasFailed;
        if (jobs === undefined) {
          // An answer to an earlier session may have completed blocks of this one.
          for (const [blockId, own] of waiting) {
            if (own.every(ledger.isDone)) waiting.delete(blockId);
          }
          continue;
        }
        if (!jobs.every(ledger.isSettled)) {
          note(`${answer.host} did not answer for all jobs of ${answer.blockId}`);
          hasFailed = true;
        }
        waiting.delete(answer.blockId);
      }
    }
    return hasFailed ? 'failed' : 'complete';
  } finally {
    cancelEnd();
    stop();
    await broker.withdraw(id);
  }
}

/**
 * @param {AbortSignal} signal
 * @param {number} ms
 * @param {() => void} stop called when the signal is aborted or the time is over
 * @returns {() => void} calls it no more
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

/** Hosts that the progress names. */
const MOST_NAMES = 3;

/** @param {FleetHosts} fleet */
function nameHosts({ hosts }) {
  const names = [...new Set(hosts.map(({ host }) => host))];
  if (names.length === 0) return 'no host yet';
  if (names.length > MOST_NAMES) return countOf(names.length, 'host');
  return `on ${names.join(', ')}`;
}

/**
 * @param {FleetMessage | string} message or what is wrong with it
 * @param {FleetHosts & { note: (note: string) => void }} fleet
 * @returns {FleetResult | null} null if it has no observations
 */
function checkAnswer(message, { hosts, addHost, note }) {
  if (typeof message === 'string') {
    note(`an answer was ignored: ${message}`);
    return null;
  }
  if (message.kind === 'result') return message;
  if (message.kind === 'refusal') {
    note(`${message.host} does not measure this run: ${message.reason}`);
    return null;
  }
  const known = hosts.find(
    ({ host, pinned }) => host === message.host && pinned?.cpus === message.pinned?.cpus,
  );
  if (known === undefined) {
    addHost(message);
  } else if (!isSameHost(known, message)) {
    note(`two hosts are called ${message.host}, and count as one; give them names with --name`);
  }
  return null;
}

/** @type {(one: FleetHost, other: FleetHost) => boolean} */
function isSameHost(one, other) {
  return listHostDifferences(one, other).every(({ label }) => label.startsWith('load'));
}

/**
 * Keeps which jobs have an observation, so that each counts once, however often a block was measured.
 *
 * @param {TimingPass} pass
 * @param {TimingContext} context
 */
export function openLedger({ attempts, doneId, settle }, { observations, append, clock }) {
  const done = new Set(observations.map(doneId));
  /** Attempts that failed. */
  const tried = new Set(observations.filter(isFailed).map(keyOf));
  const isDone = (/** @type {PlannedJob} */ { id }) => done.has(id);
  return {
    isDone,

    /** @type {(job: PlannedJob) => boolean} whether it is done, or has failed for good */
    isSettled: (job) => isDone(job) || tried.has(keyOf({ jobId: job.id, attempt: attempts ?? 1 })),

    /**
     * @param {FleetResult} result
     * @param {PlannedJob[]} jobs that may be in it
     * @returns {boolean} whether a job failed at every attempt
     */
    absorb({ observations: found, wallMs, host }, jobs) {
      const planned = new Map(jobs.map((job) => [job.id, job]));
      const startMs = Math.max(0, clock.elapsedMs() - wallMs);
      let hasFailed = false;
      for (const observation of found) {
        const job = planned.get(observation.jobId);
        if (job === undefined || isDone(job) || tried.has(keyOf(observation))) continue;
        const { id: jobId, cellId } = job;
        const startedAtMs = startMs + observation.startedAtMs;
        // Names as in the plan, so that each text is in memory once.
        const own = { ...observation, jobId, cellId, host, startedAtMs };
        observations.push(own);
        append(own);
        done.add(doneId(own));
        if (isFailed(own)) tried.add(keyOf(own));
        const isLast = observation.attempt === attempts;
        if (isLast || !isFailed(own)) settle?.(job, own);
        hasFailed ||= isLast && isFailed(own);
      }
      return hasFailed;
    },
  };
}

/** @param {Observation} observation */
function isFailed({ outcome }) {
  return outcome === 'failed';
}

/** @param {Pick<Observation, 'jobId' | 'attempt'>} observation */
function keyOf({ jobId, attempt }) {
  return `${jobId} ${attempt}`;
}

/**
 * All jobs of one block of a cell, with all candidates that share its baseline, are for one host.
 *
 * @param {PlannedJob[]} jobs in the order of the plan
 * @param {Pick<TimingContext, 'manifest'>} context
 * @param {string} session
 * @returns {{ blockId: string, jobs: PlannedJob[] }[]} in that order
 */
export function groupIntoBlocks(jobs, { manifest }, session) {
  const sharedIds = new Map(
    manifest.question.cells.flatMap((cell) => [
      [cell.id, sharedIdOf(cell)],
      [sharedIdOf(cell), sharedIdOf(cell)],
    ]),
  );
  /** @type {Map<string, PlannedJob[]>} */
  const blocks = new Map();
  for (const job of jobs) {
    const blockId = `${session}/${sharedIds.get(job.cellId)}/${job.block}`;
    blocks.set(blockId, [...(blocks.get(blockId) ?? []), job]);
  }
  return [...blocks].map(([blockId, own]) => ({ blockId, jobs: own }));
}
