import { describe, expect, test } from '@jest/globals';

import { seedGenerator } from '../random.js';
import { splitNoise } from './noise-parts.js';
import { simulateTrials } from './simulate-trials.js';
import { makeUnjudgedWorld } from '../../studies/calibration/test-support/made-up-world.js';

/** @import { TrialWorld } from './simulate-trials.js' */

/** @param {Partial<TrialWorld>} changes */
function splitWorld(changes) {
  return splitNoise(simulateTrials(makeUnjudgedWorld(changes), 200, seedGenerator(3)), null);
}

describe('parts of the noise', () => {
  test('are found as they were put in', () => {
    const { process, drift } = splitWorld({ processDeviation: 0.03, driftDeviation: 0.02 });
    expect(process).toBeCloseTo(0.03, 3);
    expect(drift).toBeGreaterThan(0.017);
    expect(drift).toBeLessThan(0.023);
  });

  test('drift is next to nothing where there is none', () => {
    expect(splitWorld({ driftDeviation: 0 }).drift).toBeLessThan(0.002);
  });

  test('an injected cost and the difference between cells are no noise', () => {
    const { process, drift } = splitWorld({ injected: [0, 0.1] });
    expect(process).toBeCloseTo(0.03, 3);
    expect(drift).toBeLessThan(0.002);
    const trials = simulateTrials(makeUnjudgedWorld(), 40, seedGenerator(4)).map((trial) => ({
      ...trial,
      processed: trial.processed.map((process) => ({
        ...process,
        ns: process.ns * (trial.cellId === 'serialize flat' ? 1 : 40),
      })),
    }));
    expect(splitNoise(trials, null).drift).toBeLessThan(0.005);
  });

  test('the share between batches is passed on', () => {
    expect(splitNoise([], 0.006)).toEqual({ process: 0, batch: 0.006, drift: 0 });
  });
});
