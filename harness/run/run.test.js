import { afterEach, expect, jest, test } from '@jest/globals';
import { measureInTurn, openClock } from './run.js';

/** @import { MeasuringEnd } from './run.js' */

/**
 * @param {'none' | 'too' | 'only'} memory
 * @param {number} timesMs that the times take
 * @param {number} memoryMs that memory takes
 * @param {number} [budgetMs]
 */
async function measure(memory, timesMs, memoryMs, budgetMs = 100) {
  let nowMs = 0;
  /** @type {[string, number][]} */
  const spells = [];
  const open = (/** @type {string} */ name, /** @type {number} */ neededMs) => {
    let leftMs = neededMs;
    return async (/** @type {number} */ untilMs) => {
      const spentMs = Math.max(0, Math.min(leftMs, untilMs - nowMs));
      leftMs -= spentMs;
      nowMs += spentMs;
      spells.push([name, spentMs]);
      return /** @type {MeasuringEnd} */ (leftMs === 0 ? 'complete' : 'budget');
    };
  };
  const measureTimes = open('times', timesMs);
  const measureMemory = open('memory', memoryMs);
  const ended = await measureInTurn({ memory, budgetMs, measureTimes, measureMemory });
  return { ended, spells };
}

test.each(
  /** @type {[string, Parameters<typeof measure>, MeasuringEnd, [string, number][]][]} */ ([
    ['times alone have all of it', ['none', 900, 0], 'budget', [['times', 100]]],
    ['memory alone has all of it', ['only', 0, 900], 'budget', [['memory', 100]]],
    [
      'both have a half where each wants more',
      ['too', 900, 900],
      'budget',
      [
        ['times', 50],
        ['memory', 50],
        ['times', 0],
      ],
    ],
    [
      'memory has what the times do not need',
      ['too', 20, 900],
      'budget',
      [
        ['times', 20],
        ['memory', 80],
      ],
    ],
    [
      'the times have what memory does not need',
      ['too', 85, 10],
      'complete',
      [
        ['times', 50],
        ['memory', 10],
        ['times', 35],
      ],
    ],
    [
      'without a limit each ends by itself',
      ['too', 900, 900, Infinity],
      'complete',
      [
        ['times', 900],
        ['memory', 900],
      ],
    ],
  ]),
)('%s', async (_, args, ended, spells) => {
  await expect(measure(...args)).resolves.toEqual({ ended, spells });
});

test('a failure outweighs the end of the budget, and an interruption ends everything', async () => {
  const answer = (/** @type {MeasuringEnd} */ end) => async () => end;
  const both = { memory: /** @type {const} */ ('too'), budgetMs: 100 };
  await expect(
    measureInTurn({ ...both, measureTimes: answer('budget'), measureMemory: answer('failed') }),
  ).resolves.toBe('failed');
  await expect(
    measureInTurn({
      ...both,
      measureTimes: answer('interrupted'),
      measureMemory: () => Promise.reject(new Error('memory was measured')),
    }),
  ).resolves.toBe('interrupted');
});

afterEach(() => {
  jest.restoreAllMocks();
});

test('a run of an earlier session goes on from its age', () => {
  const { elapsedMs, sessionMs } = openClock(new Date(Date.now() - 5_000).toISOString());
  expect(elapsedMs()).toBeGreaterThanOrEqual(5_000);
  expect(sessionMs()).toBeLessThan(5_000);
});

test('a clock that is set back makes no time negative, before a session or in it', () => {
  const createdAt = new Date().toISOString();
  jest.spyOn(Date, 'now').mockReturnValue(0);
  const { elapsedMs, sessionMs } = openClock(createdAt);
  expect(elapsedMs()).toBeGreaterThanOrEqual(0);
  expect(sessionMs()).toBeGreaterThanOrEqual(0);
});
