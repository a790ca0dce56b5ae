/**
 * Measures the decision rule itself on simulated runs with a known truth and prints a Markdown
 * table: `node scripts/simulate-rule.js --runs 2000 [--seed 1] [--spread 0.042]`. The figures in
 * decisions 0002 and 0003 come from it.
 */
import { parseArgs } from 'node:util';

import { formatShare } from '../harness/stats/format-share.js';
import { NOISE_SHAPES } from '../harness/stats/noise.js';
import { seedGenerator } from '../harness/stats/random.js';
import { simulateRule } from '../harness/stats/simulate.js';

const RULE = { alpha: 0.05, minimumEffect: 0.03, looks: [12, 24, 48, 96] };
const CELLS = 6;

const same = Array(CELLS).fill(1);
const SCENARIOS = [
  { name: 'no difference in 6 cells', ratios: same, controlRatio: 1 },
  { name: '3 % slower in 1 of 6', ratios: [1.03, ...same.slice(1)], controlRatio: 1 },
  { name: '3 % slower in all 6', ratios: same.map(() => 1.03), controlRatio: 1 },
  { name: '5 % slower in 1 of 6', ratios: [1.05, ...same.slice(1)], controlRatio: 1 },
  { name: '10 % slower in 1 of 6', ratios: [1.1, ...same.slice(1)], controlRatio: 1 },
  { name: '10 % slower in all 6', ratios: same.map(() => 1.1), controlRatio: 1 },
  { name: '×2 slower in all 6', ratios: same.map(() => 2), controlRatio: 1 },
  { name: 'no difference, baseline off by 3 %', ratios: same.map(() => 0.97), controlRatio: 0.97 },
  { name: 'no difference, baseline off by 5 %', ratios: same.map(() => 0.95), controlRatio: 0.95 },
  { name: 'no difference, control off by 2 %', ratios: same, controlRatio: 1.02 },
  { name: 'no difference, control off by 5 %', ratios: same, controlRatio: 1.05 },
  {
    name: '10 % slower in all 6, control off by 5 %',
    ratios: same.map(() => 1.1),
    controlRatio: 1.05,
  },
  { name: '×2 slower in all 6, control off by 5 %', ratios: same.map(() => 2), controlRatio: 1.05 },
];

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    spread: { type: 'string', default: '0.042' },
  },
});
const [runs, seed, spread] = [values.runs, values.seed, values.spread].map(Number);

console.log(
  '| noise | truth | runs with a false direction | direction found | equivalent | falsely equivalent | inconclusive | untrusted | control called off | interval covers | processes a side |',
);
console.log('|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
for (const noise of NOISE_SHAPES) {
  for (const { name, ratios, controlRatio } of SCENARIOS) {
    const scenario = { ratios, controlRatio, noise, spread };
    const rates = simulateRule(RULE, scenario, runs, seedGenerator(seed));
    const different = ratios.filter((ratio) => ratio !== 1).length;
    const found = different === 0 ? '' : formatShare((rates.rightDirection * CELLS) / different);
    const cells = [
      noise,
      name,
      formatShare(rates.runsWithFalseDirection),
      found,
      ...[
        rates.verdicts.equivalent,
        rates.falseEquivalent,
        rates.verdicts.inconclusive,
        rates.verdicts.untrusted,
        rates.controlDiffered,
        rates.covered,
      ].map(formatShare),
      rates.processes.toFixed(0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
