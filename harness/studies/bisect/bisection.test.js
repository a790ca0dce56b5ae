import { validate } from '../../formats/schemas.js';
import { AssayError, MachineError, UsageError } from '../../lib/errors.js';
import { drawIndex, drawUniform, seedGenerator } from '../../stats/random.js';
import { isLong, testMore } from '../../testing/support/gates.js';
import { runStudy } from '../study.js';
import { countComparisons, makeBisectionStudy } from './bisection.js';
import { requireRegression } from './step.js';
import { answerFor, makeBisection } from './test-support/fixtures.js';

/** @import { Bisection, StepAnswer, StepOutcome } from '../../formats/types.ts' */
/** @import { StepTask } from './bisection.js' */

const MAX_ATTEMPTS = 3;
/** @type {StepOutcome} */
const UNSETTLED = { ...answerFor(1.2, 1.2), answer: 'unsettled', reason: 'not settled' };
/** @type {StepOutcome} */
const INTERRUPTED = { ...UNSETTLED, reason: 'interrupted' };

/** @typedef {(task: StepTask, ratio: number) => StepOutcome} Answer may throw */

/**
 * Runs a bisection on simulated answers.
 *
 * @param {number[]} ratios of the candidates to the first
 * @param {Answer} [answer] by default the true one
 * @param {Bisection} [opened] to resume
 */
async function bisect(ratios, answer = answerTruly, opened = makeBisection(ratios.length)) {
  /** @type {StepTask[]} */
  const tasks = [];
  /** @type {Bisection[]} */
  const kept = [];
  const interrupts = new AbortController();
  const study = makeBisectionStudy(async (task) => {
    tasks.push(task);
    const outcome = answer(task, ratios[task.candidate] / ratios[task.baseline]);
    if (outcome.reason === 'interrupted') interrupts.abort();
    return outcome;
  });
  const { state } = await runStudy(study, opened, {
    signal: interrupts.signal,
    save: (current) => kept.push(structuredClone(current)),
    nowMs: () => tasks.length * 1500,
  });
  return { bisection: state, tasks, kept };
}

/** @type {Answer} */
function answerTruly({ boundary }, ratio) {
  return answerFor(ratio, boundary);
}

/**
 * @param {(task: StepTask) => boolean} isMeant
 * @param {StepOutcome | Error} outcome thrown if it is an error
 * @returns {Answer} the outcome for tasks that are meant, else the true answer
 */
function answerWith(isMeant, outcome) {
  return (task, ratio) => {
    if (!isMeant(task)) return answerTruly(task, ratio);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
}

describe('a clear regression', () => {
  test('is found, with its ratio to the candidate before', async () => {
    const { bisection } = await bisect([1, 1.01, 0.99, 1.5, 1.5, 1.52, 1.5, 1.5]);
    expect(bisection).toMatchObject({
      ended: 'found',
      lastGood: 'npm:codec@1.2.0',
      firstBad: 'npm:codec@1.3.0',
      skipped: [],
      change: { verdict: 'slower', ratio: { estimate: 1.5 / 0.99 } },
    });
    expect(bisection.boundary).toBeCloseTo(Math.sqrt(1.5), 12);
  });

  test('is searched against the good end, with another seed in every step', async () => {
    const { tasks, bisection } = await bisect([1, 1, 1, 1, 1, 1.5, 1.5, 1.5, 1.5]);
    const purposes = ['ends', 'search', 'search', 'search', 'neighbours'];
    expect(tasks.map(({ purpose }) => purpose)).toEqual(purposes);
    for (const task of tasks.filter(({ purpose }) => purpose === 'search')) {
      expect(task).toMatchObject({ baseline: 0, boundary: bisection.boundary, alpha: 0.05 / 9 });
    }
    expect(tasks.map(({ seed }) => seed)).toEqual([7, 8, 9, 10, 11]);
    expect(bisection.steps.every(({ seconds }) => seconds === 1.5)).toBe(true);
  });

  test.each([2, 3, 4, 5, 9, 20])(
    'takes at most the announced number of comparisons: %i candidates',
    async (count) => {
      const lengths = [];
      for (let bad = 1; bad < count; bad++) {
        const ratios = Array.from({ length: count }, (_, index) => (index < bad ? 1 : 1.5));
        lengths.push((await bisect(ratios)).tasks.length);
      }
      expect(Math.max(...lengths)).toBe(countComparisons(count));
    },
  );

  test('between neighbours is measured once', async () => {
    const { bisection, tasks } = await bisect([1, 2]);
    expect(tasks).toHaveLength(1);
    expect(bisection).toMatchObject({ ended: 'found', change: { ratio: { estimate: 2 } } });
  });

  test('is stored after every step in the published format', async () => {
    const { kept, bisection, tasks } = await bisect([1, 1, 2, 2, 2]);
    for (const each of kept) validate('bisection', each);
    expect(new Set(kept.map(({ steps }) => steps.length)).size).toBe(tasks.length);
    expect(kept.at(-1)).toEqual(bisection);
  });
});

describe('a candidate that cannot be measured', () => {
  /** @param {StepTask} task */
  const isThird = ({ candidate }) => candidate === 3;

  test('is skipped, and listed with the reason if it is next to the change', async () => {
    const failure = new MachineError('the build failed\nwith many words');
    const { bisection } = await bisect([1, 1, 1, 1, 2, 2, 2], answerWith(isThird, failure));
    expect(bisection).toMatchObject({
      ended: 'found',
      lastGood: 'npm:codec@1.2.0',
      firstBad: 'npm:codec@1.4.0',
      skipped: [{ spec: 'npm:codec@1.3.0', reason: 'the build failed\nwith many words' }],
      change: { ratio: { estimate: 2 } },
    });
    validate('bisection', bisection);
  });

  test('is not listed if the change is elsewhere', async () => {
    const failure = new UsageError('no module');
    const { bisection } = await bisect([1, 2, 2, 2, 2, 2, 2], answerWith(isThird, failure));
    expect(bisection).toMatchObject({ firstBad: 'npm:codec@1.1.0', skipped: [] });
  });

  test.each([
    ['if it is an end', 'ends', new UsageError('no such version')],
    ['if the cause is a defect of Assay', 'search', new TypeError('defect')],
  ])('ends the bisection %s', async (_, meant, failure) => {
    const failing = bisect(
      [1, 1, 2],
      answerWith(({ purpose }) => purpose === meant, failure),
    );
    await expect(failing).rejects.toBe(failure);
  });
});

describe('a step without an answer', () => {
  test('is repeated with another seed, and only the repetition counts', async () => {
    const isEarly = (/** @type {StepTask} */ { purpose, attempt }) =>
      purpose === 'search' && attempt < MAX_ATTEMPTS;
    const { bisection, tasks } = await bisect([1, 1, 1, 2, 2], answerWith(isEarly, UNSETTLED));
    const first = tasks.filter(({ candidate }) => candidate === 2).slice(0, 3);
    expect(first.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(first.map(({ seed }) => seed)).size).toBe(3);
    expect(bisection).toMatchObject({ firstBad: 'npm:codec@1.3.0' });
  });

  test('after three attempts next to the change leaves the bisection unsettled', async () => {
    const answer = answerWith(({ candidate }) => candidate === 2, UNSETTLED);
    const { bisection } = await bisect([1, 1, 1.2, 2, 2, 2, 2, 2, 2], answer);
    expect(bisection).toMatchObject({
      ended: 'not-settled',
      lastGood: 'npm:codec@1.1.0',
      firstBad: 'npm:codec@1.3.0',
      skipped: [{ spec: 'npm:codec@1.2.0', reason: 'not settled' }],
      change: null,
    });
  });
});

describe('ends', () => {
  /** @param {Bisection} bisection */
  const requireIt = (bisection) => () => requireRegression(bisection, 'reports/runs/here');

  test('without a regression are refused with the interval', async () => {
    const { bisection, tasks } = await bisect([1, 2, 1.01]);
    expect(tasks).toHaveLength(1);
    expect(bisection.ended).toBe('no-regression');
    expect(requireIt(bisection)).toThrow(UsageError);
    expect(requireIt(bisection)).toThrow(
      /equivalent, ×1\.010 \(98\.33\s% interval 0\.9999–1\.020\) from 12 processes/,
    );
  });

  test('are compared up to three times, which share the error rate', async () => {
    const { bisection, tasks } = await bisect([1, 1.5, 1.5], () => UNSETTLED);
    expect(tasks.map(({ alpha }) => alpha)).toEqual([0.05 / 3, 0.05 / 3, 0.05 / 3]);
    expect(bisection).toMatchObject({ ended: 'not-settled', boundary: null });
    expect(requireIt(bisection)).toThrow(MachineError);
  });

  test('that fail the gate are refused with the reason and the status of wrong bytes', async () => {
    const reason = 'breaks the behaviour contract: key-order';
    const refusal = { ...UNSETTLED, answer: 'unusable', verdict: 'refused', reason };
    const { bisection } = await bisect([1, 2], () => /** @type {StepOutcome} */ (refusal));
    expect(requireIt(bisection)).toThrow(AssayError);
    expect(requireIt(bisection)).toThrow(/cannot be compared: breaks the behaviour contract/);
    expect(requireIt(bisection)).toThrow(expect.objectContaining({ exitStatus: 3 }));
  });

  test('with a regression are accepted', async () => {
    const { bisection } = await bisect([1, 2]);
    expect(requireIt(bisection)).not.toThrow();
  });
});

describe('an interruption', () => {
  test.each([
    ['ends', 1],
    ['search', 2],
    ['neighbours', 4],
  ])('of the step %s ends the bisection and keeps what is known', async (meant, steps) => {
    const answer = answerWith(({ purpose }) => purpose === meant, INTERRUPTED);
    const { bisection, kept } = await bisect([1, 1, 1, 2, 2], answer);
    expect(bisection.ended).toBe('interrupted');
    expect(bisection.steps).toHaveLength(steps);
    expect(kept.at(-1)).toEqual(bisection);
  });

  test('during the preparation of a candidate does not skip it', async () => {
    const interrupts = new AbortController();
    const study = makeBisectionStudy(async (task) => {
      if (task.purpose === 'ends') return answerFor(2, null);
      interrupts.abort();
      throw new MachineError('npm was killed');
    });
    const { signal } = interrupts;
    const { state } = await runStudy(study, makeBisection(5), { signal, save: () => {} });
    expect(state).toMatchObject({ ended: 'interrupted', steps: [{ purpose: 'ends' }] });
  });
});

describe('a resumed bisection', () => {
  const ratios = [1, 1, 1, 1.01, 2, 2, 2];
  const answer = answerWith(
    ({ candidate, attempt }) => candidate === 3 && attempt === 1,
    UNSETTLED,
  );

  test('has the same result from every stored state, and measures only the missing steps', async () => {
    const whole = await bisect(ratios, answer);
    expect(whole.kept.length).toBeGreaterThan(5);
    for (const state of whole.kept) {
      const resumed = await bisect(ratios, answer, structuredClone(state));
      expect(resumed.bisection).toEqual(whole.bisection);
      expect(resumed.tasks).toEqual(whole.tasks.slice(state.steps.length));
      // If it is killed as well, no step is lost.
      const lengths = resumed.kept.map(({ steps }) => steps.length);
      expect(Math.min(...lengths, Infinity)).toBeGreaterThanOrEqual(state.steps.length);
    }
  });

  test('measures an interrupted step again, with the same seed', async () => {
    const whole = await bisect(ratios, answer);
    for (const [index, last] of whole.tasks.entries()) {
      const interrupted = await bisect(ratios, (task, ratio) =>
        task.seed === last.seed ? INTERRUPTED : answer(task, ratio),
      );
      expect(interrupted.bisection.ended).toBe('interrupted');
      const resumed = await bisect(ratios, answer, interrupted.bisection);
      expect(resumed.bisection).toEqual(whole.bisection);
      expect(resumed.tasks).toEqual(whole.tasks.slice(index));
    }
  });
});

/** @typedef {(index: number, step: number) => StepAnswer} SearchAnswer of a candidate in a step of the search */

/**
 * Runs a bisection whose ends differ.
 *
 * @param {number} count of candidates
 * @param {SearchAnswer} answer
 */
async function search(count, answer) {
  /** @type {number[]} */
  const steps = [];
  const study = makeBisectionStudy(async ({ purpose, candidate, boundary }) => {
    const truth = answerFor(2, boundary);
    if (purpose !== 'search') return truth;
    const given = { ...truth, answer: answer(candidate, steps.length) };
    steps.push(candidate);
    return given;
  });
  const { signal } = new AbortController();
  const { state: bisection } = await runStudy(study, makeBisection(count), {
    signal,
    save: () => {},
  });
  const indexOf = (/** @type {string} */ wanted) =>
    bisection.candidates.findIndex(({ spec }) => spec === wanted);
  return {
    good: indexOf(bisection.lastGood),
    bad: indexOf(bisection.firstBad),
    skipped: bisection.skipped.map(({ spec }) => indexOf(spec)),
    steps,
  };
}

/** @type {(firstBad: number) => SearchAnswer} */
const from = (firstBad) => (index) => (index < firstBad ? 'good' : 'bad');

/** @param {number} count of candidates */
const countHalvings = (count) => Math.ceil(Math.log2(count - 1));

/** Of random answers. */
const ROUNDS = isLong ? 1000 : 60;

describe('a search', () => {
  test('finds every position by halving, among few candidates and around powers of two', async () => {
    for (const count of [2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 17, 18, 32, 33, 34]) {
      for (let firstBad = 1; firstBad < count; firstBad++) {
        const { steps, ...found } = await search(count, from(firstBad));
        expect(found).toEqual({ good: firstBad - 1, bad: firstBad, skipped: [] });
        expect(steps.length).toBeLessThanOrEqual(countHalvings(count));
      }
    }
  });

  test('among a thousand candidates takes ten steps', async () => {
    expect((await search(1001, from(617))).steps.length).toBeLessThanOrEqual(10);
  });

  test('around each set of unusable candidates among eight has the change between its ends', async () => {
    const count = 8;
    for (let set = 0; set < 2 ** (count - 2); set++) {
      const isUnusable = (/** @type {number} */ index) => ((set >> (index - 1)) & 1) === 1;
      for (let firstBad = 1; firstBad < count; firstBad++) {
        const { good, bad, steps } = await search(count, (index, step) =>
          isUnusable(index) ? 'unusable' : from(firstBad)(index, step),
        );
        expect(good).toBeLessThan(firstBad);
        expect(bad).toBeGreaterThanOrEqual(firstBad);
        for (let index = good + 1; index < bad; index++) expect(isUnusable(index)).toBe(true);
        expect(new Set(steps).size).toBe(steps.length);
        const skipped = steps.filter(isUnusable).length;
        expect(steps.length).toBeLessThanOrEqual(countHalvings(count) + skipped);
      }
    }
  });

  testMore(
    'with random answers ends within its bounds, with the change between its ends',
    async () => {
      const random = seedGenerator(11);
      for (let round = 0; round < ROUNDS; round++) {
        const count = 2 + drawIndex(random, 300);
        const firstBad = 1 + drawIndex(random, count - 1);
        const share = drawUniform(random) / 2;
        const fate = Array.from({ length: count }, () => drawUniform(random));
        let tests = 0;
        const { good, bad, skipped, steps } = await search(count, (index, step) => {
          if (fate[index] < share) return 'unusable';
          tests += 1;
          return drawUniform(random) < 0.1 ? 'unsettled' : from(firstBad)(index, step);
        });
        const most = MAX_ATTEMPTS * countHalvings(count);
        expect(good).toBeLessThan(firstBad);
        expect(bad).toBeGreaterThanOrEqual(firstBad);
        expect(tests).toBeLessThanOrEqual(most);
        const unusable = steps.filter((index) => fate[index] < share);
        expect(new Set(unusable).size).toBe(steps.length - tests);
        // Only a search without tests left may leave a candidate open.
        if (tests < most) expect(skipped).toHaveLength(bad - good - 1);
      }
    },
  );

  test('repeats an unsettled candidate, and skips it after the last attempt', async () => {
    const { steps, ...found } = await search(16, (index, step) =>
      index === 8 ? 'unsettled' : from(12)(index, step),
    );
    expect(steps.slice(0, MAX_ATTEMPTS)).toEqual([8, 8, 8]);
    expect(steps[MAX_ATTEMPTS]).not.toBe(8);
    expect(found).toEqual({ good: 11, bad: 12, skipped: [] });
  });

  test('accepts the answer of a later attempt', async () => {
    const found = await search(16, (index, step) =>
      step < 2 ? 'unsettled' : from(3)(index, step),
    );
    expect(found).toMatchObject({ good: 2, bad: 3, skipped: [] });
  });

  test('counts the attempts at each candidate separately', async () => {
    const { steps } = await search(16, (index, step) => {
      if (index === 8) return step < 2 ? 'unsettled' : 'unusable';
      return index === 7 ? 'unsettled' : from(3)(index, step);
    });
    expect(steps.filter((index) => index === 7)).toHaveLength(MAX_ATTEMPTS);
  });

  test('ends when the comparisons that its error rate allows are used up', async () => {
    const { steps, good, bad, skipped } = await search(100, () => 'unsettled');
    expect(steps).toHaveLength(MAX_ATTEMPTS * countHalvings(100));
    expect(skipped.length).toBeLessThan(bad - good - 1);
  });
});
