import { listEquipment } from '../equipment.js';
import { recordAllocation } from './allocation.js';
import { recordCollections } from './collections.js';
import { recordRetainedSlope } from './retained-slope.js';
import { recordRetainedSnapshot } from './retained-snapshot.js';

/** @import { CellMemoryJob, MemoryJob, MemoryResult, Operation } from '../../formats/types.ts' */

/**
 * Runs a memory job in a worker with the flags for it (`harness/run/jobs.js`).
 *
 * @param {MemoryJob} job
 * @param {object} loaders
 * @param {(job: MemoryJob) => Promise<object>} loaders.loadVariant
 * @param {(job: CellMemoryJob) => Promise<Operation>} loaders.loadOperation
 * @returns {Promise<{ result: MemoryResult }>}
 */
export async function recordMemory(job, { loadVariant, loadOperation }) {
  const module = await loadVariant(job);
  switch (job.kind) {
    case 'retained-slope':
      return { result: await recordRetainedSlope(module, job) };
    case 'retained-snapshot':
      return { result: await recordRetainedSnapshot(module, job) };
    default: {
      const operation = await loadOperation(job);
      const state = await operation.prepare(module, job.corpus, listEquipment(job));
      const documents = job.corpus.documentCount;
      const record = job.kind === 'allocation' ? recordAllocation : recordCollections;
      return { result: await record(operation, state, documents) };
    }
  }
}
