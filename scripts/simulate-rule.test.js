import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, test } from '@jest/globals';

import { isLong } from '../harness/testing/support/gates.js';
import { NOISE_SHAPES } from '../harness/studies/simulation/noise.js';

/** @import { RuleRates } from '../harness/testing/simulation/runs.js' */

const RUNS = isLong ? 120 : 40;
const CELLS = 6;
const EQUAL = 'no difference';
const AT_MINIMUM = '3 % slower in all 6';
const LARGE = '10 % slower in all 6';
const BASELINE_OFF = 'no difference, baseline off by 10 %';

/** @type {Map<string, RuleRates>} */
const byScenario = new Map();

// In a separate process: millions of random draws are many times slower inside Jest's sandbox.
beforeAll(async () => {
  const script = fileURLToPath(new URL('simulate-rule.js', import.meta.url));
  const truths = [EQUAL, AT_MINIMUM, LARGE, BASELINE_OFF].flatMap((truth) => ['--truth', truth]);
  const options = ['--json', '--seed', '41', '--runs', String(RUNS)];
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...options, ...truths]);
  for (const line of stdout.trim().split('\n')) {
    const { truth, noise, rates } = JSON.parse(line);
    byScenario.set(`${noise}: ${truth}`, rates);
  }
}, 120_000);

/** @type {(noise: string, truth: string) => RuleRates} */
function ratesOf(noise, truth) {
  const rates = byScenario.get(`${noise}: ${truth}`);
  if (rates === undefined) throw new Error(`the script printed no row for ${noise}: ${truth}`);
  return rates;
}

/**
 * Three standard errors of an observed share of independent trials.
 *
 * @param {number} share
 * @param {number} trials
 */
function margin(share, trials) {
  return 3 * Math.sqrt((share * (1 - share)) / trials);
}

describe.each(NOISE_SHAPES)('the decision rule on six cells under %s noise', (noise) => {
  const cells = RUNS * CELLS;

  test('equal variants: a direction in at most 5 % of the runs', () => {
    const { runsWithFalseDirection } = ratesOf(noise, EQUAL);
    expect(runsWithFalseDirection).toBeLessThan(0.05 + margin(0.05, RUNS));
  });

  test('equal variants: mostly equivalent, and untrusted in less than 1 % of the cells', () => {
    const { verdicts, controlDiffered } = ratesOf(noise, EQUAL);
    expect(verdicts.equivalent).toBeGreaterThan(0.9);
    expect(verdicts.untrusted).toBeLessThan(0.005 + margin(0.005, cells));
    expect(controlDiffered).toBeLessThan(0.005 + margin(0.005, cells));
  });

  test('the final interval covers the true effect in at least 95 % of the cells', () => {
    for (const truth of [EQUAL, AT_MINIMUM, LARGE]) {
      expect(ratesOf(noise, truth).covered).toBeGreaterThan(0.95 - margin(0.05, cells));
    }
  });

  test('an effect of exactly the minimum is called equivalent in at most 5 % of the cells', () => {
    const { falseEquivalent } = ratesOf(noise, AT_MINIMUM);
    expect(falseEquivalent).toBeLessThan(0.05 + margin(0.05, cells));
  });

  test('an effect of exactly the minimum in every cell is found with more than 80 % power', () => {
    const { rightDirection, runsWithFalseDirection } = ratesOf(noise, AT_MINIMUM);
    expect(rightDirection).toBeGreaterThan(0.8);
    expect(runsWithFalseDirection).toBe(0);
  });

  test('10 % is found nearly always, mostly at the first look', () => {
    const { rightDirection, processes } = ratesOf(noise, LARGE);
    expect(rightDirection).toBeGreaterThan(0.97);
    expect(processes).toBeLessThan(18);
  });

  test('the control reveals a baseline that is off by 10 %', () => {
    expect(ratesOf(noise, BASELINE_OFF).verdicts.untrusted).toBeGreaterThan(0.9);
  });
});
