import { describe, expect, test } from '@jest/globals';
import { validate } from '../../formats/schemas.js';
import { AssayError, MachineError, UsageError } from '../../lib/errors.js';
import { drawIndex, drawUniform, seedGenerator } from '../../stats/random.js';
import {
  MAX_ATTEMPTS,
  countAnswers,
  countComparisons,
  countTests,
  listOpen,
  nextCandidate,
  recordAnswer,
  runBisection,
  startSearch,
} from './bisection.js';
import { requireRegression } from './step.js';
import { answerFor, makeBisection } from './test-support/fixtures.js';

/** @import { Bisection, StepAnswer, StepOutcome } from '../../formats/types.ts' */
/** @import { StepTask } from './bisection.js' */

/**
 * Runs a bisection on made-up answers.
 *
 * @param {number[]} ratios of the candidates to the first
 * @param {(task: StepTask, ratio: number) => StepOutcome} [answer]
 * @param {Bisection} [opened] what is resumed
 */
async function bisect(
  ratios,
  answer = (task, ratio) => answerFor(ratio, task.boundary),
  opened = makeBisection(ratios.length),
) {
  /** @type {StepTask[]} */
  const tasks = [];
  /** @type {Bisection[]} */
  const kept = [];
  let interrupted = false;
  const bisection = await runBisection(opened, {
    compare: async (task) => {
      tasks.push(task);
      return answer(task, ratios[task.candidate] / ratios[task.baseline]);
    },
    keep: (current) => kept.push(structuredClone(current)),
    onStep: ({ reason }) => {
      interrupted ||= reason === 'interrupted';
    },
    isInterrupted: () => interrupted,
    nowMs: () => tasks.length * 1500,
  });
  return { bisection, tasks, kept };
}

/** @type {StepOutcome} */
const UNSETTLED = { ...answerFor(1.2, 1.2), answer: 'unsettled', reason: 'not settled' };

describe('a clear regression', () => {
  test('is found, with its ratio to the one before', async () => {
    const { bisection } = await bisect([1, 1.01, 0.99, 1.5, 1.5, 1.52, 1.5, 1.5]);
    expect(bisection).toMatchObject({
      ended: 'found',
      lastGood: 'npm:codec@1.2.0',
      firstBad: 'npm:codec@1.3.0',
      passedOver: [],
      change: { verdict: 'slower', ratio: { estimate: 1.5 / 0.99 } },
    });
    expect(bisection.boundary).toBeCloseTo(Math.sqrt(1.5), 12);
  });

  test('is measured against the good end, with an order of jobs of its own in every step', async () => {
    const { tasks, bisection } = await bisect([1, 1, 1, 1, 1, 1.5, 1.5, 1.5, 1.5]);
    expect(tasks.map(({ purpose }) => purpose)).toEqual([
      'ends',
      'search',
      'search',
      'search',
      'neighbours',
    ]);
    const search = tasks.filter(({ purpose }) => purpose === 'search');
    for (const task of search) {
      expect(task).toMatchObject({ baseline: 0, boundary: bisection.boundary, alpha: 0.05 / 9 });
    }
    expect(tasks.map(({ seed }) => seed)).toEqual([7, 8, 9, 10, 11]);
    expect(bisection.steps.every(({ seconds }) => seconds === 1.5)).toBe(true);
  });

  test.each([2, 3, 4, 5, 9, 20])(
    'takes as many comparisons as announced, or fewer: %i candidates',
    async (count) => {
      const lengths = [];
      for (let bad = 1; bad < count; bad++) {
        const ratios = Array.from({ length: count }, (_, index) => (index < bad ? 1 : 1.5));
        lengths.push((await bisect(ratios)).tasks.length);
      }
      expect(Math.max(...lengths)).toBe(countComparisons(count));
    },
  );

  test('between neighbours is not measured twice', async () => {
    const { bisection, tasks } = await bisect([1, 2]);
    expect(tasks).toHaveLength(1);
    expect(bisection).toMatchObject({ ended: 'found', change: { ratio: { estimate: 2 } } });
  });

  test('is kept after every step in the published format', async () => {
    const { kept, bisection, tasks } = await bisect([1, 1, 2, 2, 2]);
    for (const each of kept) validate('bisection', each);
    expect(new Set(kept.map(({ steps }) => steps.length)).size).toBe(tasks.length);
    expect(kept.at(-1)).toEqual(bisection);
  });
});

describe('what cannot be measured', () => {
  test('is passed over with its reason, and named where it lies at the change', async () => {
    const { bisection } = await bisect([1, 1, 1, 1, 2, 2, 2], (task, ratio) => {
      if (task.candidate === 3) throw new MachineError('the build failed\nwith many words');
      return answerFor(ratio, task.boundary);
    });
    expect(bisection).toMatchObject({
      ended: 'found',
      lastGood: 'npm:codec@1.2.0',
      firstBad: 'npm:codec@1.4.0',
      passedOver: [{ spec: 'npm:codec@1.3.0', reason: 'the build failed\nwith many words' }],
      change: { ratio: { estimate: 2 } },
    });
    validate('bisection', bisection);
  });

  test('is not named where the change lies elsewhere', async () => {
    const { bisection } = await bisect([1, 2, 2, 2, 2, 2, 2], (task, ratio) => {
      if (task.candidate === 3) throw new UsageError('no module');
      return answerFor(ratio, task.boundary);
    });
    expect(bisection).toMatchObject({ firstBad: 'npm:codec@1.1.0', passedOver: [] });
  });

  test('ends the bisection where it is an end', async () => {
    const failing = bisect([1, 1, 2], () => {
      throw new UsageError('no such version');
    });
    await expect(failing).rejects.toThrow('no such version');
  });

  test('a defect of Assay is no reason to pass over', async () => {
    const failing = bisect([1, 1, 2], (task, ratio) => {
      if (task.purpose === 'search') throw new TypeError('defect');
      return answerFor(ratio, task.boundary);
    });
    await expect(failing).rejects.toThrow(TypeError);
  });
});

describe('a step without an answer', () => {
  test('is repeated with another seed, and the repetition stands alone', async () => {
    const { bisection, tasks } = await bisect([1, 1, 1, 2, 2], (task, ratio) =>
      task.purpose === 'search' && task.attempt < 3 ? UNSETTLED : answerFor(ratio, task.boundary),
    );
    const first = tasks.filter(({ candidate }) => candidate === 2).slice(0, 3);
    expect(first.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(first.map(({ seed }) => seed)).size).toBe(3);
    expect(bisection).toMatchObject({ firstBad: 'npm:codec@1.3.0' });
  });

  test('three times at the change leaves the question open', async () => {
    const { bisection } = await bisect([1, 1, 1.2, 2, 2, 2, 2, 2, 2], (task, ratio) =>
      task.candidate === 2 ? UNSETTLED : answerFor(ratio, task.boundary),
    );
    expect(bisection).toMatchObject({
      ended: 'not-settled',
      lastGood: 'npm:codec@1.1.0',
      firstBad: 'npm:codec@1.3.0',
      passedOver: [{ spec: 'npm:codec@1.2.0', reason: 'not settled' }],
      change: null,
    });
  });
});

describe('ends that do not differ as they should', () => {
  /** @param {Bisection} bisection */
  const requireIt = (bisection) => () => requireRegression(bisection, 'reports/runs/here');

  test('no regression is told with its interval', async () => {
    const { bisection, tasks } = await bisect([1, 2, 1.01]);
    expect(tasks).toHaveLength(1);
    expect(bisection.ended).toBe('no-regression');
    expect(requireIt(bisection)).toThrow(UsageError);
    expect(requireIt(bisection)).toThrow(
      /equivalent, ×1\.010 \[1\.000, 1\.020\] from 12 processes/,
    );
  });

  test('three attempts are made to settle it, which share the error rate', async () => {
    const { bisection, tasks } = await bisect([1, 1.5, 1.5], () => UNSETTLED);
    expect(tasks.map(({ alpha }) => alpha)).toEqual([0.05 / 3, 0.05 / 3, 0.05 / 3]);
    expect(bisection).toMatchObject({ ended: 'not-settled', boundary: null });
    expect(requireIt(bisection)).toThrow(MachineError);
  });

  test('a refused end is told with its reason and the status of wrong bytes', async () => {
    const { bisection } = await bisect([1, 2], () => ({
      ...UNSETTLED,
      answer: 'unusable',
      verdict: 'refused',
      reason: 'breaks the behaviour contract: key-order',
    }));
    expect(requireIt(bisection)).toThrow(AssayError);
    expect(requireIt(bisection)).toThrow(/cannot be compared: breaks the behaviour contract/);
    expect(requireIt(bisection)).toThrow(expect.objectContaining({ exitStatus: 3 }));
  });

  test('those that do are let through', async () => {
    const { bisection } = await bisect([1, 2]);
    expect(requireIt(bisection)).not.toThrow();
  });
});

describe('an interrupt', () => {
  test.each([
    ['at the ends', 'ends', 1],
    ['in the search', 'search', 2],
    ['at the neighbours', 'neighbours', 4],
  ])('%s ends it there, with what is known', async (_, purpose, steps) => {
    const { bisection, kept } = await bisect([1, 1, 1, 2, 2], (task, ratio) =>
      task.purpose === purpose
        ? { ...UNSETTLED, reason: 'interrupted' }
        : answerFor(ratio, task.boundary),
    );
    expect(bisection.ended).toBe('interrupted');
    expect(bisection.steps).toHaveLength(steps);
    expect(kept.at(-1)).toEqual(bisection);
  });
});

describe('a bisection that is resumed', () => {
  const ratios = [1, 1, 1, 1.01, 2, 2, 2];
  /** The first attempt at the middle has no answer. @param {StepTask} task @param {number} ratio */
  const answer = (task, ratio) =>
    task.candidate === 3 && task.attempt === 1 ? UNSETTLED : answerFor(ratio, task.boundary);

  test('from any state that was kept comes to the same, and measures only what is missing', async () => {
    const whole = await bisect(ratios, answer);
    expect(whole.kept.length).toBeGreaterThan(5);
    for (const state of whole.kept) {
      const resumed = await bisect(ratios, answer, structuredClone(state));
      expect(resumed.bisection).toEqual(whole.bisection);
      expect(resumed.tasks).toEqual(whole.tasks.slice(state.steps.length));
      // Killed again, it would have lost nothing.
      for (const { steps } of resumed.kept) {
        expect(steps.length).toBeGreaterThanOrEqual(state.steps.length);
      }
    }
  });

  test('measures an interrupted step again, with the same seed', async () => {
    const whole = await bisect(ratios, answer);
    for (let last = 0; last < whole.tasks.length; last++) {
      const cut = await bisect(ratios, (task, ratio) =>
        task.seed === whole.tasks[last].seed
          ? { ...UNSETTLED, reason: 'interrupted' }
          : answer(task, ratio),
      );
      expect(cut.bisection.ended).toBe('interrupted');
      const resumed = await bisect(ratios, answer, cut.bisection);
      expect(resumed.bisection).toEqual(whole.bisection);
      expect(resumed.tasks).toEqual(whole.tasks.slice(last));
    }
  });

  test('does not pass over a candidate that an interrupt kept from being prepared', async () => {
    let isInterrupted = false;
    const { ended, steps } = await runBisection(makeBisection(5), {
      compare: async (task) => {
        if (task.purpose === 'ends') return answerFor(2, null);
        isInterrupted = true;
        throw new MachineError('npm was killed');
      },
      keep: () => {},
      onStep: () => {},
      isInterrupted: () => isInterrupted,
      nowMs: () => 0,
    });
    expect(ended).toBe('interrupted');
    expect(steps.at(-1)).toMatchObject({ answer: 'unsettled', reason: 'interrupted' });
  });
});

/**
 * Plays a search to its end.
 *
 * @param {number} count of candidates
 * @param {(index: number, step: number) => StepAnswer} answer
 */
function play(count, answer) {
  let search = startSearch(count);
  /** @type {number[]} */
  const steps = [];
  for (;;) {
    const index = nextCandidate(search);
    if (index === null) return { search, steps };
    search = recordAnswer(search, index, answer(index, steps.length));
    steps.push(index);
  }
}

/**
 * @param {number} firstBad
 * @returns {(index: number) => 'good' | 'bad'}
 */
const from = (firstBad) => (index) => (index < firstBad ? 'good' : 'bad');

describe('where every candidate has an answer', () => {
  test('each position among up to 64 candidates is found in as many steps as halving takes', () => {
    for (let count = 2; count <= 64; count++) {
      for (let firstBad = 1; firstBad < count; firstBad++) {
        const { search, steps } = play(count, from(firstBad));
        expect(search).toMatchObject({ good: firstBad - 1, bad: firstBad, passedOver: [] });
        expect(steps.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count - 1)));
      }
    }
  });

  test('a thousand candidates take ten steps', () => {
    expect(countAnswers(1001)).toBe(10);
    expect(play(1001, from(617)).steps.length).toBeLessThanOrEqual(10);
  });

  test('two ends without anything between them need no step', () => {
    expect(play(2, from(1))).toMatchObject({ steps: [], search: { good: 0, bad: 1 } });
  });
});

describe('where some cannot be measured', () => {
  test('each set of them among eight leaves the first bad one between two that were told', () => {
    const count = 8;
    for (let set = 0; set < 2 ** (count - 2); set++) {
      /** @param {number} index */
      const isUnusable = (index) => ((set >> (index - 1)) & 1) === 1;
      for (let firstBad = 1; firstBad < count; firstBad++) {
        const tell = from(firstBad);
        const { search, steps } = play(count, (index) =>
          isUnusable(index) ? 'unusable' : tell(index),
        );
        expect(search.good).toBeLessThan(firstBad);
        expect(search.bad).toBeGreaterThanOrEqual(firstBad);
        for (let index = search.good + 1; index < search.bad; index++) {
          expect(isUnusable(index)).toBe(true);
        }
        expect(new Set(steps).size).toBe(steps.length);
        const passed = steps.filter(isUnusable).length;
        expect(steps.length).toBeLessThanOrEqual(countAnswers(count) + passed);
      }
    }
  });

  test('four thousand random searches end within their bounds, with the truth between', () => {
    const random = seedGenerator(11);
    for (let round = 0; round < 4000; round++) {
      const count = 2 + drawIndex(random, 300);
      const firstBad = 1 + drawIndex(random, count - 1);
      const tell = from(firstBad);
      const share = drawUniform(random) / 2;
      const fate = Array.from({ length: count }, () => drawUniform(random));
      let tests = 0;
      const { search, steps } = play(count, (index) => {
        if (fate[index] < share) return 'unusable';
        tests += 1;
        return drawUniform(random) < 0.1 ? 'unsettled' : tell(index);
      });
      expect(search.good).toBeLessThan(firstBad);
      expect(search.bad).toBeGreaterThanOrEqual(firstBad);
      expect(tests).toBeLessThanOrEqual(countTests(count));
      expect(steps.length).toBe(tests + search.passedOver.filter((i) => fate[i] < share).length);
      if (search.testsLeft > 0) expect(listOpen(search)).toEqual([]);
    }
  });
});

describe('where an answer is not clear', () => {
  test('the candidate is tried again, and passed over after the last attempt', () => {
    const { steps, search } = play(16, (index) => (index === 8 ? 'unsettled' : from(12)(index)));
    expect(steps.slice(0, MAX_ATTEMPTS)).toEqual([8, 8, 8]);
    expect(steps[MAX_ATTEMPTS]).not.toBe(8);
    expect(search).toMatchObject({ good: 11, bad: 12, passedOver: [8] });
  });

  test('an attempt with an answer counts, whatever came before it', () => {
    const { search } = play(16, (index, step) => (step < 2 ? 'unsettled' : from(3)(index)));
    expect(search).toMatchObject({ good: 2, bad: 3, passedOver: [] });
  });

  test('attempts at one candidate are not counted against the next', () => {
    const { steps } = play(16, (index, step) => {
      if (index === 8) return step < 2 ? 'unsettled' : 'unusable';
      return index === 7 ? 'unsettled' : from(3)(index);
    });
    expect(steps.filter((index) => index === 7)).toHaveLength(MAX_ATTEMPTS);
  });

  test('the search ends when the comparisons that its error rate pays for are used up', () => {
    const { steps, search } = play(100, () => 'unsettled');
    expect(steps).toHaveLength(countTests(100));
    expect(listOpen(search).length).toBeGreaterThan(0);
  });
});
