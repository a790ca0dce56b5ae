import { describe, expect, test } from '@jest/globals';

import { seedGenerator } from './random.js';
import { simulateRule } from './simulate.js';

// The rates themselves are tested in scripts/simulate-rule.test.js; this is about the counting.
const RULE = { alpha: 0.05, minimumEffect: 0.03, looks: [12, 24] };
const NOISE = { noise: /** @type {const} */ ('normal'), spread: 0.001 };

test('equal seeds give equal rates, others differ', () => {
  const scenario = { ratios: [1, 1.02], controlRatio: 1, noise: NOISE.noise, spread: 0.042 };
  const once = simulateRule(RULE, scenario, 4, seedGenerator(5));
  expect(simulateRule(RULE, scenario, 4, seedGenerator(5))).toEqual(once);
  expect(simulateRule(RULE, scenario, 4, seedGenerator(6))).not.toEqual(once);
});

describe('with hardly any noise every truth is recognised and counted', () => {
  test('a slower, a faster and two equal cells', () => {
    const scenario = { ratios: [1.2, 0.8, 1, 1.01], controlRatio: 1, ...NOISE };
    const rates = simulateRule(RULE, scenario, 5, seedGenerator(1));
    expect(rates.verdicts).toMatchObject({ slower: 0.25, faster: 0.25, equivalent: 0.5 });
    expect(rates.rightDirection).toBe(0.5);
    expect(rates.runsWithFalseDirection).toBe(0);
    expect(rates.processes).toBe(12);
  });

  test('a control that explains the effect makes the cell untrusted and measures to the end', () => {
    const scenario = { ratios: [0.9], controlRatio: 0.9, ...NOISE };
    const rates = simulateRule(RULE, scenario, 5, seedGenerator(2));
    expect(rates.verdicts.untrusted).toBe(1);
    expect(rates.controlDiffered).toBe(1);
    expect(rates.processes).toBe(24);
  });

  test('a control that is off by a tenth of the effect leaves it standing', () => {
    const scenario = { ratios: [2], controlRatio: 1.05, ...NOISE };
    const rates = simulateRule(RULE, scenario, 5, seedGenerator(3));
    expect(rates.verdicts.slower).toBe(1);
    expect(rates.controlDiffered).toBe(1);
  });
});
