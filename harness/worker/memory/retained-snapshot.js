import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import v8 from 'node:v8';
import { makeTemporaryDirectory } from '../../lib/files.js';
import { sumHeld } from './heap-snapshot/held.js';
import { readSnapshot } from './heap-snapshot/read-snapshot.js';
import { holdDocuments } from './hold-documents.js';

/** @import { CorpusMemoryJob, SnapshotResult } from '../../formats/types.ts' */
/** @import { HeapGraph } from './heap-snapshot/read-snapshot.js' */

/**
 * Exact retained size of documents, from a heap snapshot.
 *
 * @param {object} module of the variant
 * @param {CorpusMemoryJob} job
 * @returns {Promise<SnapshotResult>}
 */
export async function recordRetainedSnapshot(module, job) {
  await holdDocuments(module, job);
  // After a turn, no stack frame refers to the last document.
  await nextTurn();
  const graph = await takeSnapshot();
  return { kind: 'retained-snapshot', ...sumHeld(graph, job.documentCount) };
}

/**
 * Uses a file, since the stream of `v8.getHeapSnapshot` never ends on Node 22.11.
 * @type {() => Promise<HeapGraph>}
 */
async function takeSnapshot() {
  const folder = makeTemporaryDirectory('snapshot');
  try {
    return await readSnapshot(createReadStream(v8.writeHeapSnapshot(join(folder, 'heap'))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
