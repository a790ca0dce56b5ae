import { makeCell, makeManifest } from '../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { planMemoryJobs } from '../stats/memory/plan.js';
import { planPlacements } from '../stats/placement-plan.js';
import { describeGate, watchRun } from './progress.js';

/** @import { CellComparison, PassName, Progress, Question, Recorder } from '../formats/types.ts' */
/** @import { WatchedRun } from './progress.js' */

const FLAT = { operation: 'serialize', corpus: 'flat' };
const DEEP = { operation: 'serialize', corpus: 'deep' };

/**
 * Follows a run of two cells whose timed jobs take 100 ms.
 * @param {Partial<Question>} [question] @param {Partial<WatchedRun>} [limits]
 */
function follow(question = {}, limits = {}) {
  const cells = [FLAT, DEEP].map((cell) => ({ ...cell, id: `${cell.operation} ${cell.corpus}` }));
  const manifest = makeManifest({ cells, ...question });
  const observed = {
    observations: /** @type {any[]} */ ([]),
    memoryObservations: /** @type {any[]} */ ([]),
    placementObservations: /** @type {any[]} */ ([]),
    profileObservations: /** @type {any[]} */ ([]),
  };
  const gate = { formatVersion: FORMAT_VERSION, workerMs: 0, differences: [] };
  let nowMs = 0;
  /** @type {Progress[]} */
  const reported = [];
  const watch = watchRun(
    {
      run: { path: '/run', manifest, gate, sessions: [], hosts: [], loadedFiles: [], ...observed },
      recorders: [],
      clock: { elapsedMs: () => nowMs, sessionMs: () => nowMs },
      budgetMs: Infinity,
      ...limits,
    },
    (describe) => reported.push(describe()),
  );
  const latest = () => /** @type {Progress} */ (reported.at(-1));
  return {
    ...observed,
    manifest,
    latest,
    onPass: watch.onPass,
    endOf: watch.endOf,
    /** @param {number} ms */
    setTime(ms) {
      nowMs = ms;
    },
    /** @param {number} candidates jobs of the candidate on `serialize flat` */
    measure(candidates) {
      for (let count = 0; count < candidates; count++) {
        const job = { cellId: 'serialize flat', outcome: 'done', workerMs: 100 };
        observed.observations.push({ ...job, arm: 'candidate' }, { ...job, arm: 'baseline' });
      }
    },
    /** @param {CellComparison[]} comparisons  @param {string[]} settled  @param {string[]} [failed] */
    look(comparisons, settled, failed = []) {
      const decided = Object.fromEntries(settled.map((id) => [id, true]));
      watch.onLook({ cells: comparisons, decided, failed: new Set(failed) });
    },
    /** @param {PassName} pass  @param {Partial<Progress>} [progress] */
    report(pass, progress = {}) {
      watch.during(pass)(() => ({ step: 'a job', ...progress }));
      return latest();
    },
  };
}

/** @type {(sketch?: Partial<import('../../reports/fixtures/build.js').CellSketch>) => CellComparison} */
function compare(sketch = {}) {
  return makeCell({
    ...FLAT,
    verdict: 'faster',
    ratio: [0.85, 0.9, 0.95],
    processes: 16,
    ...sketch,
  });
}

/** @param {Progress} progress */
function statesOf({ comparison }) {
  return comparison?.rows.map(({ state, processes }) => [state, processes]);
}

describe('the rows', () => {
  test('are there from the beginning', () => {
    const { question } = makeManifest();
    const { comparison } = describeGate(question);
    expect(comparison?.rows.map(({ cell, state }) => [cell, state])).toEqual(
      question.cells.map((cell) => [cell, 'waiting']),
    );
  });

  test('count processes after every job, and have figures of looks alone', () => {
    const run = follow();
    run.measure(3);
    const before = run.report('timing');
    expect(statesOf(before)).toEqual([
      ['measuring', 3],
      ['waiting', 0],
    ]);
    expect(before.comparison?.rows[0].comparison).toBeNull();

    const open = compare({ verdict: 'inconclusive' });
    run.look([open], []);
    run.measure(2);
    const [row] = run.report('timing').comparison?.rows ?? [];
    expect(row).toMatchObject({ state: 'measuring', processes: 5 });
    expect(row.comparison).toBe(open);
  });

  test('are settled at once, and then keep their processes', () => {
    const run = follow();
    run.measure(20);
    run.look([compare()], ['serialize flat'], ['serialize deep']);
    expect(statesOf(run.latest())).toEqual([
      ['settled', 16],
      ['failed', 0],
    ]);
  });

  test('are not strong before other placements have confirmed it', () => {
    const run = follow({ placements: 2 });
    const strong = [
      compare({ strong: true }),
      compare({ ...DEEP, ratio: [0.4, 0.5, 0.6], strong: true }),
    ];
    const shown = () => run.latest().comparison?.rows.map((row) => row.comparison?.strong);
    run.look(strong, ['serialize flat', 'serialize deep']);
    expect(shown()).toEqual([false, true]);
    run.onPass('placement', strong);
    expect(shown()).toEqual([false, true]);
    run.onPass('profiles', strong);
    expect(shown()).toEqual([true, true]);
  });

  test('are settled by the verdict of a run that had no time left', () => {
    const run = follow();
    run.onPass('placement', [compare(), compare({ ...DEEP, verdict: 'inconclusive' })]);
    expect(statesOf(run.latest())?.map(([state]) => state)).toEqual(['settled', 'settled']);
  });

  test('do not exist for memory alone', () => {
    expect(follow({ memory: 'only' }).report('memory').comparison).toBeUndefined();
  });
});

describe('the remaining time', () => {
  /** @type {Recorder} */
  const recorder = /** @type {any} */ ({ name: 'cpu-profile', processes: 3 });

  test('is that of the timing, if nothing follows it', () => {
    const run = follow();
    run.setTime(4_000);
    expect(run.report('timing', { secondsLeft: 7, isUpperBound: true })).toMatchObject({
      secondsElapsed: 4,
      secondsLeft: 7,
      isUpperBound: true,
      next: [],
    });
    expect(run.report('timing', { secondsLeft: NaN }).secondsLeft).toBeNaN();
  });

  test('includes memory, by the jobs of the same kind', () => {
    const run = follow({ memory: 'too', memoryKinds: ['allocation', 'collections'] });
    const planned = planMemoryJobs(run.manifest.question, run.manifest.corpora);
    const before = run.report('timing', { secondsLeft: 7 });
    expect(before).toMatchObject({ secondsLeft: 7 + planned.length * 1.5, next: ['memory'] });

    const [first, ...left] = planned;
    run.memoryObservations.push({ ...first, workerMs: 3_000 });
    expect(run.report('memory').secondsLeft).toBe(left.length * 3);
    const other = left.findIndex(({ kind }) => kind !== first.kind);
    run.memoryObservations.push({ ...left[other], workerMs: 1_000 });
    const same = left.filter(({ kind }) => kind === first.kind).length;
    expect(run.report('memory').secondsLeft).toBe(same * 3 + (left.length - same - 1));
  });

  test('includes other placements of cells that differ, or may', () => {
    const run = follow({ placements: 2 });
    run.measure(16);
    const { question } = run.manifest;
    const jobs = planPlacements(question, 'serialize flat', 2).flat();
    // Two copies of each variant, and jobs of 100 ms.
    const seconds = 4 * 0.25 + jobs.length / 10;
    const cells = (/** @type {Progress} */ { secondsLeft = NaN }) => (secondsLeft - 7) / seconds;
    expect(cells(run.report('timing', { secondsLeft: 7 }))).toBeCloseTo(2);

    run.look([compare(), compare({ ...DEEP, verdict: 'inconclusive' })], ['serialize flat']);
    expect(cells(run.report('timing', { secondsLeft: 7 }))).toBeCloseTo(2);
    run.look(
      [compare(), compare({ ...DEEP, verdict: 'inconclusive', ratio: [0.9, 1, 1.1] })],
      ['serialize flat'],
    );
    expect(cells(run.report('timing', { secondsLeft: 7 }))).toBeCloseTo(1);

    run.placementObservations.push({ ...jobs[0], workerMs: 100 });
    expect(run.report('placement').secondsLeft).toBeCloseTo(seconds - 0.1);
  });

  test('is less than half where two run at the same time, as a look at new copies needs half of the jobs', () => {
    const [alone, paired] = [{}, { schedule: /** @type {const} */ ('paired') }].map((schedule) => {
      const run = follow({ placements: 2, ...schedule });
      run.measure(16);
      const copiesSeconds = 2 * 4 * 0.25;
      return (run.report('timing', { secondsLeft: 0 }).secondsLeft ?? NaN) - copiesSeconds;
    });
    expect(paired / alone).toBeCloseTo(12 / 16 / 2);
  });

  test('includes the profiles of cells that differ; processors decide how many are recorded at a time', () => {
    const run = follow({ explain: 'differing' }, { recorders: [recorder] });
    run.look(
      [compare(), compare({ ...DEEP, verdict: 'equivalent' })],
      ['serialize flat', 'serialize deep'],
    );
    const { secondsLeft = NaN, next } = run.report('timing', { secondsLeft: 0 });
    expect(next).toEqual(['profiles']);
    expect([4.5, 9, 18]).toContain(secondsLeft);
    run.profileObservations.push(
      { id: 'cpu-profile/serialize flat/0/baseline', recorder: 'cpu-profile', workerMs: 1_000 },
      { id: 'cpu-profile/serialize flat/0/candidate', recorder: 'cpu-profile', workerMs: 1_000 },
    );
    expect([1, 2, 4]).toContain(run.report('profiles').secondsLeft);
  });

  test('is unknown before the first timed job, but not what follows', () => {
    const unknown = follow({ placements: 2 }).report('timing', { secondsLeft: NaN });
    expect(unknown).toMatchObject({ secondsLeft: NaN, next: ['placement'] });
    const run = follow({ placements: 2 });
    run.measure(1);
    run.look(
      [compare({ verdict: 'refused' }), compare({ ...DEEP, verdict: 'refused' })],
      ['serialize flat', 'serialize deep'],
    );
    expect(run.report('timing', { secondsLeft: 0 })).toMatchObject({ secondsLeft: 0, next: [] });
  });

  test('is limited by the budget, and memory leaves the rest to open cells', () => {
    const run = follow({ memory: 'too', memoryKinds: ['allocation'] }, { budgetMs: 20_000 });
    run.setTime(5_000);
    const atMost = { secondsLeft: 15, isUpperBound: true };
    expect(run.report('timing', { secondsLeft: NaN })).toMatchObject(atMost);
    expect(run.report('timing', { secondsLeft: 100 })).toMatchObject(atMost);
    expect(run.report('memory')).toMatchObject(atMost);
    run.onPass('placement', [compare(), compare(DEEP)]);
    for (const job of planMemoryJobs(run.manifest.question, run.manifest.corpora)) {
      run.memoryObservations.push({ ...job, workerMs: 100 });
    }
    expect(run.report('memory')).toMatchObject({ secondsLeft: 0, isUpperBound: false });
  });
});

describe('what is kept of the budget', () => {
  /** @type {Recorder} */
  const recorder = /** @type {any} */ ({ name: 'cpu-profile', processes: 40 });
  const second = 1_000;

  test('is a fifth for whole looks at placements of cells that may differ, and nothing where none fits in', () => {
    const [long, short] = [100, 10].map((seconds) => {
      const run = follow({ placements: 2 }, { budgetMs: seconds * second });
      run.measure(16);
      return run;
    });
    const jobs = planPlacements(long.manifest.question, 'serialize flat', 2).flat();
    // A second for copies, a quarter more to be sure.
    const lookMs = (second + jobs.length * 100) * 1.25;
    expect(long.endOf('timing')).toBe(100 * second - 2 * lookMs);
    expect(long.endOf('memory')).toBe(long.endOf('timing'));
    expect(long.endOf('placement')).toBe(100 * second);
    expect(lookMs).toBeGreaterThan(2 * second);
    expect(short.endOf('timing')).toBe(10 * second);

    const [same, other] = [compare({ verdict: 'equivalent', ratio: [0.99, 1, 1.01] }), compare()];
    long.look([same, { ...other, cell: { ...other.cell, ...DEEP, id: 'serialize deep' } }], []);
    expect(long.endOf('timing')).toBe(100 * second - lookMs);
  });

  test('is a fifth for profiles of settled cells that differ, or of all if asked', () => {
    const run = follow({ explain: 'differing' }, { recorders: [recorder], budgetMs: 50 * second });
    expect(run.endOf('timing')).toBe(50 * second);
    run.look([compare()], ['serialize flat']);
    expect([run.endOf('timing'), run.endOf('placement')]).toEqual([40 * second, 40 * second]);
    expect(run.endOf('profiles')).toBe(50 * second);
    const short = follow(
      { explain: 'differing' },
      { recorders: [recorder], budgetMs: 10 * second },
    );
    short.look([compare()], ['serialize flat']);
    expect(short.endOf('timing')).toBe(10 * second);
    const all = follow({ explain: 'all' }, { recorders: [recorder], budgetMs: 50 * second });
    expect(all.endOf('timing')).toBe(40 * second);
  });

  test('counts down in every pass', () => {
    const run = follow({ explain: 'differing' }, { recorders: [recorder], budgetMs: 50 * second });
    run.setTime(42 * second);
    run.onPass('profiles', [compare(), compare(DEEP)]);
    expect(run.report('profiles')).toMatchObject({ secondsLeft: 8, isUpperBound: true });
  });

  test('is nothing without a budget', () => {
    expect(follow({ placements: 2, memory: 'too' }).endOf('timing')).toBe(Infinity);
  });
});
