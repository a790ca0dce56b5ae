import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { nowMs, readCpuUsage } from '../../../../harness/worker/clock.js';
import { watchUsage } from '../../../../harness/worker/measure-usage.js';
import { WarmUp } from '../../../../harness/worker/measure-warm-up.js';

/** @import { MeasureSettings, Measurement } from '../../../../harness/formats/types.ts' */
/** @import { AddressInfo } from 'node:net' */

/** As in the source: `autocannon -c 30`. */
const CONNECTIONS = 30;

/** The settings are for a loop. A server is optimised more slowly and waits for requests, so its times
 * are multiples of them. */
const WARM_UP_FACTOR = 12;
const MAX_WARM_UP_FACTOR = 4;
const BATCH_FACTOR = 6;

/**
 * Measures the CPU time of this process per request, including its garbage collector and compiler,
 * while another process keeps 30 connections busy. All batches have the same number of requests.
 * @param {() => string} makeBody of a response
 * @param {object} options
 * @param {MeasureSettings} options.settings
 * @param {number} options.documentsPerRequest
 * @param {string} options.autocannonPath directory of the package
 * @returns {Promise<Measurement>} of requests instead of documents
 */
export async function measureServer(makeBody, { settings, documentsPerRequest, autocannonPath }) {
  const usage = watchUsage();
  const meter = makeRequestMeter({
    settings: scaleSettings(settings),
    documentsPerRequest,
    minRequestsPerBatch: CONNECTIONS,
    onWarm: usage.begin,
  });
  const server = await openPageServer(makeBody, {
    onAnswer: meter.countAnswer,
    onFailure: meter.fail,
  });
  const load = startLoad(server.url, { autocannonPath, connections: CONNECTIONS });
  try {
    const measured = await Promise.race([meter.done, load.failed]);
    const { used } = await usage.end();
    return { ...measured, ...used };
  } finally {
    await load.stop();
    await server.close();
  }
}

/** @type {(settings: MeasureSettings) => MeasureSettings} */
function scaleSettings(settings) {
  return {
    ...settings,
    warmUpMs: settings.warmUpMs * WARM_UP_FACTOR,
    maxWarmUpMs: settings.maxWarmUpMs * MAX_WARM_UP_FACTOR,
    batchMs: settings.batchMs * BATCH_FACTOR,
  };
}

/**
 * @typedef {object} PageServer
 * @property {string} url
 * @property {() => Promise<void>} close also ends open connections
 */

/**
 * @typedef {object} Listeners
 * @property {() => void} onAnswer called after each response
 * @property {(error: unknown) => void} onFailure called with the error of `makeBody`
 */

/**
 * Opens an HTTP server on a free port of the loopback interface. It answers every request with a new
 * body, or with status 500 and the error.
 * @param {() => string} makeBody JSON
 * @param {Partial<Listeners>} [listeners]
 * @returns {Promise<PageServer>}
 */
export async function openPageServer(makeBody, { onAnswer = ignore, onFailure = ignore } = {}) {
  const server = createServer(function answerRequest(_request, response) {
    let body;
    try {
      body = makeBody();
    } catch (error) {
      response.writeHead(500).end(String(error));
      onFailure(error);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    onAnswer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * @type {(url: string) => Promise<Buffer>}
 * @throws {Error} with the text of the response if its status is an error
 */
export async function fetchBody(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}

function ignore() {}

/** Time limit of the load; a job takes far less. */
const MAX_SECONDS = 25;
/** Keep this much of the end of its output. */
const MAX_LOG_CHARACTERS = 2_000;

/**
 * A process that sends requests.
 * @typedef {object} Load
 * @property {Promise<never>} failed rejects when the process ends by itself
 * @property {() => Promise<void>} stop kills it
 */

/**
 * Starts autocannon in a separate process: each connection sends its next request after the
 * response to the last one.
 * @param {string} url
 * @param {{ autocannonPath: string, connections: number }} options `autocannonPath`: directory of
 *   the package
 * @returns {Load}
 */
function startLoad(url, { autocannonPath, connections }) {
  const child = spawn(
    process.execPath,
    [
      join(autocannonPath, 'autocannon.js'),
      ...['--connections', String(connections)],
      ...['--duration', String(MAX_SECONDS)],
      '--no-progress',
      url,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr.setEncoding('utf8').on('data', function keepEnd(text) {
    log = (log + text).slice(-MAX_LOG_CHARACTERS);
  });
  const ended = once(child, 'close');
  const failed = ended.then(function reportEnd([status, signal]) {
    throw new Error(
      `autocannon ended (${signal ?? `status ${status}`}) before the measurement: ${log.trim()}`,
    );
  });
  // Nobody awaits this after `stop`.
  failed.catch(() => {});
  return {
    failed,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Length of a chunk of the warm-up, about. */
const CHUNK_MS = 80;

/** @typedef {Pick<Measurement, 'batchNsPerDocument' | 'documentsPerBatch' | 'warmUp'>} Metered */

/**
 * Counts responses and reads the clocks of this process after each chunk of the warm-up and each batch.
 * @param {object} options
 * @param {MeasureSettings} options.settings
 * @param {number} options.documentsPerRequest
 * @param {number} options.minRequestsPerBatch
 * @param {() => void} options.onWarm called when the first batch begins
 * @returns {{ done: Promise<Metered>, countAnswer: () => void, fail: (error: unknown) => void }}
 */
function makeRequestMeter({ settings, documentsPerRequest, minRequestsPerBatch, onWarm }) {
  const { promise: done, resolve, reject } = makeDeferred();
  const warmUp = new WarmUp(settings, { documents: documentsPerRequest, chunkMs: CHUNK_MS });
  /** @type {number[]} */
  const batchNsPerDocument = [];
  let requestsPerBatch = 0;
  let requestsLeft = warmUp.nextPasses;
  let start = readClocks();
  let isFirst = true;

  function endChunk() {
    const now = readClocks();
    warmUp.addChunk(now.wallMs - start.wallMs, now.cpuMs - start.cpuMs);
    if (warmUp.isDone) {
      requestsPerBatch = Math.max(minRequestsPerBatch, warmUp.passesIn(settings.batchMs));
      requestsLeft = requestsPerBatch;
      onWarm();
    } else {
      requestsLeft = warmUp.nextPasses;
    }
    start = readClocks();
  }

  function endBatch() {
    const now = readClocks();
    batchNsPerDocument.push(((now.cpuMs - start.cpuMs) * 1e6) / requestsPerBatch);
    requestsLeft = requestsPerBatch;
    start = now;
    if (batchNsPerDocument.length < settings.batchCount) return;
    // Ignore the responses until the load has stopped.
    requestsLeft = Infinity;
    const documentsPerBatch = requestsPerBatch;
    resolve({ batchNsPerDocument, documentsPerBatch, warmUp: warmUp.describe() });
  }

  return {
    done,
    fail: reject,
    countAnswer() {
      if (isFirst) {
        // Exclude the start of the client.
        isFirst = false;
        start = readClocks();
        return;
      }
      if (--requestsLeft > 0) return;
      if (warmUp.isDone) endBatch();
      else endChunk();
    },
  };
}

/**
 * @returns {{ promise: Promise<Metered>, resolve: (metered: Metered) => void, reject: (error: unknown) => void }}
 */
function makeDeferred() {
  /** @type {(metered: Metered) => void} */
  let resolve = () => {};
  /** @type {(error: unknown) => void} */
  let reject = () => {};
  const promise = new Promise(
    /** @param {typeof resolve} resolvePromise  @param {typeof reject} rejectPromise */
    function keepSettlers(resolvePromise, rejectPromise) {
      resolve = resolvePromise;
      reject = rejectPromise;
    },
  );
  return { promise, resolve, reject };
}

/** @returns {{ wallMs: number, cpuMs: number }} */
function readClocks() {
  const { user, system } = readCpuUsage();
  return { wallMs: nowMs(), cpuMs: (user + system) / 1e3 };
}
