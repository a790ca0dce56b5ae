import { closeSync, openSync, writeSync } from 'node:fs';
import { nowMs, readResourceUsage } from './clock.js';
import { watchCollections } from './watch-collections.js';

/** @import { Measurement } from '../formats/types.ts' */
/** @import { Collection } from './watch-collections.js' */

/**
 * Resource usage of the timed process.
 *
 * @typedef {Omit<Measurement, 'batchNsPerDocument' | 'documentsPerBatch' | 'batchGcMs' | 'referenceLoopNs' | 'warmUp' | 'calls' | 'pauses'>} Usage
 */

/**
 * Measures the resource usage of this process from `begin` to `end`. Opened before the warm-up, so that
 * neither first calls nor the raised priority affect the timed part, and before a variant is loaded, which could replace
 * what observes collections.
 *
 * @param {{ raisesPriority?: boolean }} [how] jobs that share a core are switched more evenly without a raised priority
 * @returns {{ begin(): void, end(): Promise<{ used: Usage, collected: Collection[] | null }> }} call each
 *   once; `collected`: the garbage collections in between, null if they are unknown
 */
export function watchUsage({ raisesPriority = true } = {}) {
  const autogroupRaised = raisesPriority && raiseAutogroup();
  const collections = watchCollections();
  let before = readResourceUsage();
  let startMs = nowMs();
  return {
    begin() {
      before = readResourceUsage();
      startMs = nowMs();
    },
    async end() {
      const endMs = nowMs();
      const after = readResourceUsage();
      const collected = (await collections?.between(startMs, endMs)) ?? null;
      collections?.end();
      const used = {
        cpuUserMs: (after.userCPUTime - before.userCPUTime) / 1e3,
        cpuSystemMs: (after.systemCPUTime - before.systemCPUTime) / 1e3,
        wallMs: endMs - startMs,
        ...(collected === null
          ? {}
          : {
              gcCount: collected.length,
              gcMs: sumDurations(collected),
            }),
        voluntaryContextSwitches: after.voluntaryContextSwitches - before.voluntaryContextSwitches,
        involuntaryContextSwitches:
          after.involuntaryContextSwitches - before.involuntaryContextSwitches,
        autogroupRaised,
        // Reported in kibibytes. Reading the present size would open a file, which ends Node if output is closed.
        residentBytes: after.maxRSS * 1024,
      };
      return { used, collected };
    },
  };
}

/** @param {Collection[]} collected @returns {number} milliseconds; without methods of arrays, which a variant could replace */
function sumDurations(collected) {
  let sum = 0;
  for (let index = 0; index < collected.length; index++) sum += collected[index].duration;
  return sum;
}

/**
 * Raises the scheduling weight of the worker's session in Linux (root only; each worker has its own
 * session). Under load this stabilises wall time; without permission nothing changes.
 *
 * @returns {boolean} whether it was granted
 */
function raiseAutogroup() {
  try {
    const file = openSync('/proc/self/autogroup', 'w');
    try {
      writeSync(file, '-20');
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    return false;
  }
}
