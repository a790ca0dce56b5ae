import { watchUsage } from './measure-usage.js';
import { WarmUp } from './measure-warm-up.js';

/** @import { MeasureSettings, Measurement, Operation } from './types.ts' */

/** Warm-up goes in chunks of this length, whose times show whether the code has settled. */
const CHUNK_MS = 8;

/**
 * Times an operation: warm-up until the code has settled, then a few batches with nothing in between.
 * Runs in a worker of its own.
 *
 * @param {Operation} operation
 * @param {unknown} state what the operation prepared
 * @param {number} documents in the corpus, so in one pass
 * @param {MeasureSettings} settings
 * @returns {Promise<Measurement>}
 */
export async function measureOperation(operation, state, documents, settings) {
  const usage = watchUsage();
  const warmUp = warmUpOperation(operation, state, documents, settings);
  const passes = warmUp.passesIn(settings.batchMs);

  /** @type {number[]} */
  const batchMs = new Array(settings.batchCount).fill(0);
  usage.begin();
  for (let batch = 0; batch < settings.batchCount; batch++) {
    const batchStartMs = performance.now();
    operation.run(state, passes);
    batchMs[batch] = performance.now() - batchStartMs;
  }
  const used = await usage.end();

  const documentsPerBatch = passes * documents;
  return {
    batchNsPerDocument: batchMs.map((ms) => (ms * 1e6) / documentsPerBatch),
    documentsPerBatch,
    warmUp: warmUp.describe(),
    ...used,
  };
}

/**
 * @param {Operation} operation
 * @param {unknown} state
 * @param {number} documents
 * @param {MeasureSettings} settings
 * @returns {WarmUp} that is done
 */
function warmUpOperation(operation, state, documents, settings) {
  const warmUp = new WarmUp(settings, { documents, chunkMs: CHUNK_MS });
  while (!warmUp.isDone) {
    const startMs = performance.now();
    operation.run(state, warmUp.nextPasses);
    warmUp.addChunk(performance.now() - startMs);
  }
  return warmUp;
}
