import { normalCritical } from './distributions.js';
import {
  adjustByHolm,
  levelOfLook,
  nominalLevel,
  overallLevel,
  toPlannedP,
} from './multiplicity.js';
import { drawNormal } from '../studies/simulation/noise.js';
import { drawUniform, seedGenerator } from './random.js';

const DOUBLING = [12, 24, 48, 96];

describe('equally spaced looks agree with the published constants', () => {
  // Boundaries C_P(K, α) from Jennison and Turnbull, "Group Sequential Methods with Applications to
  // Clinical Trials" (2000), table 2.1; for K = 4, α = 0.05 the nominal level is Pocock's 0.0182.
  test.each([
    [0.05, 2, 2.178],
    [0.05, 4, 2.361],
    [0.05, 5, 2.413],
    [0.05, 10, 2.555],
    [0.01, 4, 2.939],
  ])('overall level %d with %d looks', (alpha, count, boundary) => {
    const looks = Array.from({ length: count }, (_, index) => 10 * (index + 1));
    expect(Math.abs(normalCritical(nominalLevel(alpha, looks)) - boundary)).toBeLessThan(6e-4);
  });
});

test('doubling looks agree with a simulation of the growing mean', () => {
  const nominal = nominalLevel(0.05, DOUBLING);
  const boundary = normalCritical(nominal);
  const random = seedGenerator(20);
  const paths = 100_000;
  let crossed = 0;
  for (let path = 0; path < paths; path++) {
    let sum = 0;
    let before = 0;
    for (const look of DOUBLING) {
      sum += Math.sqrt(look - before) * drawNormal(random);
      before = look;
      if (Math.abs(sum) > boundary * Math.sqrt(look)) {
        crossed += 1;
        break;
      }
    }
  }
  // Three standard errors of a share of 5 % over 100 000 paths.
  expect(Math.abs(crossed / paths - 0.05)).toBeLessThan(0.0021);
});

describe('unplanned looks', () => {
  const plan = { looks: [16, 32, 64, 128], hasRough: false };
  const unplanned = [5, 9, 20, 25, 40, 50, 60, 80, 100, 120];
  const all = [...plan.looks, ...unplanned].sort((a, b) => a - b);
  /** @type {(size: number, taken?: number[]) => number} */
  const levelAt = (size, taken = unplanned.filter((look) => look <= size)) =>
    levelOfLook(0.02, { ...plan, unplanned: taken, size });

  test('have a level that later looks do not change, and the others have theirs again', () => {
    expect(levelAt(20, [20, 40, 100])).toBe(levelAt(20, [20]));
    expect(levelAt(64, [20])).toBe(nominalLevel(0.02, plan.looks));
    expect(levelAt(32, [20])).toBeLessThan(levelAt(32, []));
  });

  test('spend together with the planned ones what these alone would', () => {
    const boundaries = all.map((size) => normalCritical(levelAt(size)));
    const random = seedGenerator(4);
    const paths = 40_000;
    let crossed = 0;
    for (let path = 0; path < paths; path++) {
      let [sum, before] = [0, 0];
      for (const [index, look] of all.entries()) {
        sum += Math.sqrt(look - before) * drawNormal(random);
        before = look;
        if (Math.abs(sum) <= boundaries[index] * Math.sqrt(look)) continue;
        crossed += 1;
        break;
      }
    }
    // Three standard errors of a share of 2 % over 40 000 paths.
    expect(Math.abs(crossed / paths - 0.02)).toBeLessThan(0.0021);
  });

  test('have a corrected p of at most alpha where they reject at their level', () => {
    for (const size of [20, 25, 32]) {
      const taken = { ...plan, unplanned: [20, 25], size };
      const level = levelOfLook(0.02, taken);
      const correct = (/** @type {number} */ p) =>
        overallLevel(toPlannedP(p, taken, size), plan.looks);
      expect(correct(level * 0.999)).toBeLessThan(0.02);
      expect(correct(level * 1.001)).toBeGreaterThan(0.02);
    }
  });
});

test('a single look needs no correction', () => {
  expect(overallLevel(0.03, [17])).toBe(0.03);
  expect(nominalLevel(0.03, [17])).toBeCloseTo(0.03, 9);
});

test('the overall level is the inverse of the nominal one, even for close looks', () => {
  for (const looks of [DOUBLING, [12, 24, 48, 96, 97], [4, 12, 5000]]) {
    expect(overallLevel(nominalLevel(0.05, looks), looks)).toBeCloseTo(0.05, 8);
  }
});

test('a look that almost repeats the previous one adds almost nothing', () => {
  const added = overallLevel(0.02, [50, 100, 101]) - overallLevel(0.02, [50, 100]);
  expect(added).toBeGreaterThan(0);
  expect(added).toBeLessThan(0.003);
});

test('far out, the probabilities of the looks add up', () => {
  expect(overallLevel(1e-60, DOUBLING) / 4e-60).toBeCloseTo(1, 6);
  expect(overallLevel(1e-200, DOUBLING) / 4e-200).toBeCloseTo(1, 6);
  expect(overallLevel(0, DOUBLING)).toBe(0);
});

test('a p near 1 stays near 1', () => {
  expect(overallLevel(1, DOUBLING)).toBe(1);
  expect(overallLevel(0.9, DOUBLING)).toBeGreaterThan(0.99);
});

test('the smallest p is multiplied by the number of tests, the next by one less', () => {
  const [third, first, second] = adjustByHolm([0.5, 0.01, 0.02]);
  expect(first).toBeCloseTo(0.03, 12);
  expect(second).toBeCloseTo(0.04, 12);
  expect(third).toBeCloseTo(0.5, 12);
});

test('adjusted values never fall below those of smaller p, nor exceed 1', () => {
  expect(adjustByHolm([0.02, 0.021])).toEqual([0.04, 0.04]);
  expect(adjustByHolm([0.7, 0.9])).toEqual([1, 1]);
  expect(adjustByHolm([])).toEqual([]);
});

test('tests that are not given count with a p-value of 1', () => {
  expect(adjustByHolm([0.01, 0.002], 4)).toEqual(adjustByHolm([0.01, 0.002, 1, 1]).slice(0, 2));
});

test('no adjusted value falls when a p-value rises', () => {
  const random = seedGenerator(20250613);
  for (let round = 0; round < 100; round++) {
    const before = Array.from({ length: 5 }, () => drawUniform(random) ** 3);
    const after = before.map((p) => (drawUniform(random) < 0.5 ? p : Math.min(1, p * 4)));
    const adjusted = adjustByHolm(after);
    adjustByHolm(before).forEach((p, index) => expect(adjusted[index]).toBeGreaterThanOrEqual(p));
  }
});
