import { describe, expect, test } from '@jest/globals';
import { CALM_NS, measurementOf, PACE, paced } from '../testing/support/paced-measurements.js';
import { takeFigure, takeUnevenness } from './process-figure.js';
import { drawNormal, seedGenerator } from './random.js';
import { robustDeviation } from './trimmed-mean.js';

/** @import { CalmPace } from './calm-pace.js' */

describe('the figure of a process', () => {
  test('is the median of its batches where there is no yardstick', () => {
    const batchNsPerDocument = [5, 1, 9];
    expect(takeFigure(measurementOf({ batchNsPerDocument }), null)).toBe(5);
    expect(takeFigure(measurementOf({ batchNsPerDocument }), PACE)).toBe(5);
    expect(takeFigure(paced(Array(24).fill(1.4)), null)).toBe(1400);
  });

  test('is that of calm batches, where a neighbour slowed some of them', () => {
    const factors = Array.from({ length: 24 }, (_, batch) => (batch < 15 ? 1.45 : 1));
    expect(takeFigure(paced(factors), PACE)).toBeCloseTo(1000, 6);
  });

  test('is brought to the undisturbed pace, where the frequency was another', () => {
    expect(takeFigure(paced(Array(24).fill(1.06)), PACE)).toBeCloseTo(1000, 6);
    expect(takeFigure(paced(Array(24).fill(0.97)), PACE)).toBeCloseTo(1000, 6);
  });

  test('is none where less than a quarter of the batches were calm', () => {
    const calmFor = (/** @type {number} */ count) =>
      takeFigure(paced(Array.from({ length: 24 }, (_, batch) => (batch < count ? 1 : 1.45))), PACE);
    expect(calmFor(5)).toBeNull();
    expect(calmFor(8)).toBeCloseTo(1000, 6);
  });

  test('is never negative, should a collection be said to take longer than its batch', () => {
    const batchGcMs = Array(24).fill(9);
    expect(takeFigure(paced(Array(24).fill(1), { batchGcMs }), PACE)).toBeCloseTo(1800, 6);
  });

  test('is none where batches took no time', () => {
    expect(takeFigure(measurementOf({ batchNsPerDocument: [0, 0, 0] }), null)).toBeNull();
    const batchNsPerDocument = Array(24).fill(0);
    expect(takeFigure(paced(Array(24).fill(1), { batchNsPerDocument }), PACE)).toBeNull();
  });

  test('holds the mean of collections, although most batches have none', () => {
    const batchGcMs = Array.from({ length: 24 }, (_, batch) => (batch % 8 === 0 ? 1 : 0));
    const batchNsPerDocument = batchGcMs.map((ms) => 1000 + (ms * 1e6) / 5000);
    const collecting = paced(Array(24).fill(1), { batchNsPerDocument, batchGcMs });
    expect(takeFigure(collecting, PACE)).toBeCloseTo(1000 + 200 / 8, 6);
  });

  test('grows with the cost of the code, whatever the pace', () => {
    const factors = Array.from({ length: 24 }, (_, batch) => 1 + 0.02 * Math.sin(batch));
    const wide = { paceNs: CALM_NS, limitNs: CALM_NS * 1.1 };
    const plain = paced(factors);
    const slower = paced(factors, {
      batchNsPerDocument: factors.map((factor) => 1100 * factor),
    });
    expect(Number(takeFigure(slower, wide)) / Number(takeFigure(plain, wide))).toBeCloseTo(1.1, 6);
  });

  test('spreads far less than the median on a processor that others share', () => {
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
        yardstickNs: factors.map((factor) => CALM_NS * factor),
      });
    });
    /** @param {CalmPace | null} pace */
    const spreadOf = (pace) => {
      const figures = processes.flatMap((process) => takeFigure(process, pace) ?? []);
      expect(figures.length).toBeGreaterThan(100);
      return robustDeviation(Float64Array.from(figures, Math.log).sort());
    };
    expect(spreadOf(PACE)).toBeLessThan(spreadOf(null) / 5);
  });
});

describe('the unevenness of calm batches', () => {
  test('is nothing where all take the same, whatever a neighbour does to the others', () => {
    const factors = Array.from({ length: 24 }, (_, batch) => (batch < 10 ? 1.45 : 1));
    expect(takeUnevenness(paced(factors), PACE)).toBeCloseTo(0, 10);
  });

  test('is what a variant loses that is slow in every fourth batch by its own doing', () => {
    const batchNsPerDocument = Array.from({ length: 24 }, (_, batch) =>
      batch % 4 === 0 ? 1400 : 1000,
    );
    const uneven = paced(Array(24).fill(1), { batchNsPerDocument });
    expect(takeFigure(uneven, PACE)).toBeCloseTo(1000, 6);
    expect(takeUnevenness(uneven, PACE)).toBeCloseTo(Math.log(1.1), 10);
  });

  test('is unknown where batches are not chosen, or hardly any was calm', () => {
    expect(takeUnevenness(measurementOf({}), PACE)).toBeNull();
    expect(takeUnevenness(paced(Array(24).fill(1)), null)).toBeNull();
    expect(takeUnevenness(paced(Array(24).fill(1.45)), PACE)).toBeNull();
  });
});
