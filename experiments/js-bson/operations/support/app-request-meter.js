import { WarmUp } from '../../../../harness/worker/measure-warm-up.js';

/** @import { MeasureSettings, Measurement } from '../../../../harness/formats/types.ts' */

/** The warm-up runs in chunks of about this length. */
const CHUNK_MS = 80;

/**
 * @typedef {Pick<Measurement, 'batchNsPerDocument' | 'documentsPerBatch' | 'warmUp'>} Metered
 */

/**
 * Reads the clocks of this process whenever a chunk of the warm-up or a batch has been answered.
 *
 * @param {object} options
 * @param {MeasureSettings} options.settings
 * @param {number} options.documentsPerRequest
 * @param {number} options.minRequestsPerBatch
 * @param {() => void} options.onWarm called when the first batch begins
 * @returns {{ done: Promise<Metered>, countAnswer: () => void, fail: (error: unknown) => void }}
 */
export function makeRequestMeter({ settings, documentsPerRequest, minRequestsPerBatch, onWarm }) {
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
    // What is answered until the load has stopped counts no more.
    requestsLeft = Infinity;
    const documentsPerBatch = requestsPerBatch;
    resolve({ batchNsPerDocument, documentsPerBatch, warmUp: warmUp.describe() });
  }

  return {
    done,
    fail: reject,
    countAnswer() {
      if (isFirst) {
        // Until now the client was starting.
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
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1e3 };
}
