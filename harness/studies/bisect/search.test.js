import { describe, expect, test } from '@jest/globals';
import { drawIndex, drawUniform, seedGenerator } from '../../stats/random.js';
import {
  countAnswers,
  countTests,
  listOpen,
  MAX_ATTEMPTS,
  nextCandidate,
  recordAnswer,
  startSearch,
} from './search.js';

/** @import { StepAnswer } from './types.ts' */

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
