import { nowMs } from './clock.js';
import { readIdleMs, turnEventLoop } from './event-loop.js';
import {
  LOOP_MS,
  MAX_TIMINGS,
  MIN_STEPS,
  MIN_TAIL,
  findStepMs,
  takePercentiles,
} from './measure-calls.js';
import { describeBatches, round } from './measure-operation.js';
import { WarmUp } from './measure-warm-up.js';
import { pickIndex } from './random.js';
import { makeReferenceLoop } from './reference-loop.js';

/** @import { AwaitedOperation, CallTimes, MeasureSettings, Measurement, Operation } from '../formats/types.ts' */
/** @import { watchUsage } from './measure-usage.js' */

// Taken before a variant is loaded, which could replace them.
const { ceil, max } = Math;
const { asyncIterator } = Symbol;
const Numbers = Float64Array;
const Bytes = Uint8Array;
const Task = Promise;
const all = Promise.all.bind(Promise);

/** Length of a warm-up chunk. */
const CHUNK_MS = 8;
/** At the ends of a batch fewer calls are in flight, so each of them makes this many. */
const MIN_ROUNDS = 8;

/** Of calls that wait, the most time for as many timings as a 99th percentile needs. */
const MAX_LOOP_MS = 200;

/** @typedef {Operation & Pick<AwaitedOperation, 'call'>} AwaitedLoop */

/**
 * The operation with the loop that makes its calls: `concurrency` of them are in flight, and the next one begins when one
 * has settled. Each is awaited once (decision 0055).
 *
 * @param {AwaitedOperation} operation
 * @param {object} conditions
 * @param {number} conditions.documents in the corpus
 * @param {number} conditions.concurrency
 * @returns {AwaitedLoop}
 */
export function awaitCalls(operation, { documents, concurrency }) {
  return {
    ...operation,
    async run(state, passes) {
      const queue = { left: passes * documents, index: 0, last: /** @type {unknown} */ (null) };
      const lanes = [];
      for (let lane = 0; lane < concurrency; lane++) {
        lanes[lane] = runLane(operation, state, { queue, documents });
      }
      await all(lanes);
    },
    output: operation.output ?? ((state) => collectOutputs(operation, state, documents)),
  };
}

/**
 * @param {AwaitedOperation} operation
 * @param {unknown} state
 * @param {{ queue: { left: number, index: number, last: unknown }, documents: number }} work `last`: what a call made last,
 *   kept alive
 */
async function runLane(operation, state, { queue, documents }) {
  const keep = (/** @type {unknown} */ chunk) => {
    queue.last = chunk;
  };
  while (queue.left > 0) {
    queue.left--;
    const { index } = queue;
    queue.index = index + 1 === documents ? 0 : index + 1;
    const made = await operation.call(state, index);
    if (isRead(made)) await readToEnd(made, keep);
    else queue.last = made;
  }
}

/** @param {any} made @returns {boolean} whether it is an async iterable or a stream */
function isRead(made) {
  return (
    typeof made === 'object' &&
    made !== null &&
    (typeof made[asyncIterator] === 'function' || typeof made.getReader === 'function')
  );
}

/**
 * Reads streams in the way that asks least of them: a stream of Node gives its chunks in events, without a promise for each.
 *
 * @param {any} source
 * @param {(chunk: unknown) => void} take
 */
async function readToEnd(source, take) {
  if (typeof source.getReader === 'function') {
    const reader = source.getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) take(step.value);
  } else if (typeof source.pipe === 'function') {
    await new Task((resolve, reject) => {
      source.on('end', resolve);
      source.on('error', reject);
      source.on('close', () => reject(new Error('a stream was closed before its end')));
      source.on('data', take);
    });
  } else {
    for await (const chunk of source) take(chunk);
  }
}

/** @type {(operation: AwaitedOperation, state: unknown, documents: number) => Promise<unknown[]>} */
async function collectOutputs(operation, state, documents) {
  const outputs = [];
  for (let index = 0; index < documents; index++) {
    const made = await operation.call(state, index);
    /** @type {any[]} */
    const chunks = [];
    if (isRead(made)) await readToEnd(made, (chunk) => void chunks.push(chunk));
    outputs.push(isRead(made) ? joinChunks(chunks) : made);
  }
  return outputs;
}

/**
 * Where a stream is cut into chunks is no property of its output.
 * @type {(chunks: any[]) => unknown}
 */
function joinChunks(chunks) {
  if (chunks.length === 0) return chunks;
  if (chunks.every((chunk) => chunk instanceof Bytes)) return new Bytes(Buffer.concat(chunks));
  return chunks.every((chunk) => typeof chunk === 'string') ? chunks.join('') : chunks;
}

/**
 * Times an operation of `awaitCalls` as `measureOperation` does others. Each batch ends with a turn of the event loop, so
 * that it contains what its calls have put off.
 *
 * @param {AwaitedLoop} operation
 * @param {unknown} state prepared by the operation
 * @param {MeasureSettings} settings
 * @param {object} conditions
 * @param {number} conditions.documents in the corpus, and so in one pass
 * @param {number} conditions.concurrency
 * @param {ReturnType<typeof watchUsage>} conditions.usage opened before the variant was loaded
 * @returns {Promise<Measurement>}
 */
export async function measureAwaited(operation, state, settings, conditions) {
  const { documents, concurrency, usage } = conditions;
  const { batchCount } = settings;
  const timeReferenceLoop = makeReferenceLoop();
  const warmUp = new WarmUp(settings, { documents, chunkMs: CHUNK_MS });
  while (!warmUp.isDone) {
    const startMs = nowMs();
    await runBatch(operation, state, warmUp.nextPasses);
    warmUp.addChunk(nowMs() - startMs);
  }
  const minPasses = concurrency === 1 ? 1 : ceil((MIN_ROUNDS * concurrency) / documents);
  const passes = max(warmUp.passesIn(settings.batchMs), minPasses);

  const startMs = new Numbers(batchCount);
  const endMs = new Numbers(batchCount);
  const idleMs = new Numbers(batchCount);
  const referenceLoopNs = new Numbers(batchCount + 1);
  const sampledBatch = pickIndex(batchCount);
  const tellsIdle = readIdleMs() !== null;
  usage.begin();
  for (let batch = 0; batch < batchCount; batch++) {
    referenceLoopNs[batch] = timeReferenceLoop();
    const idleBeforeMs = readIdleMs() ?? 0;
    startMs[batch] = nowMs();
    await runBatch(operation, state, passes);
    endMs[batch] = nowMs();
    idleMs[batch] = (readIdleMs() ?? 0) - idleBeforeMs;
    if (batch === sampledBatch) await operation.keepSample?.(state);
  }
  referenceLoopNs[batchCount] = timeReferenceLoop();

  const documentsPerBatch = passes * documents;
  const batches = { startMs, endMs, referenceLoopNs, documentsPerBatch };
  const measured = describeBatches(batches, warmUp, await usage.end());
  const batchMs = endMs[sampledBatch] - startMs[sampledBatch];
  const callMs = (concurrency * batchMs) / documentsPerBatch;
  const calls = await timeCalls(operation, state, { documents, concurrency, callMs });
  const batchIdleMs = [];
  for (let batch = 0; batch < batchCount; batch++) batchIdleMs[batch] = round(idleMs[batch], 5);
  return {
    ...measured,
    ...(tellsIdle ? { batchIdleMs } : {}),
    ...(calls === null ? {} : { calls }),
  };
}

/**
 * Times single calls, from their beginning until they have settled or are read, with as many in flight as in the batches.
 *
 * @param {AwaitedLoop} operation
 * @param {unknown} state
 * @param {{ documents: number, concurrency: number, callMs: number }} loop `callMs`: usual time of a call
 * @returns {Promise<CallTimes | null>} null of calls that are too short for the clock
 */
async function timeCalls(operation, state, { documents, concurrency, callMs }) {
  if (callMs < MIN_STEPS * findStepMs()) return null;
  const timings = new Numbers(MAX_TIMINGS);
  let count = 0;
  let called = 0;
  const kept = { last: /** @type {unknown} */ (null) };
  const loopStartMs = nowMs();
  const isOver = (/** @type {number} */ ms) =>
    ms > MAX_LOOP_MS || (ms > LOOP_MS && called >= MIN_TAIL) || called === MAX_TIMINGS;
  async function timeLane() {
    for (let startMs = loopStartMs; !isOver(startMs - loopStartMs); startMs = nowMs()) {
      const made = await operation.call(state, called++ % documents);
      if (isRead(made)) await readToEnd(made, (chunk) => void (kept.last = chunk));
      else kept.last = made;
      timings[count++] = nowMs() - startMs;
    }
  }
  const lanes = [];
  for (let lane = 0; lane < concurrency; lane++) lanes[lane] = timeLane();
  await all(lanes);
  return { timings: count, documents: 1, ...takePercentiles(timings, count, 1) };
}

/** @type {(operation: Operation, state: unknown, passes: number) => Promise<void>} */
async function runBatch(operation, state, passes) {
  await operation.run(state, passes);
  await turnEventLoop();
}
