import { WarmUp } from './measure-warm-up.js';

const SETTINGS = { warmUpMs: 80, warmUpCalls: 100, maxWarmUpMs: 400, batchCount: 3, batchMs: 10 };

/**
 * @param {(chunk: number) => number} passMs duration of a pass by chunk
 * @param {Partial<typeof SETTINGS>} [changes]
 */
function warmUpWith(passMs, changes = {}) {
  const warmUp = new WarmUp({ ...SETTINGS, ...changes }, { documents: 10, chunkMs: 8 });
  const passes = [];
  for (let chunk = 0; !warmUp.isDone; chunk++) {
    passes.push(warmUp.nextPasses);
    warmUp.addChunk(warmUp.nextPasses * passMs(chunk));
  }
  return { warmUp, passes };
}

describe('a warm-up', () => {
  test('starts with one pass and grows to chunks of the target length', () => {
    const { passes } = warmUpWith(() => 0.05);
    expect(passes.slice(0, 5)).toEqual([1, 8, 64, 160, 160]);
  });

  test('reaches the required time and number of calls', () => {
    const { ms, calls } = warmUpWith(() => 1).warmUp;
    expect(ms).toBeGreaterThanOrEqual(80);
    expect(ms).toBeLessThan(80 + 8 + 1);
    expect(calls).toBe(ms * 10);
    expect(warmUpWith(() => 1, { warmUpCalls: 2000 }).warmUp.calls).toBeGreaterThanOrEqual(2000);
  });

  test('continues until times have settled', () => {
    const early = warmUpWith(() => 1).warmUp.describe();
    const late = warmUpWith((chunk) => Math.max(1, 4 - chunk * 0.15)).warmUp.describe();
    expect(early.settled && late.settled).toBe(true);
    expect(late.ms).toBeGreaterThan(early.ms);
  });

  test('ends unsettled at the time limit', () => {
    const { ms, settled } = warmUpWith((chunk) => 1.1 ** chunk).warmUp.describe();
    expect(settled).toBe(false);
    expect(ms).toBeGreaterThanOrEqual(400);
  });

  test('can check another figure than wall time', () => {
    const { warmUp } = warmUpWith(() => 1, { warmUpMs: 20 });
    const byOther = new WarmUp(SETTINGS, { documents: 10, chunkMs: 8 });
    for (let chunk = 0; chunk < 6; chunk++) byOther.addChunk(20, 1.2 ** chunk * byOther.nextPasses);
    expect(warmUp.hasSettled()).toBe(true);
    expect(byOther.hasSettled()).toBe(false);
  });

  test('converts a duration to passes, at least one', () => {
    const { warmUp } = warmUpWith(() => 0.5);
    expect(warmUp.passesIn(10)).toBe(20);
    expect(warmUp.passesIn(0.1)).toBe(1);
  });
});
