import { UsageError } from '../lib/errors.js';
import { toPrecision } from './bound.js';
import { clockStepMs, nowMs } from './clock.js';
import { describePauses, timeCalls } from './measure-calls.js';
import { watchUsage } from './measure-usage.js';
import { WarmUp } from './measure-warm-up.js';
import { pickIndex } from './random.js';
import { makeReferenceLoop } from './reference-loop.js';

/** @import { MeasureSettings, Measurement, Operation } from '../formats/types.ts' */
/** @import { Collection } from './watch-collections.js' */

// Taken before a variant is loaded, which could replace them.
const { max } = Math;
const Numbers = Float64Array;
const toNumber = Number;

/** Length of a warm-up chunk; their times show whether the code has settled. */
const CHUNK_MS = 8;
/** Least length of a batch in steps of the clock, which may be coarse: each end of a batch may be wrong by one. */
const MIN_STEPS = 1_000;

/**
 * Times an operation: warm-up until the code has settled, then batches with only a reading of the
 * reference loop in between. Keeps the result of a random batch for the operation to check. Runs in a
 * worker process.
 *
 * @param {Operation} operation
 * @param {unknown} state prepared by the operation
 * @param {number} documents in the corpus, and so in one pass
 * @param {MeasureSettings} settings
 * @param {ReturnType<typeof watchUsage>} [usage] opened before the variant was loaded
 * @returns {Promise<Measurement>}
 */
export async function measureOperation(
  operation,
  state,
  documents,
  settings,
  usage = watchUsage(),
) {
  const timeReferenceLoop = makeReferenceLoop();
  const warmUp = warmUpOperation(operation, state, documents, settings);
  const passes = warmUp.passesIn(max(settings.batchMs, MIN_STEPS * clockStepMs));

  const startMs = new Numbers(settings.batchCount);
  const endMs = new Numbers(settings.batchCount);
  const referenceLoopNs = new Numbers(settings.batchCount + 1);
  const sampledBatch = pickIndex(settings.batchCount);
  usage.begin();
  for (let batch = 0; batch < settings.batchCount; batch++) {
    referenceLoopNs[batch] = timeReferenceLoop();
    startMs[batch] = nowMs();
    operation.run(state, passes);
    endMs[batch] = nowMs();
    if (batch === sampledBatch) operation.keepSample?.(state);
  }
  referenceLoopNs[settings.batchCount] = timeReferenceLoop();
  const batches = { startMs, endMs, referenceLoopNs, documentsPerBatch: passes * documents };
  const measured = describeBatches(batches, warmUp, await usage.end());
  const passMs = (endMs[sampledBatch] - startMs[sampledBatch]) / passes;
  return { ...measured, calls: timeCalls(operation, state, { documents, passMs }) };
}

/**
 * @param {object} batches
 * @param {Float64Array} batches.startMs of each
 * @param {Float64Array} batches.endMs
 * @param {Float64Array} batches.referenceLoopNs before each, and after the last
 * @param {number} batches.documentsPerBatch
 * @param {WarmUp} warmUp
 * @param {Awaited<ReturnType<ReturnType<typeof watchUsage>['end']>>} usage
 * @returns {Measurement}
 */
export function describeBatches(batches, warmUp, { collected, used }) {
  const { startMs, endMs, referenceLoopNs, documentsPerBatch } = batches;
  return {
    batchNsPerDocument: listFigures(startMs.length, (batch) =>
      round(((endMs[batch] - startMs[batch]) * 1e6) / documentsPerBatch, 6),
    ),
    documentsPerBatch,
    ...(collected === null
      ? {}
      : {
          batchGcMs: listFigures(startMs.length, (batch) =>
            round(sumDurations(collected, startMs[batch], endMs[batch]), 3),
          ),
          pauses: describePauses(collected),
        }),
    referenceLoopNs: listFigures(referenceLoopNs.length, (reading) =>
      round(referenceLoopNs[reading], 5),
    ),
    ...reportClock(),
    warmUp: warmUp.describe(),
    ...used,
  };
}

/** @type {(count: number, figureOf: (index: number) => number) => number[]} without methods of arrays, which a variant could replace */
function listFigures(count, figureOf) {
  const figures = [];
  for (let index = 0; index < count; index++) figures[index] = figureOf(index);
  return figures;
}

/** @returns {Pick<Measurement, 'clockStepNs'>} */
export function reportClock() {
  return clockStepMs === 0 ? {} : { clockStepNs: clockStepMs * 1e6 };
}

/**
 * @param {Collection[]} collected
 * @param {number} fromMs
 * @param {number} toMs
 * @returns {number} milliseconds of those that started in between
 */
export function sumDurations(collected, fromMs, toMs) {
  let sum = 0;
  for (let index = 0; index < collected.length; index++) {
    const { startTime, duration } = collected[index];
    if (startTime >= fromMs && startTime < toMs) sum += duration;
  }
  return sum;
}

/**
 * Drops insignificant digits, to keep journals small.
 *
 * @param {number} value
 * @param {number} digits
 */
export function round(value, digits) {
  return toNumber(toPrecision(value, digits));
}

/**
 * @param {Operation} operation
 * @param {unknown} state
 * @param {number} documents
 * @param {MeasureSettings} settings
 * @returns {WarmUp} completed
 */
function warmUpOperation(operation, state, documents, settings) {
  const warmUp = new WarmUp(settings, { documents, chunkMs: CHUNK_MS });
  while (!warmUp.isDone) {
    const startMs = nowMs();
    requireDone(operation.run(state, warmUp.nextPasses), 'run of the operation');
    warmUp.addChunk(nowMs() - startMs);
  }
  return warmUp;
}

/**
 * Refuses a promise: the time of an asynchronous function is that of making promises.
 *
 * @param {any} result
 * @param {string} what returned it
 */
export function requireDone(result, what) {
  if (typeof result?.then !== 'function') return;
  // Nobody waits for it.
  result.then(undefined, () => {});
  throw new UsageError(`${what} returns a promise, so its work cannot be timed`, {
    remedy: 'write an asynchronous operation, with isAsync: true and a method call instead of run',
  });
}

/** @type {(operation: Pick<Operation, 'measure' | 'isAsync'>) => boolean} whether its methods may return promises */
export function mayReturnPromise({ measure, isAsync = false }) {
  return measure !== undefined || isAsync;
}
