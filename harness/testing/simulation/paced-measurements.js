/** @import { Measurement } from '../../formats/types.ts' */
/** @import { UndisturbedSpeed } from '../../stats/interference.js' */

/** Reference reading on an undisturbed host. */
export const UNDISTURBED_NS = 60_000;
/** @type {UndisturbedSpeed} */
export const PACE = { readingNs: UNDISTURBED_NS, limitNs: UNDISTURBED_NS * 1.08 };

/**
 * Makes the measurement of a process with 24 batches of 1 µs per document.
 *
 * @param {Partial<Measurement>} figures
 * @returns {Measurement}
 */
export function measurementOf(figures) {
  return {
    batchNsPerDocument: Array(24).fill(1000),
    documentsPerBatch: 5000,
    warmUp: { ms: 80, calls: 5000, settled: true },
    cpuUserMs: 120,
    cpuSystemMs: 0,
    wallMs: 120,
    gcCount: 0,
    gcMs: 0,
    voluntaryContextSwitches: 0,
    involuntaryContextSwitches: 0,
    autogroupRaised: false,
    ...figures,
  };
}

/**
 * Makes a measurement in which the pace of batches and reference changes by the same factors.
 *
 * @param {number[]} factors one per batch
 * @param {Partial<Measurement>} [more]
 */
export function paced(factors, more = {}) {
  return measurementOf({
    batchNsPerDocument: factors.map((factor) => 1000 * factor),
    referenceLoopNs: [...factors, factors.at(-1) ?? 1].map((factor) => UNDISTURBED_NS * factor),
    ...more,
  });
}
