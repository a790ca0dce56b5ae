import { isMainThread, parentPort } from 'node:worker_threads';
import { tryDamaged } from './fuzz-format.js';
import { listFormats } from './list-formats.js';

/**
 * The other side of `scripts/fuzz-formats.js`: tries what it is asked to and answers with what became
 * of it. A thread of its own can be ended when a reader hangs, and its memory is limited.
 */
if (!isMainThread) {
  const formats = await listFormats();
  parentPort?.on('message', async ({ index, seed }) => {
    parentPort?.postMessage(await tryDamaged(formats[index], seed));
  });
  parentPort?.postMessage('ready');
}
