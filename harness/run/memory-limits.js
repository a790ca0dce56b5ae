import { totalmem } from 'node:os';

/** @import { MemoryJobKind } from '../formats/types.ts' */

/** A million documents take most of a minute to read and to collect around; ten times that hangs. */
const MEMORY_TIMEOUT_MS = 600_000;

/** Half of it must hold every window of an allocation job. In MiB, as V8 takes it. */
const NEW_SPACE_MIB = 256;

/** Of the machine's memory, for the heap of a job that holds documents. */
const HEAP_SHARE = 0.75;

/**
 * Flags that node needs for a memory job besides the run's own, where the JavaScript worker does it,
 * and the time that the job may take in any worker.
 *
 * @param {MemoryJobKind} kind
 * @returns {{ flags: string[], timeoutMs: number }}
 */
export function limitMemoryJob(kind) {
  return { flags: listFlags(kind), timeoutMs: MEMORY_TIMEOUT_MS };
}

/** @param {MemoryJobKind} kind */
function listFlags(kind) {
  switch (kind) {
    case 'allocation':
      return [
        '--expose-gc',
        `--min-semi-space-size=${NEW_SPACE_MIB}`,
        `--max-semi-space-size=${NEW_SPACE_MIB}`,
      ];
    case 'collections':
      return [];
    default: {
      const heapMib = Math.floor((totalmem() * HEAP_SHARE) / 2 ** 20);
      return ['--expose-gc', `--max-old-space-size=${heapMib}`];
    }
  }
}
