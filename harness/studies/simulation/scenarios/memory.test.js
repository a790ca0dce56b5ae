import { expect, test } from '@jest/globals';
import { simulate } from '../scenario.js';
import { MEMORY_SCENARIOS } from './memory.js';

/** So few that only a broken rule exceeds a limit for certain. */
const RUNS = 30;

test.each(MEMORY_SCENARIOS)('memory keeps its promise: $name', (scenario) => {
  const { shares } = simulate(scenario, RUNS, 19);
  for (const [name, limit] of Object.entries(scenario.limits)) {
    const { low } = shares[/** @type {keyof typeof shares} */ (name)];
    expect([name, low <= limit]).toEqual([name, true]);
  }
});
