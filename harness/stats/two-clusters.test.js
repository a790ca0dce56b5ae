import { expect, test } from '@jest/globals';

import { drawNoise, NOISE_SHAPES } from './noise.js';
import { seedGenerator } from './random.js';
import { findTwoClusters } from './two-clusters.js';

test('two optimisation paths 8 % apart are told apart', () => {
  const random = seedGenerator(3);
  const values = Float64Array.from(
    { length: 48 },
    (_, index) => (index % 3 === 0 ? 0.08 : 0) + 0.01 * drawNoise('normal', random),
  ).sort();
  const found = findTwoClusters(values);
  expect(found?.gap).toBeCloseTo(0.08, 2);
  expect(found?.smallerShare).toBeCloseTo(1 / 3, 2);
});

test.each(NOISE_SHAPES)('%s noise of one group is rarely taken for two', (shape) => {
  const random = seedGenerator(4);
  let found = 0;
  for (let sample = 0; sample < 1000; sample++) {
    const values = Float64Array.from({ length: 24 }, () => drawNoise(shape, random)).sort();
    if (findTwoClusters(values) !== null) found += 1;
  }
  expect(found).toBeLessThan(20);
});

test('a lone outlier and a small sample are no groups', () => {
  expect(findTwoClusters([...Array(30).fill(1), 9])).toBeNull();
  expect(findTwoClusters([1, 1, 1, 2, 2, 2])).toBeNull();
});
