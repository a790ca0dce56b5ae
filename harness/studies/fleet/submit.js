import { randomUUID } from 'node:crypto';
import { group } from 'd3-array';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { countOf } from '../../lib/numbers.js';
import { omitUndefined } from '../../lib/records.js';
import { compareHosts } from '../../stats/host/host.js';
import { takePerformed } from '../../run/execute.js';
import { journal } from '../../run/store.js';
import { findImpossible } from '../../run/process.js';
import { figureOf } from '../../stats/figure.js';
import { findCell } from '../../stats/plan.js';
import { openArtefacts } from './artefacts.js';
import { NO_RUN, SILENCE_MS } from './broker.js';
import { openRoster } from './roster.js';

/** @import { FleetBlock, FleetMessage, FleetResult, FleetRun, FleetSign, HostRecord, Manifest } from '../../formats/types.ts' */
/** @import { Executor, Limits, Pass, Performed, Task } from '../../run/execute.js' */
/** @import { Elsewhere } from '../../run/run.js' */
/** @import { StoredRun } from '../../run/store.js' */
/** @import { Broker } from './broker.js' */

/** How often the progress is offered while nobody answers. */
const TICK_MS = 4_000;
/** A block that so many hosts have taken without an answer is given to no other: it may be what ends them. */
const MAX_TAKEN = 3;
/** A host that takes a block tells so every four seconds; the broker gives it to another after twelve. */
const QUIET_MS = 0.75 * SILENCE_MS;
/** Silences after which the broker is asked whether it still has the blocks that wait. */
const SILENCES = 3;
/** How often a block is submitted again whose answer does not count, or that the broker has lost. */
const MAX_SUBMITTED = 3;

/** @typedef {{ broker: Broker, id: string, note: (note: string) => void, quietMs: number }} Sending */
/** @typedef {FleetResult['observations'][number]} FleetObservation */

/**
 * A block for which hosts have not answered yet.
 *
 * @typedef {object} Waiting
 * @property {string} blockId of the last message
 * @property {string} unit what the jobs have in common
 * @property {number} submitted how often
 * @property {Map<string, { host: string, heardMs: number }>} taken by host and delivery, when it was last heard of
 * @property {Pass<any, any>} pass
 * @property {Task[]} tasks
 * @property {(performed: (Performed | 'left' | null)[]) => void} resolve
 * @property {(error: Error) => void} reject
 */

/**
 * Has the jobs of a run measured and recorded by the hosts of a fleet.
 *
 * @param {Broker} broker
 * @param {string} id of the run at the broker
 * @param {(note: string) => void} note
 * @param {number} [quietMs] after which a host that has taken a block is thought to have ended
 * @returns {Elsewhere}
 */
export function openFleet(broker, id, note, quietMs = QUIET_MS) {
  return { id, open: (run) => openFleetExecutor(run, { broker, id, note, quietMs }) };
}

/**
 * Begins a session of a run at the broker. The executor takes all blocks of a stage at once; they
 * wait at the broker until hosts have answered for them. What hosts have answered to an earlier
 * session counts, too.
 * @type {(run: StoredRun, sending: Sending) => Promise<Executor>}
 */
async function openFleetExecutor(run, sending) {
  const { broker, id, note, quietMs } = sending;
  const putRun = () => broker.putRun(id, describeRun(run.manifest));
  await putRun();
  // Blocks of an earlier session would be measured for nothing.
  await broker.withdraw(id);
  const session = randomUUID();
  const openedMs = performance.now();
  const beganMs = Math.max(0, Date.now() - Date.parse(run.manifest.createdAt));
  const { answers, stop } = await broker.listen(id);
  const roster = openRoster();
  const unwatch = broker.watch(id, hear);
  const artefacts = openArtefacts({ path: run.path, fleetId: id, broker });
  /** Blocks by the id of each of their jobs. @type {Map<string, Waiting>} */
  const waiting = new Map();
  /** The same blocks by their own id. @type {Map<string, Waiting>} */
  const blocks = new Map();
  /** Answers that no task has taken yet, by job and attempt. @type {Map<string, FleetObservation>} */
  const kept = new Map();
  /** @type {Error | null} */
  let lost = null;
  let blockCount = 0;
  let sendingCount = 0;
  let heardMs = openedMs;
  /** What is sent to the broker goes one after the other. */
  let sent = Promise.resolve();

  const reading = readAnswers();
  const timers = [giveUpDeadly, () => void restoreLost()].map((work) =>
    setInterval(work, quietMs / 4).unref(),
  );
  /** Hosts of which it was said that they do not count. @type {Set<string>} */
  const unknownHosts = new Set();

  return {
    widthOf: () => Infinity,
    divide: (jobs, { unitOf = ({ id: jobId }) => jobId }) => [...group(jobs, unitOf).values()],
    refreshMs: TICK_MS,
    describe: () => ({ hosts: roster.list() }),
    hasNews: roster.hasNews,

    async run(tasks, limits) {
      if (lost !== null) throw lost;
      // A further attempt is in the answer that had the first one.
      if (tasks.some(({ attempt }) => attempt > 1) || tasks.every(isAnswered)) {
        return tasks.map(takeAnswer);
      }
      const unit = limits.pass.unitOf?.(tasks[0].planned) ?? tasks[0].planned.id;
      return waitFor({ unit, pass: limits.pass, tasks }, limits);
    },

    async close() {
      for (const timer of timers) clearInterval(timer);
      stop();
      await reading.catch(() => {});
      unwatch();
      await sent.catch(() => {});
      await broker.withdraw(id).catch(({ message }) => {
        note(`blocks of the run stay at the broker: ${message}`);
      });
      await broker.endRun(id).catch(({ message }) => {
        note(`what the run has stored at the broker stays there: ${message}`);
      });
    },
  };

  /** Sends a block, which has a new identity each time: hosts may still have the message before. @param {Waiting} entry */
  function submit(entry) {
    blocks.delete(entry.blockId);
    entry.blockId = `${session.slice(0, 8)}-${++blockCount}/${entry.unit}`;
    entry.submitted++;
    entry.taken.clear();
    blocks.set(entry.blockId, entry);
    const jobs = entry.tasks.map(({ planned }) => planned);
    const place = { formatVersion: FORMAT_VERSION, fleetId: id, blockId: entry.blockId, jobs };
    const block = /** @type {FleetBlock} */ ({ ...place, pass: entry.pass.name });
    sendingCount++;
    send(async () => {
      await broker.submit(block);
      if (--sendingCount === 0) await broker.ensureDelivery();
    });
  }

  /** @param {() => Promise<unknown>} request */
  function send(request) {
    // What is left to send is not tried after a request that failed: each would take a minute to fail.
    sent = sent.then(() => (lost === null ? request() : undefined)).then(() => {}, failAll);
  }

  /** @param {Error} error */
  function failAll(error) {
    lost ??= error;
    for (const each of [...blocks.values()]) each.reject(error);
  }

  /** @param {FleetSign} sign */
  function hear({ host, blockId, delivery }) {
    heardMs = performance.now();
    roster.hear(host);
    blocks.get(blockId)?.taken.set(`${delivery} ${host}`, { host, heardMs: performance.now() });
  }

  /**
   * The block with which a host prepared the run did not end it, as its message shows. What it took earlier may have:
   * it may have been started again.
   * @param {string} host
   */
  function forgetTaken(host) {
    for (const { taken } of blocks.values()) {
      const own = [...taken].filter(([, each]) => each.host === host);
      const [key, last] = own.at(-1) ?? [];
      const isNow = last !== undefined && last.heardMs > performance.now() - quietMs;
      if (key !== undefined && isNow) taken.delete(key);
    }
  }

  /** Submits blocks again that the broker has lost: one that is killed forgets what it has not written. */
  async function restoreLost() {
    const isQuiet = performance.now() - heardMs > SILENCES * quietMs;
    if (!isQuiet || blocks.size === 0 || sendingCount > 0 || lost !== null) return;
    heardMs = performance.now();
    if (await broker.hasBlocks(id).catch(() => true)) return;
    const missing = [...blocks.values()];
    note(`the broker has lost ${countOf(missing.length, 'block')} for which no host has answered`);
    for (const entry of missing) {
      if (entry.submitted < MAX_SUBMITTED) submit(entry);
      else entry.resolve(entry.tasks.map(() => null));
    }
  }

  /** Gives up blocks that hosts have taken and not answered for, one after the other. */
  function giveUpDeadly() {
    const quietSinceMs = performance.now() - quietMs;
    for (const { blockId, taken, tasks, resolve } of [...blocks.values()]) {
      const takers = [...taken.values()];
      if (takers.length < MAX_TAKEN) continue;
      if (takers.some(({ heardMs }) => heardMs > quietSinceMs)) continue;
      const names = [...new Set(takers.map(({ host }) => host))].join(', ');
      note(
        `the block ${blockId} is given up: it was taken ${takers.length} times (${names}), and no host answered`,
      );
      send(() => broker.withdraw(id, blockId));
      resolve(tasks.map(() => null));
    }
  }

  /**
   * @param {Pick<Waiting, 'unit' | 'pass' | 'tasks'>} block
   * @param {Limits} limits
   * @returns {Promise<(Performed | 'left' | null)[]>}
   */
  function waitFor(block, { signal, leftMs }) {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        settle(block.tasks.map(() => 'left'));
        if (blocks.size === 0) send(() => broker.withdraw(id));
      };
      const timer = Number.isFinite(leftMs)
        ? setTimeout(giveUp, Math.max(0, leftMs) + 1)
        : undefined;
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        for (const { planned } of block.tasks) waiting.delete(planned.id);
        blocks.delete(entry.blockId);
      };
      /** @param {(Performed | 'left' | null)[]} performed */
      const settle = (performed) => {
        end();
        resolve(performed);
      };
      const fail = (/** @type {Error} */ error) => {
        end();
        reject(error);
      };
      /** @type {Waiting} */
      const entry = {
        ...block,
        ...{ blockId: '', submitted: 0, taken: new Map(), resolve: settle, reject: fail },
      };
      for (const { planned } of block.tasks) waiting.set(planned.id, entry);
      submit(entry);
      signal.addEventListener('abort', giveUp);
      if (signal.aborted) giveUp();
    });
  }

  async function readAnswers() {
    try {
      for await (const message of answers) {
        heardMs = performance.now();
        const answer = checkAnswer(message);
        if (answer !== null) await absorb(answer);
      }
      failAll(new Error('the answers of the hosts have ended'));
    } catch (error) {
      failAll(/** @type {Error} */ (error));
    }
  }

  /**
   * @param {FleetMessage | string} message or what is wrong with it
   * @returns {FleetResult | null} null if it has no observations
   */
  function checkAnswer(message) {
    if (typeof message === 'string') {
      note(`an answer was ignored: ${message}`);
      return null;
    }
    if (message.kind === 'refusal' || message.kind === 'host') forgetTaken(message.host);
    if (message.kind === 'refusal') {
      roster.refuse(message.host, message.reason);
      // The host asks again later.
      if (message.reason === NO_RUN) send(putRun);
      note(`${message.host} does not measure this run: ${message.reason}`);
      return null;
    }
    if (message.kind === 'host') {
      roster.join(message.host);
      introduce(message);
      return null;
    }
    if (!run.hosts.some(({ host }) => host === message.host)) {
      refuseStranger(message);
      return null;
    }
    const failed = message.observations.filter(({ outcome }) => outcome === 'failed');
    roster.answer(message.host, failed.length);
    return message;
  }

  /** A host says what it is before it answers; times of an unknown machine are in no table. @param {FleetResult} answer */
  function refuseStranger({ host, blockId }) {
    if (!unknownHosts.has(host)) {
      note(`answers of ${host} do not count: it has not said what it is`);
    }
    unknownHosts.add(host);
    const own = blocks.get(blockId);
    if (own === undefined) return;
    // The broker has no copy of a block that was answered for.
    if (own.submitted < MAX_SUBMITTED) submit(own);
    else own.resolve(own.tasks.map(() => null));
  }

  /** @param {Extract<FleetMessage, { kind: 'host' }>} message */
  function introduce({ formatVersion, host, environment, calibration, recorders }) {
    /** @type {HostRecord} */
    const found = {
      formatVersion,
      host,
      environment,
      ...omitUndefined({ calibration, recorders }),
    };
    const known = run.hosts.find((each) => each.host === host);
    if (known === undefined) {
      run.hosts.push(found);
      journal(run.path, 'host').append(found);
    } else if (!isSameHost(known, found)) {
      note(`two hosts share the name ${host} and count as one; tell them apart with --name`);
    }
  }

  /**
   * Each job counts once, however often a block was measured. Of an answer to another session,
   * failures say nothing of this one.
   * @param {FleetResult} answer
   */
  async function absorb(answer) {
    const own = blocks.get(answer.blockId);
    const impossible = listImpossible(answer);
    const wanted = answer.observations.filter((observation) => {
      const { id: jobId, attempt, outcome } = observation;
      const block = waiting.get(jobId);
      if (block?.pass.name !== answer.kind || attempt > (block.pass.attempts ?? 1)) return false;
      if (impossible.has(observation)) return false;
      return own === undefined ? outcome === 'done' : block === own;
    });
    const touched = new Set(wanted.flatMap(({ id: jobId }) => waiting.get(jobId) ?? []));
    const taken = await takeArtefacts({ ...answer, observations: /** @type {any} */ (wanted) });
    const startMs = Math.max(0, beganMs + performance.now() - openedMs - answer.wallMs);
    for (const observation of taken.observations) {
      const startedAtMs = startMs + observation.startedAtMs;
      kept.set(keyOf(observation), { ...observation, host: answer.host, startedAtMs });
    }
    if (own !== undefined) {
      // After a failure, the host leaves out what has become pointless.
      const hasFailed = wanted.some(({ outcome }) => outcome === 'failed');
      if (!hasFailed && !own.tasks.every(isAnswered)) {
        note(`${answer.host} did not answer for all jobs of ${answer.blockId}`);
      }
      own.resolve(own.tasks.map(takeAnswer));
    }
    // An answer to an earlier session may have completed blocks of this one.
    for (const { tasks, resolve } of touched) {
      if (own === undefined && tasks.every(isAnswered)) resolve(tasks.map(takeAnswer));
    }
  }

  /** @type {(answer: FleetResult) => Set<FleetObservation>} timed jobs whose figures no processor can have measured */
  function listImpossible({ kind, host, observations }) {
    /** @type {Set<FleetObservation>} */
    const found = new Set();
    if (kind !== 'timing' && kind !== 'placement') return found;
    for (const observation of observations) {
      const task = waiting
        .get(observation.id)
        ?.tasks.find(({ planned }) => planned.id === observation.id);
      if (task === undefined || observation.outcome !== 'done') continue;
      const figure = figureOf(findCell(run.manifest.question.cells, task.planned));
      const problem = findImpossible(figure, observation);
      if (problem === null) continue;
      note(`a result of ${host} does not count: ${problem}`);
      found.add(observation);
    }
    return found;
  }

  /** @type {(answer: FleetResult) => Promise<FleetResult>} */
  async function takeArtefacts(answer) {
    if (answer.kind !== 'profiles') return answer;
    const taken = await artefacts.take(answer, ({ id: jobId }) => {
      const block = waiting.get(jobId);
      const task = block?.tasks.find(({ planned }) => planned.id === jobId);
      return task && block?.pass.artefactBaseOf?.(task.planned);
    });
    await artefacts.drop(answer);
    return taken;
  }

  /** @param {Task} task */
  function isAnswered({ planned, attempt }) {
    return kept.has(keyOf({ ...planned, attempt }));
  }

  /**
   * @param {Task} task
   * @returns {Performed | null} with nothing that the plan says, whatever the host says of it
   */
  function takeAnswer({ planned, attempt }) {
    const key = keyOf({ ...planned, attempt });
    const found = kept.get(key);
    kept.delete(key);
    if (found === undefined) return null;
    return takePerformed(found, planned);
  }
}

/** @type {(manifest: Manifest) => FleetRun} */
function describeRun({ formatVersion, assay, instrument, question, settings, ...manifest }) {
  const { variants, runtimes, expectedDigests, corpora, environment } = manifest;
  return {
    formatVersion,
    assay,
    ...omitUndefined({ instrument }),
    question,
    settings,
    variants,
    runtimes,
    expectedDigests,
    corpora: corpora.map(({ label, digest, documentCount }) => ({ label, digest, documentCount })),
    node: environment.node,
  };
}

/** @type {(one: HostRecord, other: HostRecord) => boolean} */
function isSameHost(one, other) {
  return compareHosts(one.environment, other.environment).every(({ aspect }) => aspect === 'load');
}

/** @type {(observation: { id: string, attempt: number }) => string} */
function keyOf({ id, attempt }) {
  return `${id} ${attempt}`;
}
