import { measureOperation } from './measure-operation.js';
import { DOCUMENTS, SETTINGS, makeReports } from './test-support/report-of.js';

/** @import { Measurement, Operation } from '../formats/types.ts' */

const reportOf = makeReports();

/** @returns {{ operation: Operation, runs: number[] }} `runs`: passes by call */
function makeCounted() {
  /** @type {number[]} */
  const runs = [];
  /** @type {Operation} */
  const operation = {
    summary: '',
    prepare: () => null,
    run(_state, passes) {
      runs.push(passes);
      const end = performance.now() + passes * 0.05;
      while (performance.now() < end);
    },
    output: () => [],
    explainDifference: async () => ({ path: '', expected: '', found: '' }),
  };
  return { operation, runs };
}

/** @type {(...asked: Parameters<typeof reportOf>) => Promise<Measurement>} in a worker process */
async function measure(...asked) {
  return (await reportOf(...asked)).measurement;
}

describe('measureOperation', () => {
  test('warms up, then times equal batches per document', async () => {
    const { operation, runs } = makeCounted();
    // A busy machine interrupts for longer than the usual limit, which would end the warm-up.
    const patient = { ...SETTINGS, maxWarmUpMs: 10_000 };
    const measured = await measureOperation(operation, null, DOCUMENTS, patient);
    const before = runs.slice(0, runs.length - (measured.calls?.timings ?? 0));
    const batches = before.slice(-SETTINGS.batchCount);
    const warmUp = before.slice(0, -SETTINGS.batchCount);
    expect(new Set(batches).size).toBe(1);
    expect(measured.documentsPerBatch).toBe(batches[0] * DOCUMENTS);
    expect(measured.warmUp.calls).toBe(warmUp.reduce((sum, passes) => sum + passes, 0) * DOCUMENTS);
    expect(measured.warmUp.calls).toBeGreaterThanOrEqual(SETTINGS.warmUpCalls);

    expect(measured.batchNsPerDocument).toHaveLength(SETTINGS.batchCount);
    const batchesMs = measured.batchNsPerDocument.map((ns) => (ns * batches[0] * DOCUMENTS) / 1e6);
    const sumMs = batchesMs.reduce((sum, ms) => sum + ms, 0);
    expect(Math.min(...batchesMs)).toBeGreaterThanOrEqual(batches[0] * 0.05 * 0.99);
    expect(measured.wallMs).toBeGreaterThanOrEqual(sumMs);
    expect(measured.cpuUserMs + measured.cpuSystemMs).toBeGreaterThan(0);
  });

  test('has the result of one timed batch kept', async () => {
    const { operation, runs } = makeCounted();
    /** @type {number[]} */
    const keptAfter = [];
    const keepSample = () => void keptAfter.push(runs.length);
    const sampled = { ...operation, keepSample };
    const { calls } = await measureOperation(sampled, null, DOCUMENTS, SETTINGS);
    const timed = runs.length - (calls?.timings ?? 0);
    expect(keptAfter).toHaveLength(1);
    expect(keptAfter[0]).toBeGreaterThan(timed - SETTINGS.batchCount);
    expect(keptAfter[0]).toBeLessThanOrEqual(timed);
  });

  test('counts garbage collections', async () => {
    const { operation } = makeCounted();
    const collecting = {
      ...operation,
      /** @param {unknown} state  @param {number} passes */
      run(state, passes) {
        operation.run(state, passes);
        for (let made = 0; made < 40; made++) new Array(100_000).fill(made);
      },
    };
    const calm = await measureOperation(operation, null, DOCUMENTS, SETTINGS);
    const busy = await measureOperation(collecting, null, DOCUMENTS, SETTINGS);
    expect(busy.gcCount).toBeGreaterThan(Number(calm.gcCount));
    expect(busy.gcMs).toBeGreaterThan(0);
  });
});

const COMMON = `
  prepare: () => null,
  output: () => [],
`;

describe('the worker', () => {
  test('times the function run of an operation', async () => {
    const source = `export const operation = { ${COMMON} run(_, passes) { for (let i = 0; i < 1e4 * passes; i++); } };`;
    const measured = await measure(source);
    expect(measured.batchNsPerDocument).toHaveLength(SETTINGS.batchCount);
  });

  test('times a variant that replaces the clocks with its own', async () => {
    const callMs = 0.2;
    const variant = `
      const now = performance.now.bind(performance);
      let hiddenMs = 0;
      performance.now = () => now() - hiddenMs;
      process.resourceUsage = () => ({ userCPUTime: 0, systemCPUTime: 0 });
      export function work() {
        const startMs = now();
        while (now() - startMs < ${callMs});
        hiddenMs += 0.9 * (now() - startMs);
      }
    `;
    const source = `export const operation = {
      prepare: (variant) => variant,
      output: () => [],
      run({ work }, passes) {
        for (let pass = 0; pass < passes; pass++) work();
      },
    };`;
    const measured = await measure(source, {}, variant);
    const leastNs = (callMs * 1e6) / DOCUMENTS;
    expect(Math.min(...measured.batchNsPerDocument)).toBeGreaterThanOrEqual(leastNs * 0.99);
    expect(measured.cpuUserMs + measured.cpuSystemMs).toBeGreaterThan(0);
  });

  test('times a variant that replaces what the worker uses', async () => {
    const callMs = 0.2;
    const variant = `
      import { operation } from './operations/operation.js';
      const { stringify } = JSON;
      JSON.stringify = (value) => stringify(value).replaceAll(/"batchNs[^\\]]*/g, '"batchNsPerDocument":[9');
      Number.prototype.toPrecision = () => '9';
      Array.prototype.map = Array.prototype.fill = () => [9, 9, 9, 9];
      Math.max = () => 1e9;
      const { _write } = process.stdout;
      process.stdout._write = function (chunk, ...rest) {
        const text = String(chunk).replaceAll(/"batchNs[^\\]]*/g, '"batchNsPerDocument":[9');
        return _write.call(this, Buffer.from(text), ...rest);
      };
      try {
        operation.run = () => {};
      } catch {}
      export function work() {
        const startMs = performance.now();
        while (performance.now() - startMs < ${callMs});
      }
    `;
    const source = `export const operation = {
      prepare: (variant) => variant,
      output: () => [],
      run({ work }, passes) {
        for (let pass = 0; pass < passes; pass++) work();
      },
    };`;
    const measured = await measure(source, {}, variant);
    expect(measured.batchNsPerDocument).toHaveLength(SETTINGS.batchCount);
    const leastNs = (callMs * 1e6) / DOCUMENTS;
    expect(Math.min(...measured.batchNsPerDocument)).toBeGreaterThanOrEqual(leastNs * 0.99);
  });

  test.each([
    ['run', 'async run() {}, output: () => []'],
    ['output', 'run() {}, async output() { return []; }'],
  ])('refuses an operation of which %s returns a promise', async (method, methods) => {
    const source = `export const operation = { prepare: () => null, ${methods} };`;
    await expect(measure(source)).rejects.toThrow(
      new RegExp(`${method} of the operation returns a promise, so its work cannot be timed`),
    );
  });

  test('uses the figures of an operation that measures itself, with settings and packages', async () => {
    const figures = {
      ...{ documentsPerBatch: 1, warmUp: { ms: 1, calls: 1, settled: true }, wallMs: 1 },
      ...{ cpuUserMs: 1, cpuSystemMs: 1, gcCount: 0, gcMs: 0 },
      ...{ voluntaryContextSwitches: 0, involuntaryContextSwitches: 0 },
    };
    const source = `export const operation = {
      ${COMMON}
      run() { throw new Error('not to be called'); },
      async measure(state, { settings: { batchCount }, packages }) {
        const batchNsPerDocument = new Array(batchCount).fill(7);
        const autogroupRaised = packages.load === '/somewhere/load';
        return { ...${JSON.stringify(figures)}, batchNsPerDocument, autogroupRaised };
      },
    };`;
    const batchNsPerDocument = Array(SETTINGS.batchCount).fill(7);
    const loaded = await measure(source, { packages: { load: '/somewhere/load' } });
    expect(loaded).toEqual({ ...figures, batchNsPerDocument, autogroupRaised: true });
    expect(await measure(source)).toMatchObject({ autogroupRaised: false });
  });
});
