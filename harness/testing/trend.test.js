import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../lib/errors.js';
import { openComparisons, shareProject } from './support/comparisons.js';
import { scriptFakeFamily } from './support/scripted-jobs.js';
import { testLong } from './support/gates.js';

/** @import { Trend } from '../formats/types.ts' */

const comparisons = openComparisons();
const statePath = join(shareProject(), '.assay');
const storePath = join(statePath, 'history');
const forget = () => rmSync(storePath, { recursive: true, force: true });
beforeAll(() => {
  forget();
  rmSync(join(statePath, 'cache'), { recursive: true, force: true });
});
afterAll(() => {
  forget();
  comparisons.remove();
});

const FAMILY = ['--family', 'fake-program', '--seed', '1', '--quiet'];
const APART = ['--op', 'apart'];

const { out, call: callReal } = comparisons.open();
const call = (/** @type {string[]} */ args) => callReal(args, scriptFakeFamily());

/** @param {string[]} args */
const trend = (...args) => call(['trend', ...args, ...FAMILY, '--out', out]);

/** By real processes, for variants that misbehave. @param {string[]} args */
const trendReal = (...args) => callReal(['trend', ...args, ...FAMILY, '--out', out]);
const isTrend = (/** @type {string} */ name) => name.includes('-trend-');
// Two in the same second are in no order of time.
const listTrends = () => readdirSync(out).filter(isTrend).sort();
let firstTrend = '';

/**
 * @param {string} stdout of `--format json`
 * @returns {{ trend: Trend, measured: string[][], changes: { after: string, percent: number }[] }}
 */
function readTrend(stdout) {
  /** @type {Trend} */
  const read = JSON.parse(stdout);
  return {
    trend: read,
    measured: read.steps.flatMap(({ isStored, candidates }) => (isStored ? [] : [candidates])),
    changes: read.series.flatMap(({ changes }) =>
      changes.map(({ after, step }) => ({ after, percent: Math.round(100 * (step.estimate - 1)) })),
    ),
  };
}

/** @param {number} count */
const rounds = (count) => `plain+rounds=${count}`;
const ASKED = ['plain', ...APART, '--baseline', 'plain', '--format', 'json'];

describe('a trend over an axis', () => {
  /** @type {ReturnType<typeof readTrend>['changes']} */
  let changes;

  test('measures the points in one comparison, then neighbours that differ', async () => {
    const { status, stdout, stderr } = await trend(...ASKED, '--over', 'rounds=1,2');
    expect({ status, stderr }).toEqual({
      status: EXIT.done,
      stderr: expect.stringMatching(/^note: building fake-program .*\n$/),
    });
    const found = readTrend(stdout);
    expect(found.measured).toEqual([[rounds(1), rounds(2)], [rounds(2)]]);
    expect(found.changes).toEqual([{ after: rounds(2), percent: expect.any(Number) }]);
    expect(found.changes[0].percent).toBeGreaterThan(10);
    [firstTrend] = listTrends();
    ({ changes } = found);
  });

  test('writes a page, Markdown and data beside the runs of its steps', () => {
    const files = readdirSync(join(out, firstTrend));
    expect(files).toEqual(expect.arrayContaining(['trend.html', 'trend.json', 'trend.md']));
    expect(files).toHaveLength(5);
    const page = readFileSync(join(out, firstTrend, 'trend.html'), 'utf8');
    expect(page).toContain('<svg role="img" aria-label="apart deep: 2 points, 1 change"');
    expect(page).not.toMatch(/(?:src|href)="?https?:/);
    const link = /href="\.\/([^"]+\/report\.html)"/.exec(page)?.[1] ?? 'none';
    expect(readFileSync(join(out, firstTrend, link), 'utf8')).toContain(rounds(2));
  });

  test('measures nothing again', async () => {
    const { stdout } = await trend(...ASKED, '--over', 'rounds=1,2');
    const found = readTrend(stdout);
    expect(found.measured).toEqual([]);
    expect(found.changes).toEqual(changes);
    expect(found.trend.ended).toBe('complete');
  });

  test('measures only what is new', async () => {
    const { stdout } = await trend(...ASKED, '--over', 'rounds=1,2,3');
    const found = readTrend(stdout);
    expect(found.measured).toEqual([[rounds(3)], [rounds(3)]]);
    expect(found.changes).toHaveLength(2);
  });

  test('takes points from compare --record', async () => {
    const recorded = await call([
      ...['compare', 'plain', rounds(7), ...APART, ...FAMILY, '--out', out, '--record'],
      ...['--explain', 'none', '--placements', '0'],
    ]);
    expect(recorded.stderr).toMatch(/^recorded: \S+[0-9a-f]{64}\.json\n$/);
    const { stdout } = await trend(...ASKED, '--over', 'rounds=1,7');
    const own = readTrend(stdout).trend.steps.filter(({ isStored }) => !isStored);
    // It had ended early, because it need not be precise.
    expect(own.map(({ purpose }) => purpose)).toEqual(['neighbours', 'again']);
  });

  test('ends with the budget, which what is known counts towards', async () => {
    const { stdout } = await trend(...ASKED, '--over', 'rounds=1,2,3,9', '--budget', '0.01');
    const { trend: found, measured } = readTrend(stdout);
    expect(found.ended).toBe('budget');
    expect(measured).toEqual([]);
  });

  test('is printed again by report', async () => {
    const { status, stdout } = await call(['report', join(out, firstTrend)]);
    expect(status).toBe(EXIT.done);
    expect(stdout).toMatch(/apart deep\s+▁╎█\s+1/);
    const words = stdout.replaceAll(/ \\\n +/g, ' ');
    expect(words).toContain(`just compare ${rounds(1)} ${rounds(2)} --op apart`);
  });
});

testLong('a result store that cannot be written costs no results', async () => {
  mkdirSync(storePath, { recursive: true });
  renameSync(storePath, `${storePath}-aside`);
  symlinkSync(join(comparisons.directory, 'absent'), storePath);
  const { status, stdout, stderr } = await trend(...ASKED, '--over', 'rounds=1,2');
  rmSync(storePath);
  renameSync(`${storePath}-aside`, storePath);
  expect(status).toBe(EXIT.done);
  expect(stderr).toMatch(/^note: not recorded: cannot create '.*history'/m);
  expect(readTrend(stdout).changes).toHaveLength(1);
});

testLong('a point that gives wrong bytes is skipped with the reason', async () => {
  const { status, stdout } = await trendReal(
    ...['plain', '--baseline', 'plain', '--format', 'json', '--points', '3'],
    ...['--over', 'behaviour=none,wrong-bytes', '--op', 'reverse'],
  );
  expect(status).toBe(EXIT.done);
  const { trend: found } = readTrend(stdout);
  expect(found.skipped).toEqual([
    {
      spec: 'plain+behaviour=wrong-bytes',
      reason: expect.stringContaining('output differs from that of the reference'),
    },
  ]);
  expect(found.series[0].points.map(({ spec }) => spec)).toEqual(['plain+behaviour=none']);
});

test('a point that cannot be loaded is skipped with the reason, and the others are measured', async () => {
  const broken = scriptFakeFamily({
    outcome: ({ variant }) =>
      variant.settings.rounds === '4'
        ? {
            failure: {
              reason: 'exit-status',
              detail: 'ended with exit status 1',
              lastLines: ['Error: broken'],
            },
          }
        : undefined,
  });
  const args = ['trend', ...ASKED, '--over', 'rounds=1,4,8', ...FAMILY, '--out', out];
  const { status, stdout } = await callReal(args, broken);
  expect(status).toBe(EXIT.done);
  const { trend: found } = readTrend(stdout);
  expect(found.ended).toBe('complete');
  expect(found.skipped).toEqual([
    {
      spec: rounds(4),
      reason: `the check of ${rounds(4)} on apart deep ended with exit status 1: Error: broken`,
    },
  ]);
  expect(found.series[0].points.map(({ spec }) => spec)).toEqual([rounds(1), rounds(8)]);
});

testLong('a baseline that gives wrong bytes is an error', async () => {
  const wrong = 'plain+behaviour=wrong-bytes';
  const { status, stderr } = await trendReal(
    ...['plain', '--baseline', wrong, '--over', 'rounds=1,2', '--op', 'reverse'],
  );
  expect(status).toBe(EXIT.wrongBytes);
  expect(stderr).toContain(`error: '${wrong}' output differs from that of the reference`);
  const other = ['plain', '--reference', wrong, '--over', 'rounds=1,2', '--op', 'reverse'];
  expect((await trendReal(...other)).stderr).toContain(
    `error: 'plain' output differs from that of the reference`,
  );
});

testLong('without any point that can be measured the status says so', async () => {
  const { status, stdout } = await trendReal(
    ...['plain', '--baseline', 'plain', '--op', 'apart', '--over', 'rounds=5,6'],
  );
  expect(status).toBe(EXIT.failed);
  expect(stdout).toMatch(/^No point was measured\./);
  expect(stdout).toContain('too few of its processes gave a usable figure');
});

describe('just history', () => {
  test('lists what was recorded, by variant', async () => {
    const { status, stdout, stderr } = await call(['history', '--variant', 'rounds=7']);
    expect(status).toBe(EXIT.done);
    expect(stdout).toMatch(/apart deep\s+plain\S*nds=7/);
    expect(stderr).toMatch(/^3 cells of \d+ comparisons\n$/);
  });

  test('of a store that does not exist is empty, with a note', async () => {
    const { status, stderr } = await call(['history', '--store', 'nowhere']);
    expect(stderr).toMatch(/^note: the result store '.*nowhere' is empty; /);
    expect(status).toBe(EXIT.done);
  });

  test('adds a run once', async () => {
    const run = readdirSync(out).find((name) => !isTrend(name)) ?? '';
    const [first, second] = [
      await call(['history', '--add', join(out, run)]),
      await call(['history', '--add', join(out, run)]),
    ];
    expect(first.stderr).toMatch(/^recorded: \S+[0-9a-f]{64}\.json\n$/);
    expect(second.stderr).toBe(first.stderr);
  });

  test.each([
    [['--since', 'yesterday'], 'It must be a day such as 2026-01-31.'],
    [['--store', import.meta.filename], "trend.test.js' is not a directory"],
    [['--add', 'run', '--op', 'apart'], '--add cannot be combined with --op'],
  ])('refuses %j', async (args, message) => {
    const { status, stderr } = await call(['history', ...args]);
    expect(status).toBe(EXIT.usage);
    expect(stderr).toContain(message);
  });
});

test.each([
  [['npm:bson'], '--from is missing: the first version'],
  [['generator'], "'generator' has no versions or commits to follow"],
  [['plain', '--over', 'rounds=1'], 'is not an axis with at least two values'],
  [['plain', '--over', 'rounds=1,2', '--from', '1'], '--from cannot be used with --over'],
  [['npm:bson', '--from', '1.0.0', '--every', '3'], '--every is for commits'],
])('just trend %j is refused', async (args, message) => {
  const { status, stderr } = await call(['trend', ...args]);
  expect(status).toBe(EXIT.usage);
  expect(stderr).toContain(message);
});
