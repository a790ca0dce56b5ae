import { digestFrames } from './frames.js';
import { measureCold } from './measure-cold.js';

/** @import { ColdFigure, Operation } from '../formats/types.ts' */

const LOAD_MS = 4;
const FIRST_CALL_MS = 3;
const LATER_CALL_MS = 1;

// Bound, because one test replaces it.
const nowMs = performance.now.bind(performance);

/** @param {number} ms */
function work(ms) {
  const end = nowMs() + ms;
  while (nowMs() < end);
}

/**
 * @param {ColdFigure} cold
 * @param {() => void} [misbehave] what the variant does as it is loaded
 */
async function measure(cold, misbehave = () => {}) {
  /** @type {(string | number)[]} */
  const events = [];
  let calls = 0;
  /** @type {Operation} */
  const operation = {
    summary: '',
    prepare: () => events.push('prepare'),
    run(_state, passes) {
      events.push(passes);
      for (let pass = 0; pass < passes; pass++) work(calls++ === 0 ? FIRST_CALL_MS : LATER_CALL_MS);
    },
    keepSample: () => events.push('sample'),
    output: () => [Buffer.from(`${calls} calls`)],
    explainDifference: async () => ({ path: '', expected: '', found: '' }),
  };
  const job = /** @type {Parameters<typeof measureCold>[0]} */ (
    /** @type {unknown} */ ({ cold, corpus: {} })
  );
  const { outputDigest, measurement } = await measureCold(job, {
    async loadVariant() {
      events.push('variant');
      work(LOAD_MS);
      misbehave();
      return {};
    },
    async loadOperation() {
      events.push('operation');
      return operation;
    },
  });
  const [ns] = measurement.batchNsPerDocument;
  return { events, outputDigest, measurement, ms: ns / 1e6 };
}

/** To the six digits that are kept. */
const ROUNDING = 0.999;

describe('a cold job', () => {
  test('makes the calls of its figure and none before, and checks the last', async () => {
    const { events, outputDigest } = await measure({ calls: 10, withLoad: false });
    expect(events).toEqual(['variant', 'operation', 'prepare', 0, 10, 'sample']);
    expect(outputDigest).toBe(digestFrames([Buffer.from('10 calls')]));
  });

  test.each([
    ['one call', { calls: 1, withLoad: false }, FIRST_CALL_MS],
    ['several calls in total', { calls: 5, withLoad: false }, FIRST_CALL_MS + 4 * LATER_CALL_MS],
    ['loading alone', { calls: 0, withLoad: true }, LOAD_MS],
    ['loading and a call', { calls: 1, withLoad: true }, LOAD_MS + FIRST_CALL_MS],
  ])('times %s', async (_, cold, leastMs) => {
    const { ms, measurement } = await measure(cold);
    expect(ms).toBeGreaterThanOrEqual(leastMs * ROUNDING);
    const { batchNsPerDocument, batchWaitMs = [], referenceLoopNs = [] } = measurement;
    expect(batchNsPerDocument).toHaveLength(1);
    expect(batchWaitMs).toHaveLength(1);
    expect(batchWaitMs[0]).toBeGreaterThanOrEqual(0);
    expect(referenceLoopNs).toHaveLength(2);
    expect(measurement).toMatchObject({
      documentsPerBatch: 1,
      warmUp: { ms: 0, calls: 0, settled: true },
    });
  });

  test('cannot be misled by a variant that replaces the clock', async () => {
    const { now } = performance;
    try {
      const { ms } = await measure({ calls: 1, withLoad: true }, () => (performance.now = () => 0));
      expect(ms).toBeGreaterThanOrEqual((LOAD_MS + FIRST_CALL_MS) * ROUNDING);
    } finally {
      performance.now = now;
    }
  });
});
