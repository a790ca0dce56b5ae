import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import v8 from 'node:v8';
import { makeTemporaryDirectory } from '../../lib/files.js';
import { openInspector } from '../open-inspector.js';
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
  const lastSlab = await holdDocuments(module, job);
  // After a turn, no stack frame refers to the last document.
  await nextTurn();
  await indexLines();
  const graph = await takeSnapshot();
  return { kind: 'retained-snapshot', ...sumHeld(graph, job.documentCount, lastSlab) };
}

/**
 * Makes V8 index the lines of all scripts, as a debugger needs them. A snapshot looks up the line of the constructor of
 * each object, for which V8 before 12.4 otherwise counts the lines of its script from the first one: two thirds of the
 * time of a snapshot under Node 20.
 * @type {() => Promise<void>}
 */
async function indexLines() {
  const { post, close } = openInspector();
  await post('Debugger.enable');
  await post('Debugger.disable');
  close();
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
