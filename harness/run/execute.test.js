import { estimateMs, execute, openClock } from './execute.js';
import { makeContext } from './passes/test-support/make-context.js';

/** @typedef {import('./execute.js').ObservedAny} Observation */

/**
 * @param {Partial<import('./execute.js').Pass<{ id: string }, Observation>>} pass
 * @param {object} [choice]
 * @param {Observation[]} [choice.observations] of earlier sessions
 * @param {number} [choice.untilMs]
 * @param {string} [choice.interruptAt] the job during which the user interrupts
 * @param {string[]} [choice.failing] jobs
 * @param {Partial<import('./execute.js').Executor>} [choice.executor]
 */
async function run(
  pass,
  { observations = [], untilMs = Infinity, interruptAt, failing = [], executor = {} } = {},
) {
  const interrupts = new AbortController();
  /** @type {string[]} */
  const events = [];
  let now = 0;
  const ended = await execute(
    {
      name: 'any',
      stages: [jobs('a', 'b', 'c')],
      async perform({ id }) {
        now++;
        events.push(`run ${id}`);
        if (id === interruptAt) interrupts.abort();
        return { workerMs: 1, outcome: failing.includes(id) ? 'failed' : 'done' };
      },
      describe: ({ id }, { left, total }) => ({ step: `${id}: ${left.length} of ${total}` }),
      ...pass,
    },
    {
      ...makeContext(),
      executor: { ...makeContext().executor, ...executor },
      observations,
      append: ({ id }) => events.push(`append ${id}`),
      clock: { elapsedMs: () => now, sessionMs: () => now },
      untilMs: () => untilMs,
      signal: interrupts.signal,
      onProgress: (describe) => events.push(describe().step),
    },
  );
  return { ended, events, observations };
}

/** @param {string[]} ids */
function jobs(...ids) {
  return ids.map((id) => ({ id }));
}

describe('a pass', () => {
  test('reports progress, runs a job and appends its observation before the next one', async () => {
    const { ended, events } = await run({});
    expect(ended).toBe('complete');
    expect(events).toEqual([
      ...['a: 3 of 3', 'run a', 'append a'],
      ...['b: 2 of 3', 'run b', 'append b'],
      ...['c: 1 of 3', 'run c', 'append c'],
    ]);
  });

  test('runs only the jobs that are not done', async () => {
    const observations = [
      { id: 'a', attempt: 1, outcome: /** @type {const} */ ('done'), workerMs: 1 },
      { id: 'b', attempt: 1, outcome: /** @type {const} */ ('failed'), workerMs: 1 },
    ];
    const { events } = await run({}, { observations });
    expect(events.filter((event) => event.startsWith('run'))).toEqual(['run b', 'run c']);
    expect(events[0]).toBe('b: 2 of 3');
  });

  test('retries a failed job, settles each job once and continues', async () => {
    /** @type {string[]} */
    const settled = [];
    const { ended, observations } = await run(
      { attempts: 2, settle: ({ id }, { outcome }) => settled.push(`${id} ${outcome}`) },
      { failing: ['b'] },
    );
    expect(ended).toBe('failed');
    expect(observations.map(({ id, attempt }) => `${id}${attempt}`)).toEqual([
      'a1',
      'b1',
      'b2',
      'c1',
    ]);
    expect(settled).toEqual(['a done', 'b failed', 'c done']);
  });

  test('starts no job that usually ends after its budget', async () => {
    expect(await run({}, { untilMs: 2.5 })).toMatchObject({
      ended: 'budget',
      observations: [{ id: 'a' }, { id: 'b' }],
    });
    expect(await run({}, { untilMs: 2.5, failing: ['a'] })).toMatchObject({ ended: 'failed' });
    const attempts = { attempts: 3 };
    expect(await run(attempts, { untilMs: 2.5, failing: ['a'] })).toMatchObject({
      ended: 'budget',
      observations: [{ attempt: 1 }, { attempt: 2 }],
    });
    expect(await run({ usualMs: 3 }, { untilMs: 2.5 })).toMatchObject({ observations: [] });
    const kinds = { kindOf: (/** @type {{ id: string }} */ { id }) => id, usualMs: 1 };
    const observations = [1, 9].map((workerMs, index) => ({
      ...{ id: 'ab'[index], attempt: 1, outcome: /** @type {const} */ ('failed'), workerMs },
    }));
    await run(kinds, { untilMs: 2.5, observations });
    expect(observations.map(({ id }) => id)).toEqual(['a', 'b', 'a']);
  });

  test('does not begin a stage of which only the whole is of use and that ends after its budget', async () => {
    const stages = [jobs('a'), jobs('b', 'c')];
    const expectMs = (/** @type {{ id: string }[]} */ left) => left.length;
    expect(await run({ stages, expectMs }, { untilMs: 2.5 })).toMatchObject({
      ended: 'budget',
      observations: [{ id: 'a' }],
    });
  });

  test('discards the observation of a job during which it is interrupted', async () => {
    expect(await run({}, { interruptAt: 'b' })).toMatchObject({
      ended: 'interrupted',
      observations: [{ id: 'a' }],
    });
  });

  test('skips jobs that have become pointless', async () => {
    const { ended, observations } = await run({ skips: ({ id }) => id === 'b' });
    expect(ended).toBe('complete');
    expect(observations.map(({ id }) => id)).toEqual(['a', 'c']);
  });

  test('plans a stage after the stage before has run', async () => {
    /** @type {Observation[]} */
    const observations = [];
    function* plan() {
      yield jobs('a');
      yield jobs(`after ${observations.map(({ id }) => id)}`);
    }
    await run({ stages: plan() }, { observations });
    expect(observations.map(({ id }) => id)).toEqual(['a', 'after a']);
  });

  test('runs the jobs of a group at the same time', async () => {
    const { events } = await run({ group: ([a, b, c]) => [[a, b], [c]] });
    expect(events.slice(0, 5)).toEqual(['a: 3 of 3', 'run a', 'run b', 'append a', 'append b']);
    expect(events[5]).toBe('c: 1 of 3');
  });

  test('runs the partner of a job that has become pointless with another job', async () => {
    const group = (/** @type {{ id: string }[]} */ [a, b, ...rest]) =>
      [[a, b], rest].map((each) => each.filter((job) => job !== undefined));
    const { events } = await run({
      stages: [jobs('a', 'b', 'c', 'd')],
      group: (left) => group(left).filter(({ length }) => length > 0),
      skips: ({ id }) => id === 'b',
    });
    expect(events).toEqual([
      ...['a: 3 of 4', 'run a', 'run c', 'append a', 'append c'],
      ...['d: 1 of 4', 'run d', 'append d'],
    ]);
  });
});

describe('an executor that takes several groups', () => {
  /** Performs the groups in the order in which the test releases them. */
  function openReleased() {
    /** @type {Map<string, () => void>} */
    const releases = new Map();
    /** @type {Partial<import('./execute.js').Executor>} */
    const executor = {
      widthOf: () => Infinity,
      divide: (list) => list.map((job) => [job]),
      run: ([{ planned }]) =>
        new Promise((resolve) => {
          releases.set(planned.id, () => resolve([{ workerMs: 1, outcome: 'done', host: 'one' }]));
        }),
    };
    return { executor, release: (/** @type {string} */ id) => releases.get(id)?.() };
  }

  test('gets all groups of a stage at once, and its answers are kept as they come', async () => {
    const { executor, release } = openReleased();
    /** @type {Observation[]} */
    const observations = [];
    const running = run({}, { executor, observations });
    for (const id of ['c', 'a', 'b']) release(id);
    expect(await running).toMatchObject({ ended: 'complete' });
    expect(observations).toMatchObject(['c', 'a', 'b'].map((id) => ({ id, host: 'one' })));
  });

  test('that could not run a job leaves it to another session', async () => {
    const { ended, observations } = await run({}, { executor: { run: async () => [null] } });
    expect(ended).toBe('failed');
    expect(observations).toEqual([]);
  });

  test('that has run out of time ends the pass', async () => {
    const { ended } = await run({}, { executor: { run: async () => ['left'] } });
    expect(ended).toBe('budget');
  });
});

describe('the time of jobs', () => {
  /** @param {string} kind  @param {number[]} times */
  const observe = (kind, ...times) => times.map((workerMs) => ({ kind, workerMs }));
  const kindOf = (/** @type {{ kind: string }} */ { kind }) => kind;

  test('is the median of their kind or, without one, of all', () => {
    const observations = [...observe('a', 10, 12, 9_000), ...observe('b', 100)];
    const estimate = (/** @type {[string, number][]} */ ...counts) =>
      estimateMs(new Map(counts), observations, kindOf);
    expect(estimate(['a', 2], ['b', 3])).toBe(2 * 12 + 3 * 100);
    expect(estimate(['c', 2])).toBe((2 * (12 + 100)) / 2);
    expect(estimate()).toBe(0);
  });

  test('is that of recent jobs', () => {
    const observations = observe('a', ...Array(40).fill(10), ...Array(30).fill(20));
    expect(estimateMs(new Map([['a', 1]]), observations, kindOf)).toBe(20);
  });

  test('is the usual one, if there is one, before the first', () => {
    expect(estimateMs(new Map([['a', 2]]), [], kindOf)).toBeNaN();
    expect(estimateMs(new Map([['a', 2]]), [], kindOf, 500)).toBe(1000);
    expect(estimateMs(new Map([['a', 0]]), [], kindOf)).toBe(0);
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

test('the time of a resumed run continues from its age', () => {
  const { elapsedMs, sessionMs } = openClock(new Date(Date.now() - 5_000).toISOString());
  expect(elapsedMs()).toBeGreaterThanOrEqual(5_000);
  expect(sessionMs()).toBeLessThan(5_000);
});

test('no time is negative if the clock of the machine is set back', () => {
  const createdAt = new Date().toISOString();
  jest.spyOn(Date, 'now').mockReturnValue(0);
  const { elapsedMs, sessionMs } = openClock(createdAt);
  expect(elapsedMs()).toBeGreaterThanOrEqual(0);
  expect(sessionMs()).toBeGreaterThanOrEqual(0);
});
