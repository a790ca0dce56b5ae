import { describePauses, timeCalls } from './measure-calls.js';

/** @import { Operation } from '../formats/types.ts' */

/** @param {(passes: number) => void} run @returns {Operation} */
function operationOf(run) {
  return {
    summary: '',
    prepare: () => null,
    run: (_state, passes) => run(passes),
    output: () => [],
    explainDifference: async () => ({ path: '', expected: '', found: '' }),
  };
}

/** @param {number} ms */
function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('timeCalls', () => {
  test('every pass that is long enough for the clock is timed on its own', () => {
    /** @type {number[]} */
    const passes = [];
    const operation = operationOf((count) => {
      passes.push(count);
      spin(0.05);
    });
    const calls = timeCalls(operation, null, { documents: 5, passMs: 0.05 });
    expect(new Set(passes)).toEqual(new Set([1]));
    expect(calls).toMatchObject({ timings: passes.length, documents: 5 });
    expect(calls.p50Ns).toBeGreaterThanOrEqual(10_000);
    expect(calls.p50Ns).toBeLessThanOrEqual(calls.maxNs);
  });

  test('shorter ones are timed in groups', () => {
    /** @type {number[]} */
    const passes = [];
    const calls = timeCalls(
      operationOf((count) => void passes.push(count)),
      ...[null, { documents: 3, passMs: 1e-9 }],
    );
    expect(passes[0]).toBeGreaterThan(1);
    expect(calls.documents).toBe(3 * passes[0]);
  });

  test('a call that is longer than the loop is timed once, and has no 99th percentile', () => {
    const calls = timeCalls(
      operationOf(() => spin(21)),
      ...[null, { documents: 1, passMs: 21 }],
    );
    expect(calls).toMatchObject({ timings: 1, p50Ns: calls.maxNs });
    expect(calls).not.toHaveProperty('p99Ns');
  });
});

describe('describePauses', () => {
  const pausesOf = (/** @type {number[]} */ durations) =>
    describePauses(/** @type {any[]} */ (durations.map((duration) => ({ duration }))));

  test('percentiles are the smallest figures that so many do not exceed', () => {
    const durations = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect(pausesOf(durations)).toEqual({ pauses: 200, p50Ns: 100e6, p99Ns: 198e6, maxNs: 200e6 });
    expect(pausesOf([3, 1, 2])).toEqual({ pauses: 3, p50Ns: 2e6, maxNs: 3e6 });
  });

  test('without a collection there are none', () => {
    expect(pausesOf([])).toEqual({ pauses: 0 });
  });
});
