import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '../formats/schemas.js';
import { EXIT } from '../lib/errors.js';
import { openComparisons } from './support/comparisons.js';
import { scriptFakeFamily } from './support/scripted-jobs.js';

/** @import { Verdict } from '../formats/types.ts' */

const comparisons = openComparisons();
afterAll(() => comparisons.remove());

const FAMILY = '--family fake-program --explain none --placements 0 --processes 16 --seed 1'.split(
  ' ',
);
const runJob = scriptFakeFamily();

/** @param {string} op @param {string[]} more */
async function compare(op, ...more) {
  const { out, call } = comparisons.open();
  const args = ['compare', 'plain', 'slower', ...FAMILY, '--op', op, ...more, '--out', out];
  const { status, stdout } = await call(args, runJob);
  const path = join(out, readdirSync(out)[0]);
  /** @type {Verdict} */
  const verdict = JSON.parse(readFileSync(join(path, 'verdict.json'), 'utf8'));
  validate('verdict', verdict);
  return { status, stdout: stdout.replaceAll(/\s+/g, ' '), verdict };
}

test('--sweep measures five sizes, and says how time grows with them in each variant', async () => {
  const { status, stdout, verdict } = await compare('quadratic', '--corpus', 'flat', '--sweep');
  expect(status).toBe(EXIT.done);
  expect(verdict.cells.map(({ cell }) => cell.corpus)).toEqual([
    'flat',
    ...[2, 4, 8, 16].map((times) => `flat*${times}`),
  ]);
  const [{ sizesBytes, exponents }] = verdict.sweeps ?? [];
  expect(sizesBytes).toHaveLength(5);
  expect(exponents.baseline?.estimate).toBeCloseTo(1, 1);
  expect(exponents.candidate?.estimate).toBeCloseTo(2, 1);
  expect(stdout).toMatch(
    /quadratic flat, \d.* to .*: time grows with size\^(?:1\.0|0\.9)\d \(.*\) in plain, size\^(?:2\.0|1\.9)\d \(.*\) in slower\./,
  );
  expect(stdout).toMatch(/Time grows faster than documents: quadratic flat of slower with size\^/);
  expect(stdout).not.toMatch(/flat of plain with/);
});

test('without it, several corpora are no sweep', async () => {
  const { verdict } = await compare('quadratic', '--corpus', 'flat,deep,full');
  expect(verdict.sweeps).toBeUndefined();
  expect(verdict.warnings.map(({ kind }) => kind)).not.toContain('grows-faster');
});

test('sizes that are named are a sweep, too, and one of a sweep stands for all', async () => {
  const named = await compare('alike', '--corpus', 'flat,flat*3,flat*9');
  expect(named.verdict.sweeps).toMatchObject([{ operation: 'alike', corpus: 'flat' }]);
  const swept = await compare('alike', '--corpus', 'flat*2', '--sweep');
  expect(swept.verdict.cells).toHaveLength(5);
});
