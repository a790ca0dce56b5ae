/** @import { Capability, Job, MemoryJob, MemoryJobKind } from './types.ts' */

/** Kinds of memory jobs, in the order in which they run. */
export const MEMORY_KINDS = Object.freeze(
  /** @type {MemoryJobKind[]} */ ([
    'allocation',
    'collections',
    'retained-snapshot',
    'retained-slope',
  ]),
);

/** What they need of the runtime. @type {Readonly<Record<MemoryJobKind, readonly Capability[]>>} */
export const MEMORY_NEEDS = Object.freeze({
  allocation: ['heap-size', 'v8-flags', 'collections'],
  collections: ['heap-size', 'collections'],
  'retained-snapshot': ['heap-snapshot'],
  'retained-slope': ['heap-size'],
});

/**
 * @param {Job} job
 * @returns {job is MemoryJob}
 */
export function isMemoryJob(job) {
  return MEMORY_KINDS.includes(/** @type {MemoryJobKind} */ (job.kind));
}
