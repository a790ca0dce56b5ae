import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { EXIT } from '../../lib/errors.js';
import { callAssay, runAssay } from '../../testing/support/project.js';
import { describeLong } from '../../testing/support/gates.js';

const outPath = mkdtempSync(join(tmpdir(), 'assay-calibrate-'));
afterAll(() => rmSync(outPath, { recursive: true }));

/** @param {string[]} args */
const calibrate = (...args) => callAssay(['calibrate', ...args], { workingPath: outPath });

test.each([
  ['an unknown part', ['--only', 'powr'], "There is no 'powr'; did you mean 'power'?"],
  ['an unknown mode', ['--mode', 'fast'], "There is no 'fast'. Choices: default, screen"],
  ['no time', ['--for', 'soon'], "argument 'soon' is invalid. It must be a time"],
  ['no budget', ['--budget', '0'], "argument '0' is invalid. It must be a time"],
  ['an unknown tool', ['--peers', 'mitatta'], "no peer 'mitatta'; did you mean 'mitata'?"],
  [
    'placements of other tools',
    ['--peers', '--only', 'placements'],
    "--only 'placements' cannot be combined with --peers",
  ],
  [
    'other tools in screen mode',
    ['--peers', '--mode', 'screen'],
    "--mode 'screen' cannot be combined with --peers",
  ],
  [
    'other options beside a calibration to resume',
    ['--resume', outPath, '--out', outPath],
    '--resume cannot be combined with --out: a resumed calibration keeps its original options',
  ],
  ['a directory that is no calibration', ['--resume', outPath], 'is not a calibration'],
  ['a variant without a cost to inject', ['npm:bson@7.3.1', '--for', '1s'], 'has no axes'],
])('refuses %s with a message', async (_, args, message) => {
  const where = args.includes('--resume') ? [] : ['--out', outPath];
  const { status, stderr } = await calibrate(...where, ...args);
  expect(stderr).toContain(message);
  expect(status).toBe(EXIT.usage);
  expect(readdirSync(outPath)).toEqual([]);
});

describeLong('a calibration', () => {
  const cell = ['--corpus', 'flat', '--op', 'serialize'];
  const args = ['calibrate', ...cell, '--seed', '5', '--only', 'false-positives', '--wait'];

  test('measures, is reported and resumed', async () => {
    const first = await runAssay([
      ...args,
      ...['--for', '8s', '--budget', '2', '--mode', 'default', '--out', outPath],
    ]);
    expect(first.stderr).toContain('A/A comparisons in default mode; this one has ');
    expect(first.status).toBe(0);
    expect(first.stdout).toContain('A/A comparisons');
    const name = readdirSync(outPath).find((one) =>
      existsSync(join(outPath, one, 'trials.ndjson')),
    );
    const path = join(outPath, name ?? '');
    const countTrials = () =>
      readFileSync(join(path, 'trials.ndjson'), 'utf8').split('\n').length - 1;
    const before = countTrials();
    expect(before).toBeGreaterThan(0);

    const part = ['--only', 'false-positives', '--for', '6s', '--wait'];
    const resumed = await runAssay(['calibrate', ...part, '--resume', path]);
    expect(resumed.status).toBe(0);
    expect(countTrials()).toBeGreaterThan(before);
    const numbers = readFileSync(join(path, 'trials.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).number);
    expect(numbers).toEqual(numbers.map((__, index) => index));

    const again = await runAssay(['report', path]);
    expect(again.stdout).toContain(`of ${countTrials()} A/A comparisons`);
    expect(again.status).toBe(0);
  }, 90_000);
});
