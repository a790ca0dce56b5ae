import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { main } from '../cli.js';
import { EXIT } from '../../lib/exit-status.js';
import { runAssay } from '../../testing/support/project.js';
import { describeLong } from '../../testing/support/gates.js';

const outPath = mkdtempSync(join(tmpdir(), 'assay-calibrate-'));
const turnPath = mkdtempSync(join(tmpdir(), 'assay-turns-'));
afterAll(() => [outPath, turnPath].forEach((path) => rmSync(path, { recursive: true })));

/** @param {string[]} args */
async function calibrate(...args) {
  let stderr = '';
  const status = await main(['calibrate', ...args], {
    stdout: { write: () => {} },
    stderr: { columns: 200, write: (text) => (stderr += text) },
    environment: { ASSAY_TURN_DIRECTORY: turnPath },
    workingPath: outPath,
    signal: new AbortController().signal,
  });
  return { status, stderr };
}

describe('refuses with a remedy', () => {
  test.each([
    [
      'an unknown part',
      ['--only', 'powr'],
      "argument 'powr' is invalid. There is no 'powr'; did you mean 'power'?",
    ],
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
      ['--resume', outPath],
      '--resume cannot be combined with --out: a resumed calibration keeps its original options',
    ],
  ])('%s', async (_, args, message) => {
    const { status, stderr } = await calibrate('--out', outPath, ...args);
    expect(stderr).toContain(message);
    expect(status).toBe(EXIT.usage);
    expect(readdirSync(outPath)).toEqual([]);
  });

  test('a directory that is no calibration', async () => {
    const { status, stderr } = await calibrate('--resume', outPath);
    expect(stderr).toContain('is not a calibration');
    expect(status).toBe(EXIT.usage);
  });

  test('a variant into which no cost can be injected', async () => {
    const { status, stderr } = await calibrate('npm:bson@7.3.1', '--out', outPath, '--for', '1s');
    expect(stderr).toContain('has no axes');
    expect(status).toBe(EXIT.usage);
    expect(readdirSync(outPath)).toEqual([]);
  });
});

describeLong('a calibration', () => {
  const cell = ['--corpus', 'flat', '--op', 'serialize'];
  const args = ['calibrate', ...cell, '--seed', '5', '--only', 'false-positives', '--wait'];

  test('measures, is reported and resumed', async () => {
    const begun = await runAssay([
      ...args,
      ...['--for', '8s', '--budget', '2', '--mode', 'default', '--out', outPath],
    ]);
    expect(begun.stderr).toContain('A/A comparisons in default mode; this one has ');
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
