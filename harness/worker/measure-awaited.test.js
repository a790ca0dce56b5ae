import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { awaitCalls, measureAwaited } from './measure-awaited.js';
import { watchUsage } from './measure-usage.js';
import { DOCUMENTS, SETTINGS, makeReports } from './test-support/report-of.js';

/** @import { AwaitedOperation } from '../formats/types.ts' */

const reportOf = makeReports();

/** @type {(call: AwaitedOperation['call'], conditions?: { documents?: number, concurrency?: number }) => ReturnType<typeof awaitCalls>} */
function awaiting(call, { documents = DOCUMENTS, concurrency = 1 } = {}) {
  /** @type {AwaitedOperation} */
  const operation = {
    summary: '',
    isAsync: true,
    prepare: () => null,
    call,
    explainDifference: async () => ({ path: '', expected: '', found: '' }),
  };
  return awaitCalls(operation, { documents, concurrency });
}

/** @type {(call: AwaitedOperation['call'], conditions?: { documents?: number, concurrency?: number, batchMs?: number }) => ReturnType<typeof measureAwaited>} */
function measure(call, { batchMs = SETTINGS.batchMs, ...conditions } = {}) {
  const settings = { ...SETTINGS, batchMs };
  return measureAwaited(awaiting(call, conditions), null, settings, {
    documents: DOCUMENTS,
    concurrency: 1,
    ...conditions,
    usage: watchUsage(),
  });
}

describe('the loop of awaited calls', () => {
  test.each([
    { concurrency: 1, most: 1 },
    { concurrency: 3, most: 3 },
    { concurrency: 40, most: 10 },
  ])('has $concurrency calls in flight, in the order of the documents', async (each) => {
    /** @type {number[]} */
    const called = [];
    let inFlight = 0;
    let most = 0;
    const { run } = awaiting(
      async (_state, index) => {
        called.push(index);
        most = Math.max(most, ++inFlight);
        await null;
        inFlight--;
      },
      { concurrency: each.concurrency },
    );
    await run(null, 2);
    expect(called).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
    expect(most).toBe(each.most);
    expect(inFlight).toBe(0);
  });

  const STREAMS = /** @type {const} */ ([
    ['an async iterable', (/** @type {() => void} */ onEnd) => makeChunks(onEnd)],
    [
      'an async iterable that has events, too',
      (/** @type {() => void} */ onEnd) => Object.assign(makeChunks(onEnd), { on() {} }),
    ],
    ['a stream of Node', (/** @type {() => void} */ onEnd) => Readable.from(makeChunks(onEnd))],
    ['a web stream', (/** @type {() => void} */ onEnd) => makeWebStream(onEnd)],
    ['the promise of a stream', async (/** @type {() => void} */ onEnd) => makeWebStream(onEnd)],
  ]);

  test.each(STREAMS)('reads %s to its end before the next call', async (_name, open) => {
    /** @type {string[]} */
    const events = [];
    const operation = awaiting(
      (_state, index) => {
        events.push(`call ${index}`);
        return open(() => events.push(`end ${index}`));
      },
      { documents: 2 },
    );
    await operation.run(null, 1);
    expect(events).toEqual(['call 0', 'end 0', 'call 1', 'end 1']);
    expect(await operation.output(null)).toEqual([
      new Uint8Array([1, 2, 3]),
      new Uint8Array([1, 2, 3]),
    ]);
  });

  test.each([
    ['a call', () => Promise.reject(new Error('broken'))],
    ['a stream', () => Readable.from(breakOff())],
    ['an async iterable', breakOff],
  ])('fails where %s fails', async (_name, call) => {
    await expect(awaiting(call).run(null, 1)).rejects.toThrow('broken');
  });

  test('fails where a stream is closed before its end', async () => {
    const call = () => new Readable({ read() {} }).destroy();
    await expect(awaiting(call).run(null, 1)).rejects.toThrow('a stream was closed before its end');
  });

  test('gives the value of a promise, text, or other chunks as output', async () => {
    const made = [async () => 'one', () => iterate(['t', 'wo']), () => iterate([{ three: 3 }])];
    const { output } = awaiting((_state, index) => made[index](), { documents: 3 });
    expect(await output(null)).toEqual(['one', 'two', [{ three: 3 }]]);
  });
});

/** @param {() => void} onEnd */
async function* makeChunks(onEnd) {
  yield Buffer.of(1, 2);
  yield Buffer.of(3);
  onEnd();
}

/** @param {() => void} onEnd */
function makeWebStream(onEnd) {
  const chunks = makeChunks(onEnd);
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** @param {unknown[]} chunks */
async function* iterate(chunks) {
  yield* chunks;
}

async function* breakOff() {
  yield 'begun';
  throw new Error('broken');
}

describe('measureAwaited', () => {
  test('times equal batches, with the time in which the event loop waited', async () => {
    const measured = await measure(() => sleep(1));
    const { batchNsPerDocument, documentsPerBatch, batchIdleMs = [] } = measured;
    expect(batchNsPerDocument).toHaveLength(SETTINGS.batchCount);
    expect(measured.referenceLoopNs).toHaveLength(SETTINGS.batchCount + 1);
    expect(batchIdleMs).toHaveLength(SETTINGS.batchCount);
    for (const [batch, idleMs] of batchIdleMs.entries()) {
      expect(idleMs).toBeGreaterThan(0);
      const batchMs = (batchNsPerDocument[batch] * documentsPerBatch) / 1e6;
      expect(idleMs).toBeLessThanOrEqual(batchMs * 1.001);
    }
  });

  test('finds no wait where only promises are awaited', async () => {
    const { batchIdleMs } = await measure(async () => null);
    expect(batchIdleMs).toEqual(new Array(SETTINGS.batchCount).fill(0));
  });

  test('times single calls until there are enough for a 99th percentile, or 200 ms are over', async () => {
    const { calls } = await measure(() => sleep(1), { concurrency: 4 });
    expect(calls).toMatchObject({ documents: 1, p50Ns: expect.any(Number) });
    expect(calls?.p99Ns !== undefined).toBe(Number(calls?.timings) >= 100);
    // Timers do not end early, but their clock counts in milliseconds.
    expect(calls?.p50Ns).toBeGreaterThan(0.9e6);
    const { calls: long } = await measure(() => sleep(150), { documents: 1 });
    expect(long?.timings).toBeLessThan(100);
    expect(long).not.toHaveProperty('p99Ns');
  });

  test('times no single calls that are too short for the clock', async () => {
    // In a batch of so many calls an interruption is no more than a moment for each.
    expect(await measure(async () => null, { batchMs: 50 })).not.toHaveProperty('calls');
  });

  test('makes batches long enough for the calls in flight', async () => {
    const { documentsPerBatch } = await measure(() => sleep(2), { concurrency: 10 });
    expect(documentsPerBatch).toBeGreaterThanOrEqual(80);
  });

  test('includes in a batch what its calls have put off', async () => {
    let called = 0;
    let done = 0;
    /** @type {number[]} */
    const left = [];
    const operation = {
      ...awaiting(async () => {
        called++;
        setImmediate(() => done++);
      }),
      keepSample: () => void left.push(called - done),
    };
    const usage = watchUsage();
    const conditions = { documents: DOCUMENTS, concurrency: 1, usage };
    await measureAwaited(operation, null, SETTINGS, conditions);
    expect(left).toEqual([0]);
  });
});

/** @type {(methods: string, more?: object) => ReturnType<typeof reportOf>} */
function reportOfCalls(methods, more) {
  const source = `export const operation = { isAsync: true, prepare: () => ({ calls: 0, changed: 0 }), ${methods} };`;
  return reportOf(source, more);
}

describe('a job with an asynchronous operation', () => {
  test('reports the figures of its calls and the digest of what they give', async () => {
    const [one, other] = [
      await reportOfCalls('call: async (state, index) => index'),
      await reportOfCalls('call: async (state, index) => index + state.calls++ * 0', {
        concurrency: 4,
      }),
    ];
    expect(one.measurement.batchNsPerDocument).toHaveLength(SETTINGS.batchCount);
    expect(other.outputDigest).toBe(one.outputDigest);
    const wrong = await reportOfCalls('call: async (state, index) => index + 1');
    expect(wrong.outputDigest).not.toBe(one.outputDigest);
  });

  test('times first calls until they have settled', async () => {
    const cold = { calls: 10, withLoad: false };
    const { measurement } = await reportOfCalls(
      'call: () => new Promise((resolve) => setTimeout(resolve, 1))',
      { cold, corpus: { documentCount: 1 } },
    );
    // Timers never end early.
    expect(measurement.batchNsPerDocument[0]).toBeGreaterThanOrEqual(9e6);
  });

  test('awaits the passes of a spot check', async () => {
    const { faults } = await reportOfCalls(`
      call: async (state) => { await null; state.calls++; },
      *spotCheck(state) {
        const before = state.calls;
        yield 2;
        return state.calls === before + 10 ? null : 'not awaited';
      }`);
    expect(faults).toBeUndefined();
  });

  test('says so when a call never settles', async () => {
    await expect(reportOfCalls('call: () => new Promise(() => {})')).rejects.toThrow(
      'the job waits for a promise that nothing can settle any more',
    );
  });
});
