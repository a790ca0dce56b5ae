/**
 * Measures the decision rule on simulated runs with a known truth and prints a Markdown table, or with --json
 * one line of JSON per row. The figures in decisions 0002, 0003 and 0022 come from
 * `node scripts/simulate-rule.js --runs 2000`; `--truth` restricts it to rows of that name.
 */
import { parseArgs } from 'node:util';

import { NOISE_SHAPES } from '../harness/studies/simulation/noise.js';
import { seedGenerator } from '../harness/stats/random.js';
import { simulateRule } from '../harness/testing/simulation/runs.js';
import { formatRoughShare } from '../harness/lib/numbers.js';

/** @import { RuleRates, Scenario } from '../harness/testing/simulation/runs.js' */

const RULE = { alpha: 0.02, minimumEffect: 0.03, looks: [12, 24, 48, 96] };
const CELLS = 6;

/** @param {number} ratio */
const inAll = (ratio) => Array(CELLS).fill(ratio);
/** @param {number} ratio */
const inOne = (ratio) => [ratio, ...Array(CELLS - 1).fill(1)];

/** True ratios to the measured baseline; a baseline that is off shifts both other arms. */
const TRUTHS = [
  { truth: 'no difference', ratios: inAll(1), controlRatio: 1 },
  { truth: '3 % slower in 1 of 6', ratios: inOne(1.03), controlRatio: 1 },
  { truth: '3 % slower in all 6', ratios: inAll(1.03), controlRatio: 1 },
  { truth: '5 % slower in 1 of 6', ratios: inOne(1.05), controlRatio: 1 },
  { truth: '10 % slower in 1 of 6', ratios: inOne(1.1), controlRatio: 1 },
  { truth: '10 % slower in all 6', ratios: inAll(1.1), controlRatio: 1 },
  { truth: 'twice as slow in all 6', ratios: inAll(2), controlRatio: 1 },
  { truth: 'no difference, baseline off by 3 %', ratios: inAll(0.97), controlRatio: 0.97 },
  { truth: 'no difference, baseline off by 5 %', ratios: inAll(0.95), controlRatio: 0.95 },
  { truth: 'no difference, baseline off by 10 %', ratios: inAll(0.9), controlRatio: 0.9 },
  { truth: 'no difference, control off by 2 %', ratios: inAll(1), controlRatio: 1.02 },
  { truth: 'no difference, control off by 5 %', ratios: inAll(1), controlRatio: 1.05 },
  { truth: '10 % slower in all 6, control off by 5 %', ratios: inAll(1.1), controlRatio: 1.05 },
  { truth: 'twice as slow in all 6, control off by 5 %', ratios: inAll(2), controlRatio: 1.05 },
];

const COLUMNS = [
  'noise',
  'truth',
  'runs with a false direction',
  'true direction found',
  'equivalent',
  'falsely equivalent',
  'inconclusive',
  'untrusted',
  'control deviates',
  'interval covers',
  'processes per arm',
];

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    spread: { type: 'string', default: '0.042' },
    truth: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
  },
});
const [runs, seed, spread] = [values.runs, values.seed, values.spread].map(Number);
const wanted = TRUTHS.filter(
  ({ truth }) => values.truth.length === 0 || values.truth.includes(truth),
);

if (!values.json) {
  console.log(`| ${COLUMNS.join(' | ')} |`);
  console.log(`|---|---|${'--:|'.repeat(COLUMNS.length - 2)}`);
}
for (const noise of NOISE_SHAPES) {
  for (const { truth, ratios, controlRatio } of wanted) {
    const scenario = { ratios, controlRatio, noise, spread };
    const rates = simulateRule(RULE, scenario, runs, seedGenerator(seed));
    console.log(
      values.json ? JSON.stringify({ truth, noise, rates }) : row(truth, scenario, rates),
    );
  }
}

/**
 * @param {string} truth
 * @param {Scenario} scenario
 * @param {RuleRates} rates
 */
function row(truth, { noise, ratios }, rates) {
  const different = ratios.filter((ratio) => ratio !== 1).length;
  const found = different === 0 ? '' : formatRoughShare((rates.rightDirection * CELLS) / different);
  const shares = [
    rates.verdicts.equivalent,
    rates.falseEquivalent,
    rates.verdicts.inconclusive,
    rates.verdicts.untrusted,
    rates.controlDiffered,
    rates.covered,
  ].map(formatRoughShare);
  const falseDirections = formatRoughShare(rates.runsWithFalseDirection);
  const cells = [noise, truth, falseDirections, found, ...shares, rates.processes.toFixed(0)];
  return `| ${cells.join(' | ')} |`;
}
