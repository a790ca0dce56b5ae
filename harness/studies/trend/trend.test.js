import { join } from 'node:path';
import { validate } from '../../formats/schemas.js';
import { omitUndefined } from '../../lib/records.js';
import { compareRun } from '../../stats/compare.js';
import { listAllLooks } from '../../stats/plan.js';
import { seedGenerator } from '../../stats/random.js';
import { simulateQuestion } from '../../testing/simulation/runs.js';
import { isLong, testMore } from '../../testing/support/gates.js';
import { makeRepository } from '../../variants/test-support/make-repository.js';
import { describeCells } from '../history/store.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { listPoints } from './points.js';
import { runStudy } from '../study.js';
import { askStep } from './question.js';
import { planNext, toResults } from './series.js';
import { openTrend } from './test-support/fixtures.js';
import { continueTrend, makeTrendStudy, update } from './trend.js';

/** @import { Candidate, Observation, Trend, TrendStep, VerdictWord } from '../../formats/types.ts' */
/** @import { TrendOutcome, TrendStepTask } from './trend.js' */

/** @typedef {(task: TrendStepTask, trend: Trend) => Promise<TrendOutcome>} Compare */

/** Simulated trends of a repository. */
const RUNS = isLong ? 10 : 3;
/** As measured between processes of one variant (decision 0001). */
const SPREAD = 0.03;
const DIGEST = `sha256:${'0'.repeat(64)}`;

/** @type {import('./trend.js').TrendOutcome} */
const NOTHING = {
  results: [],
  skipped: [],
  runId: null,
  ended: 'complete',
  seconds: 0,
  sessionSeconds: 0,
};

/**
 * Compares on simulated observations, look by look as a run does.
 *
 * @param {(spec: string) => number} timeOf true time of a variant
 * @param {number} seed
 * @returns {Compare}
 */
function simulateCompare(timeOf, seed) {
  const random = seedGenerator(seed);
  return async (task, trend) => {
    const question = askStep(trend, task);
    const run = { question, expectedDigests: { 'serialize flat': DIGEST } };
    /** @type {Observation[]} */
    const observations = [];
    let cells = question.cells;
    let from = 0;
    for (const to of listAllLooks(question)) {
      const timeNs = (/** @type {{ arm: string, cellId: string }} */ { arm, cellId }) => {
        const cell = question.cells.find(({ id }) => id === cellId);
        const spec =
          arm === 'candidate' ? question.candidates[cell?.candidate ?? 0] : question.baseline;
        return 1000 * timeOf(spec);
      };
      const settings = {
        noise: /** @type {const} */ ('normal'),
        spread: SPREAD,
        outputDigest: DIGEST,
      };
      observations.push(
        ...simulateQuestion(question, { from, to, cells }, timeNs, settings, random),
      );
      const { decided } = compareRun({ ...run, observations });
      cells = cells.filter(({ id }) => !decided[id]);
      from = to;
    }
    const results = toResults(describeCells(compareRun({ ...run, observations }).cells, question));
    return { ...NOTHING, results, runId: 'run', seconds: 10, sessionSeconds: 10 };
  };
}

/**
 * @param {Trend} opened
 * @param {object} options
 * @param {(spec: string) => number} options.timeOf
 * @param {number} options.seed
 * @param {(outcome: TrendOutcome, task: TrendStepTask) => TrendOutcome} [options.alter] what a comparison gave
 * @param {number} [options.budgetSeconds]
 */
async function simulateTrend(
  opened,
  { timeOf, seed, alter = takeOutcome, budgetSeconds = Infinity },
) {
  const compare = simulateCompare(timeOf, seed);
  const interrupts = new AbortController();
  const study = makeTrendStudy(
    async (task, trend) => {
      const outcome = alter(await compare(task, trend), task);
      if (outcome.ended === 'interrupted') interrupts.abort();
      return outcome;
    },
    () => budgetSeconds,
  );
  const { signal } = interrupts;
  const { state } = await runStudy(study, continueTrend(opened), { signal, save: () => {} });
  expect(() => validate('trend', state)).not.toThrow();
  return state;
}

/** @param {TrendOutcome} outcome */
function takeOutcome(outcome) {
  return outcome;
}

/** @param {Trend} trend */
const listAfter = ({ series, points }) =>
  series.flatMap(({ changes }) =>
    changes.map(({ after }) => points.findIndex(({ spec }) => spec === after)),
  );

describe('a repository with 60 commits', () => {
  /** Where the time changes, and to what. */
  const PLANTED = [
    { at: 14, factor: 0.8 },
    { at: 33, factor: 1.08 },
    { at: 49, factor: 0.96 },
  ];
  const directory = makeTestDirectory('trend');
  /** @type {Candidate[]} */
  let points;
  /** @type {Map<string, number>} */
  let times;

  beforeAll(async () => {
    const repository = makeRepository(join(directory, 'codec'));
    const subjects = Array.from({ length: 60 }, (_, index) => `commit ${index}`);
    repository.importCommits(
      subjects.map((subject) => ({ files: { 'subject.txt': subject }, subject })),
    );
    repository.git('tag', 'v1', 'main~59');
    points = await listPoints(['git:codec'], { from: 'v1' }, directory);
    const commits = repository.git('log', '--format=%H', '--reverse', 'main').split('\n');
    times = new Map(
      points.map(({ spec, name }) => {
        const number = commits.findIndex((commit) => commit.startsWith(String(name)));
        const passed = PLANTED.filter(({ at }) => at <= number);
        return [spec, passed.reduce((time, { factor }) => time * factor, 1.3)];
      }),
    );
  });

  testMore('its planted changes are found at their commits, and nothing else', async () => {
    expect(points).toHaveLength(60);
    /** @type {number[]} */
    const found = [];
    for (let seed = 1; seed <= RUNS; seed++) {
      // A host that has measured that builds hardly differ.
      const placementSpread = { 'serialize flat': 0 };
      const done = await simulateTrend(openTrend(points, seed, { placementSpread }), {
        timeOf: (spec) => times.get(spec) ?? 1,
        seed,
      });
      expect(done.ended).toBe('complete');
      found.push(...listAfter(done));
    }
    const planted = PLANTED.map(({ at }) => at);
    expect(found.filter((at) => !planted.includes(at))).toEqual([]);
    const shares = planted.map((at) => found.filter((place) => place === at).length);
    expect(shares.slice(0, 2)).toEqual([RUNS, RUNS]);
    expect(shares[2]).toBeGreaterThanOrEqual(0.8 * RUNS);
  });
});

/** @param {number} count @returns {Candidate[]} */
const listVersions = (count) =>
  Array.from({ length: count }, (_, index) => ({ spec: `v${index}`, name: `1.${index}.0` }));
/** @param {string} spec */
const numberOf = (spec) => Number(spec.slice(1));
/** @param {Trend} trend */
const listSteps = ({ steps }) =>
  steps.map(({ purpose, candidates }) => [purpose, ...candidates.map(numberOf)]);

test('of a level series only the first points are measured', async () => {
  const done = await simulateTrend(openTrend(listVersions(33), 3), { timeOf: () => 1, seed: 3 });
  expect(listSteps(done)).toEqual([['first', 0, 4, 8, 12, 16, 20, 24, 28, 32]]);
  expect(done.series[0].changes).toEqual([]);
  expect(done.ended).toBe('complete');
});

test('more points than one comparison takes are shared out like cards', async () => {
  const opened = openTrend(listVersions(25), 3, { firstPoints: 25 });
  const done = await simulateTrend(opened, { timeOf: () => 1, seed: 3 });
  expect(listSteps(done)).toEqual([
    ['first', 0, 3, 6, 9, 12, 15, 18, 21, 24],
    ['first', 1, 4, 7, 10, 13, 16, 19, 22],
    ['first', 2, 5, 8, 11, 14, 17, 20, 23],
  ]);
});

describe('what cannot be measured', () => {
  const timeOf = (/** @type {string} */ spec) => (numberOf(spec) >= 6 ? 1.2 : 1);

  test('is skipped, and a neighbour takes its place', async () => {
    const opened = openTrend(listVersions(12), 4, { firstPoints: 3 });
    const done = await simulateTrend(opened, {
      timeOf,
      seed: 4,
      alter(outcome, task) {
        const bad = task.candidates.filter((spec) => [5, 6, 11].includes(numberOf(spec)));
        if (bad.length === 0) return outcome;
        return { ...NOTHING, skipped: bad.map((spec) => ({ spec, reason: 'it does not build' })) };
      },
    });
    expect(done.skipped.map(({ spec }) => spec).sort()).toEqual(['v11', 'v5', 'v6']);
    expect(listSteps(done)[0]).toEqual(['first', 0, 7, 10]);
    expect(done.series[0].changes).toMatchObject([
      { before: 'v4', after: 'v7', isDirect: true, unmeasured: 0 },
    ]);
  });

  test('is skipped where a comparison gives no figures', async () => {
    const opened = openTrend(listVersions(3), 5, { firstPoints: 3 });
    const done = await simulateTrend(opened, {
      timeOf: () => 1,
      seed: 5,
      alter(outcome) {
        const results = outcome.results.filter(({ candidate }) => candidate !== 'v1');
        return { ...outcome, results };
      },
    });
    expect(done.skipped).toEqual([
      {
        spec: 'v1',
        cellIds: ['serialize flat'],
        reason: 'too few of its processes gave a usable figure',
      },
    ]);
    expect(done.series[0].points.map(({ spec }) => spec)).toEqual(['v0', 'v2']);
    const resumed = await simulateTrend(done, { timeOf: () => 1, seed: 6 });
    expect(resumed.skipped).toEqual([]);
    expect(resumed.series[0].points).toHaveLength(3);
  });
});

test('a point without figures on one of several cells is measured there once more', async () => {
  const opened = openTrend(listVersions(3), 9, { firstPoints: 3 });
  const [cell] = opened.question.cells;
  const cells = [cell, { ...cell, id: 'deserialize flat', operation: 'deserialize' }];
  const both = { ...opened, question: { ...opened.question, cells } };
  const timeOf = () => 1;
  /** @type {string[][]} */
  const asked = [];
  const done = await simulateTrend(both, {
    timeOf,
    seed: 9,
    alter(outcome, task) {
      asked.push(task.candidates.flatMap((spec) => task.cellIds.map((id) => `${spec} ${id}`)));
      const lost = asked.length === 1 ? [`v1 ${cells[1].id}`] : [];
      const results = outcome.results.filter(
        ({ candidate, cellId }) => !lost.includes(`${candidate} ${cellId}`),
      );
      return { ...outcome, results };
    },
  });
  expect(asked.slice(1)).toEqual([[`v1 ${cells[1].id}`]]);
  expect(done.skipped).toEqual([]);
  expect(done.series.map(({ points }) => points.length)).toEqual([3, 3]);
});

test('a point without figures on one of several cells after two attempts is skipped there alone', async () => {
  const opened = openTrend(listVersions(3), 9, { firstPoints: 3 });
  const [cell] = opened.question.cells;
  const lost = 'deserialize flat';
  const cells = [cell, { ...cell, id: lost, operation: 'deserialize' }];
  const done = await simulateTrend(
    { ...opened, question: { ...opened.question, cells } },
    {
      timeOf: () => 1,
      seed: 9,
      alter: (outcome) => ({
        ...outcome,
        results: outcome.results.filter(
          ({ candidate, cellId }) => candidate !== 'v1' || cellId !== lost,
        ),
      }),
    },
  );
  expect(done.skipped).toMatchObject([{ spec: 'v1', cellIds: [lost] }]);
  expect(done.series.map(({ points }) => points.length)).toEqual([3, 2]);
});

test('a point that gives no figures when it is measured again for precision keeps its place', async () => {
  const opened = openTrend(listVersions(3), 9, { firstPoints: 3, processes: 8 });
  const done = await simulateTrend(opened, {
    timeOf: () => 1,
    seed: 9,
    alter: (outcome, { purpose }) => ({
      ...outcome,
      results: outcome.results.filter(({ candidate }) => purpose === 'first' || candidate !== 'v1'),
    }),
  });
  expect(done.skipped).toEqual([]);
  expect(done.series[0].points.map(({ spec }) => spec)).toEqual(['v0', 'v1', 'v2']);
  // Each attempt counts, also one without a figure.
  expect(done.steps.filter(({ candidates }) => candidates.includes('v1'))).toHaveLength(4);
});

test('neighbours that a disturbed host left open are compared twice and no more', async () => {
  const timeOf = (/** @type {string} */ spec) => (spec === 'v1' ? 1.2 : 1);
  const opened = openTrend(listVersions(2), 6, { firstPoints: 2 });
  const done = await simulateTrend(opened, {
    timeOf,
    seed: 6,
    alter(outcome, { purpose }) {
      if (purpose !== 'neighbours') return outcome;
      const results = outcome.results.map((one) => ({
        ...one,
        verdict: /** @type {const} */ ('untrusted'),
      }));
      return { ...outcome, results };
    },
  });
  expect(listSteps(done).map(([purpose]) => purpose)).toEqual([
    'first',
    'neighbours',
    'neighbours',
  ]);
  expect(done.series[0].changes).toMatchObject([{ after: 'v1', isDirect: false }]);
});

describe('where the reference is a point', () => {
  const opened = openTrend([{ spec: 'npm:bson@7.3.1', name: '7.3.1' }, ...listVersions(2)], 10, {
    firstPoints: 3,
  });
  const [id] = opened.question.cells.map((cell) => cell.id);
  /** @type {(purpose: TrendStep['purpose'], results: [string, number, VerdictWord, number?][]) => TrendStep} */
  const makeStep = (purpose, results) => ({
    purpose,
    ...{ baseline: opened.question.baseline, candidates: results.map(([spec]) => spec) },
    ...{ cellIds: [id], seconds: 1, runId: 'run', isStored: false, isComplete: true },
    results: results.map(([candidate, log, verdict, standardError = 0.01]) => {
      const common = { cellId: id, degreesOfFreedom: 8, processes: 24 };
      return { ...common, candidate, verdict, log, standardError };
    }),
  });
  const points = makeStep('first', [
    ['npm:bson@7.3.1', 0, 'inconclusive'],
    ['v0', 0.2, 'slower'],
    ['v1', 0.2, 'slower'],
  ]);
  const open = makeStep('neighbours', [['v0', 0.19, 'inconclusive', 0.02]]);
  const change = makeStep('neighbours', [['v0', 0.18, 'slower']]);
  /** @param {TrendStep[]} steps */
  const describeIt = (...steps) => update(opened, { steps }).series[0];

  test('its points do not count as neighbours side by side', () => {
    expect(describeIt(points).changes).toMatchObject([{ after: 'v0', isDirect: false }]);
    expect(planNext(update(opened, { steps: [points] }))).toMatchObject({
      purpose: 'neighbours',
      candidates: ['v0'],
    });
  });

  test.each([
    ['first', [points, change, open]],
    ['last', [points, open, change]],
  ])('of several comparisons of neighbours the most precise decides, here the %s', (_, steps) => {
    const [{ step, isDirect }] = describeIt(...steps).changes;
    expect(isDirect).toBe(true);
    expect(step.estimate).toBeCloseTo(Math.exp(0.18), 6);
  });

  test('of neighbours that were measured in other placements these decide', () => {
    const built = change.results[0];
    const makeDirect = (/** @type {VerdictWord} */ verdict, /** @type {number} */ log) => ({
      ...change,
      results: [{ ...built, verdict, placement: { log, standardError: 0.02 } }],
    });
    // Of the builds alone, and more precise: they are not asked.
    const [{ step, overPlacements }] = describeIt(
      points,
      change,
      makeDirect('slower', 0.15),
    ).changes;
    expect(overPlacements).toBe(true);
    expect(step.estimate).toBeCloseTo(Math.exp(0.15), 6);
    const refuted = describeIt(points, makeDirect('inconclusive', 0.01)).changes;
    expect(refuted.map(({ after }) => after)).not.toContain('v0');
  });

  test('what jobs that run at the same time lose of a ratio is allowed for', () => {
    const widthsOf = (/** @type {'paired' | undefined} */ schedule) => {
      const question = { ...opened.question, ...omitUndefined({ schedule }) };
      const steps = [points, makeStep('neighbours', [['v1', 0.1, 'slower']])];
      const { points: drawn, changes } = update(opened, { question, steps }).series[0];
      const widthOf = (/** @type {{ low: number, high: number }} */ { low, high }) =>
        Math.log(high / low);
      return [widthOf(drawn[0].ratio), widthOf(drawn[1].ratio), widthOf(changes[0].step)];
    };
    const [alone, paired] = [widthsOf(undefined), widthsOf('paired')];
    // A tenth of both ends of a point at 0, and of the upper end and the level otherwise.
    expect(paired[0] / alone[0]).toBeCloseTo(1.1, 6);
    expect(paired[1] - alone[1]).toBeCloseTo(0.1 * (0.2 + alone[1] / 2), 6);
    expect(paired[2] - alone[2]).toBeCloseTo(0.1 * 0.2, 2);
  });

  test('builds may differ by what the calibration says, and by more without one', () => {
    const steps = [
      makeStep('first', [
        ['npm:bson@7.3.1', 0, 'inconclusive'],
        ['v0', 0.07, 'slower'],
        ['v1', 0.07, 'slower'],
      ]),
    ];
    const countChanges = (/** @type {Record<string, number>} */ placementSpread) =>
      update(opened, { steps, placementSpread }).series[0].changes.length;
    expect([{ [id]: 0.002 }, { [id]: 0.04 }, {}].map(countChanges)).toEqual([1, 0, 0]);
  });

  test('the interval of few processes is by Student, without the reserve for change points', () => {
    const [, { ratio }] = describeIt(points).points;
    // 95 % and 99.9 % quantiles of Student with 8 degrees of freedom, and of a normal distribution.
    const raw = (0.01 * 3.2905) / 5.0413;
    expect(Math.log(ratio.high / ratio.estimate)).toBeCloseTo(2.306 * raw, 4);
  });
});

describe('the budget', () => {
  const timeOf = (/** @type {string} */ spec) => (numberOf(spec) >= 6 ? 1.2 : 1);

  test('ends a trend before a comparison that would not fit', async () => {
    const opened = openTrend(listVersions(12), 7, { firstPoints: 3 });
    // Four arms in 10 s; the next comparison has four arms as well, and 4 s are left.
    const done = await simulateTrend(opened, { timeOf, seed: 7, budgetSeconds: 14 });
    expect(done.ended).toBe('budget');
    expect(listSteps(done)).toHaveLength(1);
    expect(done.series[0].changes).toMatchObject([{ unmeasured: expect.any(Number) }]);
    const more = await simulateTrend(opened, { timeOf, seed: 7, budgetSeconds: 16 });
    expect(listSteps(more)).toHaveLength(2);
  });

  test('is that of the session: what a resumed comparison took before is not charged', async () => {
    const opened = openTrend(listVersions(12), 7, { firstPoints: 3 });
    let isFirst = true;
    const done = await simulateTrend(opened, {
      timeOf,
      seed: 7,
      budgetSeconds: 16,
      alter(outcome) {
        const sessionSeconds = isFirst ? 1 : 10;
        isFirst = false;
        return { ...outcome, sessionSeconds };
      },
    });
    expect(listSteps(done)).toHaveLength(3);
  });

  test('that ends before the first comparison leaves what one that was cut short has found', async () => {
    const opened = openTrend(listVersions(12), 7, { firstPoints: 3 });
    const cut = await simulateTrend(opened, {
      timeOf,
      seed: 7,
      alter: (outcome) => ({ ...outcome, ended: 'budget' }),
    });
    const done = await simulateTrend(cut, { timeOf, seed: 7, budgetSeconds: 0 });
    expect(done).toEqual(cut);
    expect(done.series[0].points).toHaveLength(3);
    const resumed = await simulateTrend(cut, { timeOf, seed: 7 });
    expect(resumed.steps.every(({ isComplete }) => isComplete)).toBe(true);
  });
});

test('an interrupted trend is resumed with the same comparison and the same seed', async () => {
  const timeOf = (/** @type {string} */ spec) => (numberOf(spec) >= 6 ? 1.2 : 1);
  const opened = openTrend(listVersions(12), 8, { firstPoints: 3 });
  const whole = await simulateTrend(opened, { timeOf, seed: 8 });
  /** @type {unknown[]} */
  const asked = [];
  /** @type {(last: number) => (outcome: TrendOutcome, task: TrendStepTask) => TrendOutcome} */
  const interruptAt = (last) => {
    let count = 0;
    return (outcome, task) => {
      asked.push(task);
      count += 1;
      return count === last ? { ...outcome, results: [], ended: 'interrupted' } : outcome;
    };
  };
  const cut = await simulateTrend(opened, { timeOf, seed: 8, alter: interruptAt(2) });
  expect(cut.ended).toBe('interrupted');
  expect(cut.steps.map(({ isComplete }) => isComplete)).toEqual([true, false]);
  const resumed = await simulateTrend(cut, { timeOf, seed: 9 });
  expect(asked[1]).toMatchObject({ candidates: resumed.steps[1].candidates });
  asked.length = 0;
  await simulateTrend(cut, { timeOf, seed: 9, alter: interruptAt(1) });
  expect(asked).toEqual([
    expect.objectContaining({ seed: 8 + 1, candidates: cut.steps[1].candidates }),
  ]);
  expect(listAfter(resumed)).toEqual(listAfter(whole));
});
