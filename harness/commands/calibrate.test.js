import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { runAssay } from '../test-support/run-assay.js';
import { describeLong } from '../test-support/test-long.js';

const outPath = mkdtempSync(join(tmpdir(), 'assay-calibrate-'));
afterAll(() => rmSync(outPath, { recursive: true }));

describe('refuses with a remedy', () => {
  test.each([
    [
      'a part that there is not',
      ['--only', 'powr'],
      "--only knows no 'powr'; did you mean 'power'?",
    ],
    ['a mode that there is not', ['--mode', 'fast'], "--mode knows no 'fast'"],
    ['a time that is none', ['--for', 'soon'], "--for 'soon' is not a time"],
    ['a budget that is none', ['--budget', '0'], "--budget '0' is not a number"],
    [
      'a tool that is not known',
      ['--peers', 'mitatta'],
      "no peer 'mitatta'; did you mean 'mitata'?",
    ],
    ['a directory that is no calibration', ['--resume', outPath], 'is not a calibration'],
  ])('%s', async (_, args, message) => {
    const { status, stderr } = await runAssay(['calibrate', '--out', outPath, '--wait', ...args]);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  test('a variant into which no cost can be injected', async () => {
    const { status, stderr } = await runAssay([
      ...['calibrate', 'npm:bson@7.3.1', '--out', outPath, '--for', '1s', '--wait'],
    ]);
    expect(stderr).toContain('has no axes');
    expect(status).toBe(2);
  });
});

describeLong('a calibration', () => {
  const cell = ['--corpus', 'flat', '--op', 'serialize'];
  const args = ['calibrate', ...cell, '--seed', '5', '--only', 'false-positives', '--wait'];

  test('measures, tells and goes on', async () => {
    const begun = await runAssay([
      ...args,
      ...['--for', '8s', '--budget', '2', '--mode', 'default', '--out', outPath],
    ]);
    expect(begun.stderr).toContain('are too few to be cited');
    expect(begun.status).toBe(0);
    expect(begun.stdout).toContain('A/A comparisons');
    const name = readdirSync(outPath).find((one) =>
      existsSync(join(outPath, one, 'trials.ndjson')),
    );
    const path = join(outPath, name ?? '');
    const countTrials = () =>
      readFileSync(join(path, 'trials.ndjson'), 'utf8').split('\n').length - 1;
    const before = countTrials();
    expect(before).toBeGreaterThan(0);

    const resumed = await runAssay([...args, '--for', '6s', '--resume', path]);
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
