import { existsSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { env, versions } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { hasTwoCores } from '../../host/cores.js';
import { EXIT } from '../../lib/errors.js';
import { shareProject } from '../../testing/support/comparisons.js';
import { expectStatus } from '../../testing/support/expect-status.js';
import { callAssay } from '../../testing/support/project.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { testLong } from '../../testing/support/gates.js';
import { makeTestDirectory } from '../../testing/support/directories.js';

/** @import { Calibration } from '../../formats/types.ts' */
/** @import { RunJob } from '../../run/jobs.js' */

const outPath = makeTestDirectory('calibrate');
const answer = scriptJobs();

/** @param {string} path  @param {string} name of a journal  @returns {any[]} */
function readLines(path, name) {
  const lines = readFileSync(join(path, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** @param {string[]} args */
const calibrate = (...args) =>
  callAssay(['calibrate', ...args], { workingPath: outPath, runJob: answer });

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
  [
    'another code as the other arm',
    ['linked-list', '--against', 'generator', '--for', '1s'],
    "'linked-list' and 'generator' do not load the same code",
  ],
  [
    'pins of other tools',
    ['--peers', '--against', 'linked-list@node=20'],
    "--against 'linked-list@node=20' cannot be combined with --peers",
  ],
  ['a variant without a cost to inject', ['npm:bson@7.3.1', '--for', '1s'], 'has no axes'],
])('refuses %s with a message', async (_, args, message) => {
  const where = args.includes('--resume') ? [] : ['--out', outPath];
  const { status, stderr } = await calibrate(...where, ...args);
  expect(stderr).toContain(message);
  expect(status).toBe(EXIT.usage);
  expect(readdirSync(outPath)).toEqual([]);
});

describe('a family without injected costs', () => {
  let projectPath = '';
  beforeAll(() => void (projectPath = shareProject()));
  const program = 'fake-program:plain';
  const script = 'fake-script:plain';
  // Each session has at least one comparison.
  const short = ['--budget', '0.3s', '--for', '0.2s'];

  let running = 0;
  let mostAtOnce = 0;
  /** Whether each calibration could be resumed when its first job began. @type {Map<string, boolean>} */
  const saved = new Map();

  /** Takes some time, in which another job may begin. @type {RunJob} */
  async function runJob(job, how) {
    running += 1;
    for (const name of readdirSync(outPath)) {
      const [own] = readdirSync(join(outPath, name));
      const file = join(outPath, name, own ?? '', 'calibration.json');
      if (!saved.has(name)) saved.set(name, existsSync(file));
    }
    mostAtOnce = Math.max(mostAtOnce, running);
    await delay(10);
    running -= 1;
    return answer(job, how);
  }

  /** @param {string[]} args */
  async function calibrateFake(...args) {
    const out = mkdtempSync(join(outPath, 'runs-'));
    const where = args.includes('--resume') ? [] : ['--out', out];
    const result = await callAssay(['calibrate', ...args, ...where], { projectPath, runJob });
    return { ...result, path: join(out, readdirSync(out)[0] ?? '') };
  }

  /** @type {(path: string) => Calibration} */
  function readCalibration(path) {
    return JSON.parse(readFileSync(join(path, 'calibration.json'), 'utf8'));
  }

  test('has false positives in default mode, is resumed and reported', async () => {
    const alike = ['--op', 'alike', '--seed', '5', ...short];
    const { status, stderr, path } = await calibrateFake(program, ...alike);
    expect(status).toBe(EXIT.done);
    expect(stderr).toContain('later reports do not cite this calibration');
    expect(existsSync(join(projectPath, '.assay', 'calibration.json'))).toBe(false);
    const first = readCalibration(path);
    expect(first).toMatchObject({ variant: program, costs: [], placements: [] });
    expect(first.modes.map(({ mode, points }) => [mode, points.length])).toEqual([['default', 1]]);
    const before = first.modes[0].falsePositives.of;
    expect(before).toBeGreaterThan(0);
    expect([...saved.values()]).toEqual([true]);

    expect((await calibrateFake('--resume', path, '--for', '0.2s')).status).toBe(EXIT.done);
    const { count, of } = readCalibration(path).modes[0].falsePositives;
    expect(of).toBeGreaterThan(before);
    const numbers = readLines(path, 'trials.ndjson').map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    const report = await callAssay(['report', path, '--full'], { projectPath });
    expect(report.stdout.replaceAll(/\s+/g, ' ')).toContain(
      `with ${program}, ${count} of ${of} A/A`,
    );
  });

  test('compares two pins of one Node, and keeps them when it is resumed', async () => {
    const [exact, line] = [versions.node, versions.node.split('.')[0]];
    const [variant, against] = [`${script}@node=${exact}`, `${script}@node=${line}`];
    const how = ['--mode', 'default', '--schedule', 'sequential'];
    const { status, path } = await calibrateFake(variant, '--against', against, ...short, ...how);
    expect(status).toBe(EXIT.done);
    expect(readCalibration(path)).toMatchObject({ variant, against });

    const resumed = await calibrateFake('--resume', path, '--for', '0.2s', ...how);
    expect(resumed.status).toBe(EXIT.done);
    const { modes, ...calibration } = readCalibration(path);
    expect(calibration).toMatchObject({ variant, against });
    expect(modes[0].falsePositives.of).toBeGreaterThan(1);
  });

  const testOnTwoCores = hasTwoCores(env) ? test : test.skip;

  testOnTwoCores('can be measured in pairs', async () => {
    const how = ['--mode', 'default', '--schedule', 'paired', ...short];
    mostAtOnce = 0;
    const { status, path } = await calibrateFake(script, ...how);
    expect(status).toBe(EXIT.done);
    expect(readCalibration(path).modes).toMatchObject([{ mode: 'default', schedule: 'paired' }]);
    const trials = readLines(path, 'trials.ndjson');
    expect(trials.map(({ schedule }) => schedule)).toEqual(trials.map(() => 'paired'));
    const [one, other] = readLines(path, 'observations.ndjson');
    expect(one.position ^ 1).toBe(other.position);
    expect(mostAtOnce).toBe(2);
  });

  test.each([
    ['pairs', [program, '--schedule', 'paired'], "--schedule 'paired' cannot be combined with"],
    ['kinds of costs', [script, '--cost', 'allocation'], "--cost 'allocation' cannot be combined"],
    ['costs', [script, '--only', 'power'], "--only 'power' cannot be combined with variants of"],
    ['screen mode', [program, '--mode', 'screen'], "--mode 'screen' cannot be combined with"],
    ['other tools', [script, '--peers'], '--peers cannot be combined with variants of fake-script'],
  ])('has no %s', async (_, args, message) => {
    const { status, stderr } = await calibrateFake(...args);
    expect(stderr).toContain(message);
    expect(status).toBe(EXIT.usage);
  });
});

testLong('a calibration measures in real processes', async () => {
  const out = mkdtempSync(join(outPath, 'runs-'));
  const cell = ['--corpus', 'flat', '--op', 'serialize', '--seed', '5', '--out', out];
  const how = ['--only', 'false-positives', '--mode', 'default', '--schedule', 'sequential'];
  const args = ['calibrate', ...cell, ...how, '--for', '1s', '--budget', '1'];
  const { status, stdout, stderr } = await callAssay(args, { workingPath: outPath });
  expectStatus({ status, stderr }, EXIT.done);
  expect(stderr).toContain('A/A comparisons in default mode; this one has ');
  expect(stdout).toContain('Too few comparisons of identical code');
  const path = join(out, readdirSync(out)[0] ?? '');
  expect(readLines(path, 'trials.ndjson').length).toBeGreaterThan(0);
});
