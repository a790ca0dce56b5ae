import { drawUniform, seedGenerator } from '../random.js';
import { meanOf } from '../means.js';
import { compareByPermutation } from './permutation.js';

/**
 * p by the definition: the share of all choices of as many values with a difference at least as large.
 * @type {(first: number[], second: number[], shift?: number) => number}
 */
function findP(first, second, shift = 0) {
  const all = [...first.map((value) => value - shift), ...second];
  const differences = Array.from({ length: 2 ** all.length }, (_, bits) => {
    const isFirst = (/** @type {unknown} */ _value, /** @type {number} */ index) =>
      ((bits >> index) & 1) === 1;
    const chosen = all.filter(isFirst);
    if (chosen.length !== first.length) return null;
    return Math.abs(meanOf(chosen) - meanOf(all.filter((value, index) => !isFirst(value, index))));
  }).filter((difference) => difference !== null);
  const real = Math.abs(meanOf(first) - meanOf(second) - shift);
  return differences.filter((one) => one >= real - 1e-9).length / differences.length;
}

/** Random samples, half of them with ties. */
function drawSamples() {
  const random = seedGenerator(5);
  return Array.from({ length: 40 }, (_, index) => {
    const draw = (/** @type {number} */ size, /** @type {number} */ shift) =>
      Array.from({ length: size }, () => {
        const value = drawUniform(random);
        return (index % 2 === 0 ? value : Math.round(value)) + shift;
      });
    return { first: draw(3 + (index % 3), (index % 5) / 2), second: draw(3 + (index % 4), 0) };
  });
}

describe('the permutation test', () => {
  test('has the p of its definition', () => {
    for (const { first, second } of drawSamples()) {
      expect(compareByPermutation(first, second, 0.1).p).toBeCloseTo(findP(first, second), 12);
    }
  });

  test.each([
    ['6 against 12', 6, 12, 1 / 18_564],
    ['4 against 8', 4, 8, 1 / 495],
    ['3 against 6', 3, 6, 1 / 84],
    ['6 against 6', 6, 6, 2 / 924],
  ])('has a smallest p of %s', (_, size, otherSize, p) => {
    const result = compareByPermutation(Array(size).fill(1), Array(otherSize).fill(0), 0.02);
    expect(result.p).toBeCloseTo(p, 12);
  });

  test('of equal values has a p of 1', () => {
    const values = Array(6).fill(Math.log(1000.1));
    expect(compareByPermutation(values, [...values, ...values], 0.02).p).toBe(1);
  });
});

describe('the interval', () => {
  test('excludes 0 if and only if p is at most the level', () => {
    for (const level of [0.02, 0.1, 0.3]) {
      for (const { first, second } of drawSamples()) {
        const { low, high, p } = compareByPermutation(first, second, level);
        expect(low > 0 || high < 0).toBe(p <= level);
      }
    }
  });

  test('ends at the shifts that the test begins to reject', () => {
    const level = 0.1;
    for (const { first, second } of drawSamples()) {
      const { low, high } = compareByPermutation(first, second, level);
      if (!Number.isFinite(high - low)) continue;
      expect(findP(first, second, low - 1e-6)).toBeLessThanOrEqual(level);
      expect(findP(first, second, low + 1e-6)).toBeGreaterThan(level);
      expect(findP(first, second, high - 1e-6)).toBeGreaterThan(level);
      expect(findP(first, second, high + 1e-6)).toBeLessThanOrEqual(level);
    }
  });

  test('has no width only where no value differs from the others of its sample', () => {
    const one = compareByPermutation([0, 0, 0, 0, 0, 0.04], Array(12).fill(0), 0.02);
    expect(one.p).toBeCloseTo(1 / 3, 12);
    expect(one.low).toBeCloseTo(0, 8);
    expect(one.high).toBeCloseTo(0.0178, 4);
    const none = compareByPermutation(Array(6).fill(1), Array(12).fill(0), 0.02);
    expect([none.low, none.high]).toEqual([expect.closeTo(1, 8), expect.closeTo(1, 8)]);
  });

  test('is unbounded with too few values', () => {
    const { low, high } = compareByPermutation([1, 1], [0, 0, 0, 0], 0.02);
    expect([low, high]).toEqual([-Infinity, Infinity]);
  });
});
