import { expect, test } from '@jest/globals';
import { simulate } from '../scenario.js';
import { CLAIM_SCENARIOS } from './claims.js';

/** Few, to limit the time of the test; a broken rule is wrong in most runs. */
const RUNS = 40;

test.each(CLAIM_SCENARIOS.filter(({ name }) => name.endsWith('4.2 %')))(
  '$name: is rarely reproduced wrongly',
  (scenario) => {
    const { wrong } = simulate(scenario, RUNS, 204).shares;
    expect(wrong.low).toBeLessThanOrEqual(scenario.limits.wrong ?? 0);
  },
);
