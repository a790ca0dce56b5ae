import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FORMAT_VERSION } from '../../harness/formats/format-version.js';
import { PROCESSES_PER_BLOCK, planJobs } from '../../harness/stats/plan.js';
import { openBroker } from '../../harness/studies/fleet/broker.js';
import { openUnits } from '../../harness/run/passes/timing.js';
import { groupIntoBlocks } from '../../harness/studies/fleet/submit.js';
import { makeQuestion } from '../../harness/studies/simulation/looks.js';
import { startServer } from './server.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { HostNews, HostOrder } from './host.js' */
/** @import { Server } from './server.js' */

const HOST = fileURLToPath(new URL('host.js', import.meta.url));
/** How long idle hosts are watched. */
const IDLE_MS = 10_000;

/**
 * What a nats-server on this machine takes.
 *
 * @typedef {object} BrokerFigures
 * @property {number} blocks
 * @property {number} observations
 * @property {number} processes that took and answered blocks at the same time
 * @property {number} submitsPerSecond of one submitter, which waits for each to be stored
 * @property {number} answersPerSecond blocks taken, answered and acknowledged by these processes
 * @property {number} cpuSecondsPerBlock of the broker, from the submission to the acknowledgement
 * @property {number} waitingBytesPerBlock stored until it is acknowledged
 * @property {number} bytesPerObservation stored for as long as results are kept
 * @property {number} listenSeconds until a submitter has the first answer of a run among all that are stored
 * @property {number} residentBytes most of the broker
 * @property {number} residentBytesPerBlock by how much the second half of the blocks raised it
 * @property {number} recoverySeconds until the broker is ready again after SIGKILL
 * @property {number} emptyRecoverySeconds the same before it had stored anything
 * @property {number} recoveredBytes that it had stored
 * @property {IdleFigures} idle
 *
 * @typedef {object} IdleFigures of hosts that wait for blocks
 * @property {number} hosts connections
 * @property {number} connectSeconds until all of them waited, two processes connecting one host after the other
 * @property {number} cpuShare of one core, of the broker
 * @property {number} residentBytes most of the broker
 */

/**
 * Starts a broker and sends blocks through it, by the module that `compare --fleet` and `fleet work` use.
 *
 * @param {{ blocks: number, blocksPerRun: number, processes: number, hosts: number }} amounts
 * @returns {Promise<BrokerFigures>}
 */
export async function measureBroker({ blocks: wanted, blocksPerRun, processes, hosts }) {
  const server = await startServer();
  try {
    const emptySeconds = await findRecoverySeconds(server);
    const broker = await openBroker(server.url, { environment: {}, workingPath: '.' }, () => {});
    const all = listBlocks(wanted, blocksPerRun);
    const emptyBytes = server.storedBytes();
    const emptyCpu = server.cpuSeconds();
    const names = Array.from({ length: processes }, (_, index) => [`host-${index}`]);
    const middle = all.length >> 1;
    let [submitSeconds, answerSeconds, waitingBytes, halfResident] = [0, 0, 0, 0];
    for (const part of [all.slice(0, middle), all.slice(middle)]) {
      halfResident = server.mostResident();
      const partBytes = server.storedBytes();
      submitSeconds += await time(async () => {
        for (const block of part) await broker.submit(block);
      });
      waitingBytes += server.storedBytes() - partBytes;
      const team = await startHosts(server.url, names);
      answerSeconds += await time(() => team.answered(part.length));
      team.stop();
      // Acknowledgements are under way, and files are shortened later.
      await delay(2_000);
    }
    const cpuSeconds = server.cpuSeconds() - emptyCpu;
    const observations = all.flatMap(({ jobs }) => jobs).length;
    const bytesPerObservation = (server.storedBytes() - emptyBytes) / observations;
    const listenSeconds = await time(async () => {
      const { answers, stop } = await broker.listen(all[all.length >> 1].fleetId);
      await answers[Symbol.asyncIterator]().next();
      stop();
    });
    const residentBytes = server.mostResident();
    await broker.close();
    const recoveredBytes = server.storedBytes();
    const recoverySeconds = await findRecoverySeconds(server);
    return {
      blocks: all.length,
      observations,
      processes,
      submitsPerSecond: all.length / submitSeconds,
      answersPerSecond: all.length / answerSeconds,
      cpuSecondsPerBlock: cpuSeconds / all.length,
      waitingBytesPerBlock: waitingBytes / all.length,
      bytesPerObservation,
      listenSeconds,
      residentBytes,
      residentBytesPerBlock: Math.max(0, residentBytes - halfResident) / (all.length - middle),
      recoverySeconds,
      emptyRecoverySeconds: Math.min(emptySeconds, recoverySeconds),
      recoveredBytes,
      idle: await measureIdle(hosts),
    };
  } finally {
    await server.stop();
  }
}

/**
 * @param {Server} server
 * @returns {Promise<number>} the quickest of several, since others use the machine
 */
async function findRecoverySeconds(server) {
  const found = [await server.recover(), await server.recover(), await server.recover()];
  return Math.min(...found);
}

/**
 * @param {number} hosts
 * @returns {Promise<IdleFigures>}
 */
async function measureIdle(hosts) {
  const server = await startServer();
  try {
    const names = Array.from({ length: hosts }, (_, index) => `host-${index}`);
    const half = Math.ceil(hosts / 2);
    const shares = [names.slice(0, half), names.slice(half)].filter(({ length }) => length > 0);
    const team = await startHosts(server.url, shares);
    await team.lasts(IDLE_MS / 2);
    const before = server.cpuSeconds();
    await team.lasts(IDLE_MS);
    const cpuShare = (server.cpuSeconds() - before) / (IDLE_MS / 1000);
    team.stop();
    const { connectSeconds } = team;
    return { hosts, connectSeconds, cpuShare, residentBytes: server.mostResident() };
  } finally {
    await server.stop();
  }
}

/**
 * @param {number} count
 * @param {number} perRun
 */
function listBlocks(count, perRun) {
  const runs = Math.ceil(count / perRun);
  const question = makeQuestion(1, 1);
  const jobs = planJobs(question, question.cells, { from: 0, to: perRun * PROCESSES_PER_BLOCK });
  const own = groupIntoBlocks(jobs, openUnits(question), 'session');
  const all = Array.from({ length: runs }, (_, run) =>
    own.map((block) => ({
      formatVersion: FORMAT_VERSION,
      pass: /** @type {const} */ ('timing'),
      fleetId: `run-${run}`,
      ...block,
    })),
  );
  return all.flat().slice(0, count);
}

/**
 * Starts processes that stand for hosts; see `host.js`.
 *
 * @param {string} url
 * @param {string[][]} names of the hosts of each process
 */
export async function startHosts(url, names) {
  /** @type {ChildProcess[]} */
  const children = [];
  /** @type {number[]} */
  const answered = names.map(() => 0);
  let onNews = () => {};
  let lastMs = NaN;
  const connected = names.map(async (own, index) => {
    const child = fork(HOST);
    children.push(child);
    child.send(/** @satisfies {HostOrder} */ ({ url, names: own }));
    const [first] = /** @type {[HostNews]} */ (await once(child, 'message'));
    child.on('message', (/** @type {HostNews} */ news) => {
      if ('answered' in news) answered[index] = news.answered;
      lastMs = performance.now();
      onNews();
    });
    return 'connectedMs' in first ? first.connectedMs / 1000 : NaN;
  });
  const connectSeconds = Math.max(...(await Promise.all(connected)));
  const lost = new Promise((/** @type {(value: never) => void} */ _, reject) => {
    for (const child of children) {
      child.on('exit', () => reject(new Error('a process that stands for hosts ended')));
    }
  });
  lost.catch(() => {});
  return {
    connectSeconds,
    /** Waits until so many blocks are answered. @type {(count: number) => Promise<void>} */
    answered(count) {
      const done = new Promise((/** @type {(value: void) => void} */ resolve) => {
        onNews = () => {
          if (answered.reduce((sum, own) => sum + own, 0) >= count) resolve();
        };
        onNews();
      });
      return Promise.race([done, lost]);
    },
    /** @type {(ms: number) => Promise<void>} */
    lasts: (ms) => Promise.race([delay(ms), lost]),
    /** @returns {number} when the last block was answered, by `performance.now()` */
    lastMs: () => lastMs,
    stop() {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** @param {() => Promise<void>} work @returns {Promise<number>} seconds */
async function time(work) {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
}
