import { describe, expect, test } from '@jest/globals';
import {
  UNDISTURBED_NS,
  PACE,
  measurementOf,
  paced,
} from '../testing/simulation/paced-measurements.js';
import {
  undisturbedSpeed,
  listFigures,
  shareDisturbed,
  shareDisturbedReadings,
  takeFigure,
  takeJitter,
} from './interference.js';
import { drawNormal } from '../testing/simulation/noise.js';
import { seedGenerator } from './random.js';
import { robustDeviation } from './robust.js';

/** @import { Observation } from '../formats/types.ts' */
/** @import { UndisturbedSpeed } from './interference.js' */

/** @param {number[]} looks */
const questionOf = (looks) => ({ looks, baseline: 'recursive', candidate: 'generator' });

describe('the undisturbed speed', () => {
  /**
   * @param {number} block
   * @param {number} factor
   * @returns {Observation}
   */
  const observe = (block, factor) => ({
    formatVersion: 7,
    jobId: `cell/${block}`,
    cellId: 'cell',
    arm: 'baseline',
    block,
    position: 0,
    attempt: 1,
    startedAtMs: 0,
    workerMs: 1,
    outcome: 'done',
    outputDigest: '',
    measurement: paced(Array(24).fill(factor)),
  });

  test('is a low quantile of the jobs of the first look, whatever follows', () => {
    const early = [1, 1.4, 1.01, 1.02, 1.4, 1.4].map((factor, block) => observe(block, factor));
    const late = Array.from({ length: 6 }, (_, block) => observe(6 + block, 0.8));
    expect(undisturbedSpeed(early, [12, 24])?.readingNs).toBeCloseTo(UNDISTURBED_NS * 1.01, 6);
    expect(undisturbedSpeed([...early, ...late], [12, 24])).toEqual(
      undisturbedSpeed(early, [12, 24]),
    );
    expect(listFigures(early, questionOf([12, 24])).map(({ ns }) => Math.round(ns))).toEqual(
      Array(3).fill(1010),
    );
  });

  test('is separate for arms that run under different versions of Node', () => {
    const sides = [1, 1.2].flatMap((factor, side) =>
      Array.from({ length: 6 }, (_, block) => ({
        ...observe(block, factor),
        arm: side === 0 ? /** @type {const} */ ('baseline') : /** @type {const} */ ('candidate'),
      })),
    );
    const pins = { baseline: 'recursive@node=20', candidate: 'recursive@node=24' };
    const pinned = listFigures(sides, { ...questionOf([12]), ...pins });
    expect(pinned.map(({ ns }) => Math.round(ns))).toEqual([
      ...Array(6).fill(1000),
      ...Array(6).fill(1200),
    ]);
    expect(listFigures(sides, questionOf([12]))).toHaveLength(6);
  });

  test('keeps half of the processes where hardly any was undisturbed', () => {
    const factors = [1, 1, 1.38, 1.4, 1.41, 1.42];
    const shared = factors.map((factor, block) => observe(block, factor));
    const figures = listFigures(shared, questionOf([12]));
    expect(figures).toHaveLength(3);
    expect(figures.map(({ ns }) => Math.round(ns))).toEqual([1000, 1000, 1000]);
  });

  test('is unknown where workers have no reference loop', () => {
    const bare = /** @type {Observation} */ ({ ...observe(0, 1), measurement: measurementOf({}) });
    expect(undisturbedSpeed([bare], [12])).toBeNull();
    expect(shareDisturbed([bare], questionOf([12]))).toBeNull();
  });

  test('gives the share of batches that started or ended slower', () => {
    const calm = [0, 1, 2].map((block) => observe(block, 1));
    const half = Array.from({ length: 24 }, (_, batch) => (batch < 12 ? 1 : 1.4));
    const shared = { ...observe(3, 1), measurement: paced(half) };
    expect(shareDisturbed(calm, questionOf([12]))).toBe(0);
    // The batch between a fast reading and a slow one is disturbed, too.
    expect(shareDisturbed([...calm, shared], questionOf([12]))).toBeCloseTo(13 / 96, 10);
  });

  test('is a low quantile of consecutive readings, too', () => {
    expect(shareDisturbedReadings([60, 61, 59, 60, 60])).toBe(0);
    expect(shareDisturbedReadings([60, 90, 60, 85, 100])).toBe(0.6);
  });
});

describe('the figure of a process', () => {
  test('is the median of its batches without a reference loop', () => {
    const batchNsPerDocument = [5, 1, 9];
    expect(takeFigure(measurementOf({ batchNsPerDocument }), null)).toBe(5);
    expect(takeFigure(measurementOf({ batchNsPerDocument }), PACE)).toBe(5);
    expect(takeFigure(paced(Array(24).fill(1.4)), null)).toBe(1400);
  });

  test('is that of undisturbed batches, where a neighbour slowed some down', () => {
    const factors = Array.from({ length: 24 }, (_, batch) => (batch < 15 ? 1.45 : 1));
    expect(takeFigure(paced(factors), PACE)).toBeCloseTo(1000, 6);
  });

  test('is scaled to the undisturbed speed, where the frequency differed', () => {
    expect(takeFigure(paced(Array(24).fill(1.06)), PACE)).toBeCloseTo(1000, 6);
    expect(takeFigure(paced(Array(24).fill(0.97)), PACE)).toBeCloseTo(1000, 6);
  });

  test('is missing where less than a quarter of the batches were undisturbed', () => {
    const calmFor = (/** @type {number} */ count) =>
      takeFigure(paced(Array.from({ length: 24 }, (_, batch) => (batch < count ? 1 : 1.45))), PACE);
    expect(calmFor(5)).toBeNull();
    expect(calmFor(8)).toBeCloseTo(1000, 6);
  });

  test('is never negative, even if a collection takes longer than its batch', () => {
    const batchGcMs = Array(24).fill(9);
    expect(takeFigure(paced(Array(24).fill(1), { batchGcMs }), PACE)).toBeCloseTo(1800, 6);
  });

  test('is missing where batches took no time', () => {
    expect(takeFigure(measurementOf({ batchNsPerDocument: [0, 0, 0] }), null)).toBeNull();
    const batchNsPerDocument = Array(24).fill(0);
    expect(takeFigure(paced(Array(24).fill(1), { batchNsPerDocument }), PACE)).toBeNull();
  });

  test('includes the mean of collections, although most batches have none', () => {
    const batchGcMs = Array.from({ length: 24 }, (_, batch) => (batch % 8 === 0 ? 1 : 0));
    const batchNsPerDocument = batchGcMs.map((ms) => 1000 + (ms * 1e6) / 5000);
    const collecting = paced(Array(24).fill(1), { batchNsPerDocument, batchGcMs });
    expect(takeFigure(collecting, PACE)).toBeCloseTo(1000 + 200 / 8, 6);
  });

  test('grows with the cost of the code, whatever the speed', () => {
    const factors = Array.from({ length: 24 }, (_, batch) => 1 + 0.02 * Math.sin(batch));
    const wide = { readingNs: UNDISTURBED_NS, limitNs: UNDISTURBED_NS * 1.1 };
    const plain = paced(factors);
    const slower = paced(factors, {
      batchNsPerDocument: factors.map((factor) => 1100 * factor),
    });
    expect(Number(takeFigure(slower, wide)) / Number(takeFigure(plain, wide))).toBeCloseTo(1.1, 6);
  });

  test('varies far less than the median on a shared processor', () => {
    const random = seedGenerator(7);
    const processes = Array.from({ length: 200 }, () => {
      let isShared = drawNormal(random) > 0.5;
      const factors = Array.from({ length: 25 }, () => {
        if (drawNormal(random) > 1.6) isShared = !isShared;
        return (isShared ? 1.45 : 1) * Math.exp(0.005 * drawNormal(random));
      });
      return measurementOf({
        batchNsPerDocument: factors
          .slice(1)
          .map(
            (factor, batch) =>
              500 * (factor + factors[batch]) * Math.exp(0.005 * drawNormal(random)),
          ),
        referenceLoopNs: factors.map((factor) => UNDISTURBED_NS * factor),
      });
    });
    /** @param {UndisturbedSpeed | null} pace */
    const spreadOf = (pace) => {
      const figures = processes.flatMap((process) => takeFigure(process, pace) ?? []);
      expect(figures.length).toBeGreaterThan(100);
      return robustDeviation(Float64Array.from(figures, Math.log).sort());
    };
    expect(spreadOf(PACE)).toBeLessThan(spreadOf(null) / 5);
  });
});

describe('the jitter of undisturbed batches', () => {
  test('is zero where all take the same time, whatever a neighbour does to the others', () => {
    const factors = Array.from({ length: 24 }, (_, batch) => (batch < 10 ? 1.45 : 1));
    expect(takeJitter(paced(factors), PACE)).toBeCloseTo(0, 10);
  });

  test('is positive for a variant that is slow in every fourth batch', () => {
    const batchNsPerDocument = Array.from({ length: 24 }, (_, batch) =>
      batch % 4 === 0 ? 1400 : 1000,
    );
    const uneven = paced(Array(24).fill(1), { batchNsPerDocument });
    expect(takeFigure(uneven, PACE)).toBeCloseTo(1000, 6);
    expect(takeJitter(uneven, PACE)).toBeCloseTo(Math.log(1.1), 10);
  });

  test('is unknown where batches are not selected, or hardly any was undisturbed', () => {
    expect(takeJitter(measurementOf({}), PACE)).toBeNull();
    expect(takeJitter(paced(Array(24).fill(1)), null)).toBeNull();
    expect(takeJitter(paced(Array(24).fill(1.45)), PACE)).toBeNull();
  });
});
