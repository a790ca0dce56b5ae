import { takeMedian } from '../robust.js';
import { makeMeasurement } from '../../testing/simulation/measurements.js';
import { drawNormal } from '../../studies/simulation/noise.js';
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
      measurement: makeMeasurement({
        batchNsPerDocument: factors.map((factor) => 10_000 * factor),
        documentsPerBatch: 1000,
      }),
      workerMs: START_MS + factors.reduce((sum, factor) => sum + BATCH_MS * factor, 0),
    };
  });
}

describe('the number of batches', () => {
  test('is small where only processes differ, large where batches differ more', () => {
    const small = splitBudget(simulateProcesses(100, { process: 0.03, batch: 0.002 }), question);
    expect(small).toMatchObject({ batchCount: 3, processes: 100 });
    expect(small?.options.map(({ batchCount }) => batchCount)).toEqual([3, 6, 12, 24]);
    const large = splitBudget(simulateProcesses(100, { process: 0.002, batch: 0.03 }), question);
    expect(large?.batchCount).toBeGreaterThan(3);
  });

  test('allows for the time of the batches that are left out', () => {
    const split = splitBudget(simulateProcesses(50, { process: 0, batch: 0.001 }), question);
    const times = split?.options.map(({ processMs }) => Math.round(processMs));
    expect(times).toEqual([150, 180, 240, 360]);
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

  /** @type {[string, number, number, object][]} */
  const cases = [
    ['there is one process', 1, 24, {}],
    ['processes have too few batches', 5, 2, {}],
    ['each process is a group', 5, 24, { groupOf: (/** @type {object} */ process) => process }],
    ['processes are too long for the budget', 5, 24, { budgetSeconds: 0.5 }],
  ];
  test.each(cases)('is missing where %s', (_, count, batches, changes) => {
    const processes = simulateProcesses(count, { process: 0.03, batch: 0.001, batches });
    expect(splitBudget(processes, { ...question, ...changes })).toBeNull();
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
