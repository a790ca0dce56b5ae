import { describe, expect, test } from '@jest/globals';

import { takeMedian } from '../robust.js';
import { drawNormal } from '../../testing/simulation/noise.js';
import { seedGenerator } from '../random.js';
import { chooseBatchCount, splitBudget } from './batch-count.js';

/** @import { Measurement } from '../../formats/types.ts' */
/** @import { LongProcess } from './batch-count.js' */

const START_MS = 120;
const BATCH_MS = 10;
const question = {
  mode: /** @type {const} */ ('default'),
  cellId: 'serialize flat',
  budgetSeconds: 20,
  /** @param {Measurement} measurement */
  takeFigure: ({ batchNsPerDocument }) => takeMedian(batchNsPerDocument),
};

/**
 * @param {number} count
 * @param {{ process: number, batch: number, batches?: number }} deviations log scale
 * @returns {LongProcess[]}
 */
function simulateProcesses(count, { process, batch, batches = 24 }) {
  const random = seedGenerator(12);
  return Array.from({ length: count }, () => {
    const own = process * drawNormal(random);
    const factors = Array.from({ length: batches }, () =>
      Math.exp(own + batch * drawNormal(random)),
    );
    return {
      measurement: makeMeasurement(factors.map((factor) => 10_000 * factor)),
      workerMs: START_MS + factors.reduce((sum, factor) => sum + BATCH_MS * factor, 0),
    };
  });
}

/**
 * @param {number[]} batchNsPerDocument
 * @returns {Measurement}
 */
function makeMeasurement(batchNsPerDocument) {
  return {
    batchNsPerDocument,
    documentsPerBatch: 1000,
    warmUp: { ms: 80, calls: 5000, settled: true },
    cpuUserMs: 200,
    cpuSystemMs: 1,
    wallMs: 240,
    gcCount: 0,
    gcMs: 0,
    voluntaryContextSwitches: 0,
    involuntaryContextSwitches: 0,
    autogroupRaised: false,
  };
}

describe('the number of batches', () => {
  test('is small where only processes differ', () => {
    const split = splitBudget(simulateProcesses(100, { process: 0.03, batch: 0.002 }), question);
    expect(split?.batchCount).toBe(3);
    expect(split?.options.map(({ batchCount }) => batchCount)).toEqual([3, 6, 9, 12, 16, 20, 24]);
    expect(split?.processes).toBe(100);
  });

  test('is large where batches differ more than processes', () => {
    const split = splitBudget(simulateProcesses(100, { process: 0.002, batch: 0.03 }), question);
    expect(split?.batchCount).toBeGreaterThanOrEqual(12);
  });

  test('allows for the time of the batches that are left out', () => {
    const split = splitBudget(simulateProcesses(50, { process: 0, batch: 0.001 }), question);
    const times = split?.options.map(({ processMs }) => Math.round(processMs));
    expect(times).toEqual([150, 180, 210, 240, 280, 320, 360]);
  });

  test('gives the effect that spread, time and number of processes allow', () => {
    const split = splitBudget(simulateProcesses(400, { process: 0.03, batch: 0.001 }), question);
    const [three] = split?.options ?? [];
    // 20 s / 150 ms / 3 processes an arm; (1.98 + 0.85) · 0.03 · √(1.5 / 44.4)
    expect(three.spread).toBeCloseTo(0.03, 2);
    expect(three.detectable / three.spread).toBeCloseTo(0.525, 1);
  });
});

test('differences between comparisons do not count', () => {
  const processes = simulateProcesses(200, { process: 0.01, batch: 0.001 });
  const drifted = processes.map(({ measurement, workerMs }, index) => {
    const factor = index < 100 ? 1 : 1.2;
    const batchNsPerDocument = measurement.batchNsPerDocument.map((ns) => factor * ns);
    return { index, workerMs, measurement: { ...measurement, batchNsPerDocument } };
  });
  const [whole] = splitBudget(drifted, question)?.options ?? [];
  expect(whole.spread).toBeGreaterThan(0.05);
  const groupOf = (/** @type {{ index: number }} */ { index }) => index < 100;
  const [grouped] = splitBudget(drifted, { ...question, groupOf })?.options ?? [];
  expect(grouped.spread).toBeCloseTo(0.01, 2);
});

describe('a shortened process', () => {
  test('keeps the readings and collections of the remaining batches', () => {
    const processes = simulateProcesses(3, { process: 0.01, batch: 0.001, batches: 6 });
    /** @type {number[][]} */
    const seen = [];
    splitBudget(
      processes.map(({ measurement, workerMs }) => ({
        workerMs,
        measurement: {
          ...measurement,
          referenceLoopNs: Array.from({ length: 7 }, (_, index) => 60_000 + index),
          batchGcMs: [1, 2, 3, 4, 5, 6],
        },
      })),
      {
        ...question,
        takeFigure: (measurement) => {
          const { batchNsPerDocument, referenceLoopNs, batchGcMs } = measurement;
          const lengths = [batchNsPerDocument, referenceLoopNs ?? [], batchGcMs ?? []];
          seen.push(lengths.map(({ length }) => length));
          return question.takeFigure(measurement);
        },
      },
    );
    expect(new Set(seen.map(String))).toEqual(new Set(['3,4,3', '6,7,6']));
  });

  test('is missing where processes are few, short, all in groups of one, or too long for the budget', () => {
    const deviations = { process: 0.03, batch: 0.001 };
    expect(splitBudget(simulateProcesses(1, deviations), question)).toBeNull();
    const short = simulateProcesses(5, { ...deviations, batches: 2 });
    expect(splitBudget(short, question)).toBeNull();
    const apart = { ...question, groupOf: (/** @type {object} */ process) => process };
    expect(splitBudget(simulateProcesses(5, deviations), apart)).toBeNull();
    const hurried = { ...question, budgetSeconds: 0.5 };
    expect(splitBudget(simulateProcesses(5, deviations), hurried)).toBeNull();
  });
});

test('fewer batches are preferred to a gain of less than 3 %', () => {
  const options = [
    { batchCount: 3, detectable: 0.0204 },
    { batchCount: 6, detectable: 0.02 },
    { batchCount: 9, detectable: 0.0199 },
  ];
  expect(chooseBatchCount(options)).toBe(3);
  expect(chooseBatchCount([{ batchCount: 3, detectable: 0.021 }, ...options.slice(1)])).toBe(6);
});
