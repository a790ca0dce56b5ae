/** @import { Measurement } from '../../formats/types.ts' */
/** @import { UndisturbedSpeed } from '../../stats/interference.js' */

/** Reading of the reference loop on an undisturbed host. */
export const READING_NS = 60_000;
/** @type {UndisturbedSpeed} */
export const UNDISTURBED = {
  readingNs: READING_NS,
  coreReadingNs: READING_NS,
  limitNs: READING_NS * 1.08,
  fastestNs: READING_NS,
  isShared: true,
  usesMean: false,
};

/**
 * The measurement of a process with 24 batches of 1 µs per document, without a reference loop.
 *
 * @param {Partial<Measurement>} [figures] that differ
 * @returns {Measurement}
 */
export function makeMeasurement(figures = {}) {
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
 * A measurement in which batches and reference loop slow down by the same factors.
 *
 * @param {number | ((batch: number) => number)} factor of all batches, or of each
 * @param {Partial<Measurement>} [more]
 */
export function makeSlowed(factor, more = {}) {
  const factors = typeof factor === 'number' ? Array(24).fill(factor) : listBatches(factor);
  return makeMeasurement({
    batchNsPerDocument: factors.map((each) => 1000 * each),
    referenceLoopNs: [...factors, factors[23]].map((each) => READING_NS * each),
    ...more,
  });
}

/**
 * @param {(batch: number) => number} numberOf
 * @returns {number[]} one number for each of 24 batches
 */
export function listBatches(numberOf) {
  return Array.from({ length: 24 }, (_, batch) => numberOf(batch));
}
