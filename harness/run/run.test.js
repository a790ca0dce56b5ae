import { measureBoth } from './run.js';

/** @import { PassEnd } from './execute.js' */

/**
 * @param {'none' | 'too' | 'only'} memory
 * @param {number} timesMs that timing takes
 * @param {number} memoryMs that memory takes
 * @param {number} [budgetMs]
 */
async function measure(memory, timesMs, memoryMs, budgetMs = 100) {
  let nowMs = 0;
  /** @type {[string, number][]} */
  const spells = [];
  const open = (/** @type {string} */ name, /** @type {number} */ neededMs) => {
    let leftMs = neededMs;
    return async (share = 1) => {
      const spentMs = Math.max(0, Math.min(leftMs, share * budgetMs - nowMs));
      leftMs -= spentMs;
      nowMs += spentMs;
      spells.push([name, spentMs]);
      return /** @type {PassEnd} */ (leftMs === 0 ? 'complete' : 'budget');
    };
  };
  const passes = { timing: open('times', timesMs), memory: open('memory', memoryMs) };
  const ended = await measureBoth(passes, memory);
  return { ended, spells };
}

test.each(
  /** @type {[string, Parameters<typeof measure>, PassEnd, [string, number][]][]} */ ([
    ['timing alone has the whole budget', ['none', 900, 0], 'budget', [['times', 100]]],
    ['memory alone has the whole budget', ['only', 0, 900], 'budget', [['memory', 100]]],
    [
      'each has a half if both need more',
      ['too', 900, 900],
      'budget',
      [
        ['times', 50],
        ['memory', 50],
        ['times', 0],
      ],
    ],
    [
      'memory has what timing does not need',
      ['too', 20, 900],
      'budget',
      [
        ['times', 20],
        ['memory', 80],
      ],
    ],
    [
      'timing has what memory does not need',
      ['too', 85, 10],
      'complete',
      [
        ['times', 50],
        ['memory', 10],
        ['times', 35],
      ],
    ],
    [
      'without a budget each runs to its end',
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

test('a failure outweighs the end of the budget, and an interrupt ends everything', async () => {
  const answer = (/** @type {PassEnd} */ end) => async () => end;
  await expect(
    measureBoth({ timing: answer('budget'), memory: answer('failed') }, 'too'),
  ).resolves.toBe('failed');
  const memory = () => Promise.reject(new Error('memory was measured'));
  await expect(measureBoth({ timing: answer('interrupted'), memory }, 'too')).resolves.toBe(
    'interrupted',
  );
});
