import { describe, expect, test } from '@jest/globals';

import { takeProportion } from './proportion.js';

describe('Clopper and Pearson', () => {
  // Of NIST's Dataplot page and of R's binom.test.
  test.each([
    [4, 20, 0.0573, 0.4366],
    [81, 263, 0.2527, 0.3676],
    [5, 100, 0.0164, 0.1128],
    [0, 200, 0, 0.0183],
    [4, 200, 0.0055, 0.0504],
  ])('%i of %i is %f to %f', (count, of, low, high) => {
    const proportion = takeProportion(count, of);
    expect(proportion).toMatchObject({ count, of });
    expect(proportion.low).toBeCloseTo(low, 4);
    expect(proportion.high).toBeCloseTo(high, 4);
  });

  test('all is nothing, mirrored', () => {
    expect(takeProportion(10, 10).low).toBeCloseTo(1 - takeProportion(0, 10).high, 10);
    expect(takeProportion(10, 10).high).toBe(1);
  });

  test('without tries anything may be', () => {
    expect(takeProportion(0, 0)).toEqual({ count: 0, of: 0, low: 0, high: 1 });
  });
});
