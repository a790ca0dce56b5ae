import { setImmediate as nextTurn } from 'node:timers/promises';
import { holdDocuments } from './hold-documents.js';

/** @import { CorpusMemoryJob, HeldPoint, SlopeResult } from '../../formats/types.ts' */

/** The heap is measured after these shares of the documents. */
const SHARES = [0.25, 0.5, 0.75, 1];
/** Collects until the heap changes by less than this. */
const STABLE_BYTES = 4_096;
const MAX_COLLECTIONS = 8;

/**
 * Heap size after collection at several numbers of held documents; the slope is the size of one.
 *
 * @param {object} module of the variant
 * @param {CorpusMemoryJob} job
 * @returns {Promise<SlopeResult>}
 */
export async function recordRetainedSlope(module, job) {
  /** @type {HeldPoint[]} */
  const points = [];
  const stops = SHARES.map((share) => Math.round(share * job.documentCount));
  await holdDocuments(
    module,
    job,
    async function notePoint(documents) {
      points.push({ documents, ...(await collectAndLook()) });
    },
    stops,
  );
  return { kind: 'retained-slope', points };
}

/** @returns {Promise<Omit<HeldPoint, 'documents'>>} */
async function collectAndLook() {
  const collect = /** @type {() => void} */ (globalThis.gc);
  let last = Infinity;
  for (let pass = 0; pass < MAX_COLLECTIONS; pass++) {
    collect();
    // Array buffers are freed by another thread and accounted for when the event loop turns.
    await nextTurn();
    const { heapUsed, external } = process.memoryUsage();
    if (Math.abs(heapUsed + external - last) <= STABLE_BYTES) break;
    last = heapUsed + external;
  }
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
  return {
    heapUsedBytes: heapUsed,
    externalBytes: external,
    arrayBufferBytes: arrayBuffers,
    rssBytes: rss,
  };
}
