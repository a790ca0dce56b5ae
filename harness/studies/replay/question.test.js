import { makeManifest } from '../../../reports/fixtures/build.js';
import { PROJECT } from '../../lib/project.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { checkCells, checkNodeFlags, makeReplayQuestion } from './question.js';
import { makeRecord } from './test-support/make-record.js';

/** @import { Question, ReplayRecord } from '../../formats/types.ts' */

test.each(['--predictable', '--no-opt', '--max-semi-space-size=64', '--max_old_space_size=512'])(
  'a flag that only affects V8 is accepted: %s',
  (flag) => {
    expect(() => checkNodeFlags([flag])).not.toThrow();
  },
);

test.each([
  '--require=./x.js',
  '--import=data:text/javascript,0',
  '-r',
  '--loader=./x.js',
  '--inspect=0.0.0.0:9229',
  '--redirect-code-traces-to=/tmp/x',
  '--logfile=/tmp/x',
  '--cpu-prof',
  '--max-old-space-size=1;id',
  '--max-old-space-size',
  '--predictable=1',
  '__predictable',
  '--predictable\n--cpu-prof',
  './script.js',
])('any other flag is refused: %j', (flag) => {
  expect(() => checkNodeFlags(['--predictable', flag])).toThrow(/gives Node the flag '/);
});

describe('the question of a replay', () => {
  const specs = { baseline: 'generator', candidates: ['git:../mine@abc'] };

  /**
   * @param {Partial<Question>} changes of the question of the report
   * @param {Partial<Parameters<typeof makeReplayQuestion>[2]>} [choices]
   */
  function ask(changes, choices) {
    const { question } = makeManifest(changes);
    /** @type {ReplayRecord["results"]} */
    const results = [
      { cellId: 'serialize flat', verdict: 'slower', ratio: { estimate: 2, low: 1.5, high: 3 } },
    ];
    const defaults = { runtime: null, allowsBuild: false, budgetSeconds: null };
    return makeReplayQuestion({ question, results }, specs, { ...defaults, ...choices });
  }

  test('is that of the report with the specs of this host', () => {
    const { question } = makeManifest({ nodeFlags: ['--no-opt'], budgetSeconds: 90 });
    const bands = { 'serialize flat': [{ low: 1.5 / 1.03, high: 3 * 1.03 }] };
    expect(ask(question)).toEqual({ ...question, ...specs, bands });
  });

  test('includes neither profiles nor memory nor a plan', () => {
    const asked = ask({
      explain: 'all',
      recorders: ['perf'],
      memory: 'too',
    });
    expect(asked).toMatchObject({ explain: 'none', recorders: [], memory: 'none' });
  });

  test('includes the build command of the report only if the user allows it', () => {
    const build = 'npm run build';
    expect(ask({ build })).not.toHaveProperty('build');
    expect(ask({ build }, { allowsBuild: true }).build).toBe(build);
  });

  test('has the Node of the report in cells that name none, and keeps the names of cells', () => {
    const [first, ...others] = makeManifest().question.cells;
    const cells = [{ ...first, runtime: 'bun@1.4.5' }, ...others];
    const asked = ask({ cells }, { runtime: 'node@22.11.0' });
    expect(asked.cells.map(({ id }) => id)).toEqual(cells.map(({ id }) => id));
    expect(asked.cells.map(({ runtime }) => runtime)).toEqual([
      'bun@1.4.5',
      ...others.map(() => 'node@22.11.0'),
    ]);
  });

  test('runs jobs in pairs if the report did and there are two cores', () => {
    const schedule = /** @type {const} */ ('paired');
    expect(ask({ schedule }, { hasTwoCores: true }).schedule).toBe('paired');
    expect(ask({ schedule }, { hasTwoCores: false })).not.toHaveProperty('schedule');
  });

  test('has the budget of the user if there is one', () => {
    expect(ask({ budgetSeconds: 90 }, { budgetSeconds: 5 }).budgetSeconds).toBe(5);
  });
});

test('calls in flight of a synchronous operation are refused', async () => {
  const record = await makeRecord();
  const cells = record.question.cells.map((cell) => ({ ...cell, concurrency: 2 }));
  const family = findFamily(await listFamilies(PROJECT.experimentsPath), 'js-bson');
  await expect(
    checkCells({ ...record, question: { ...record.question, cells } }, family, PROJECT.corporaPath),
  ).rejects.toThrow(/the calls in flight of 'serialize deep' are not those of 'serialize'/);
});

describe('the cells of several candidates', () => {
  /** @param {[id: string, candidate: number][]} sketches */
  async function checkShared(sketches) {
    const record = await makeRecord();
    const [cell] = record.question.cells;
    const cells = sketches.map(([id, candidate]) => ({
      ...cell,
      id,
      candidate,
      sharedId: cell.id,
    }));
    const candidates = ['generator', 'path:../here'];
    const question = { ...record.question, candidates, cells };
    const family = findFamily(await listFamilies(PROJECT.experimentsPath), 'js-bson');
    await checkCells({ ...record, question, results: [] }, family, PROJECT.corporaPath);
  }

  test('may have the names that the candidates had in the report that a replay was made of', async () => {
    await expect(
      checkShared([
        ['serialize deep generator', 0],
        ['serialize deep path:../there', 1],
      ]),
    ).resolves.toBeUndefined();
  });

  test.each(
    /** @type {[string, [string, number][], RegExp][]} */ ([
      [
        'of a candidate that there is not',
        [['serialize deep x', 2]],
        /not of one of its candidates/,
      ],
      ['without its candidate', [['serialize deep', 0]], /not of one of its candidates/],
      [
        'twice under two names',
        [
          ['serialize deep generator', 0],
          ['serialize deep other', 0],
        ],
        /'serialize deep generator' appears twice/,
      ],
    ]),
  )('are refused %s', async (_, sketches, message) => {
    await expect(checkShared(sketches)).rejects.toThrow(message);
  });
});

describe('a cell of cold calls', () => {
  /** @param {number} calls  @param {string} id */
  async function checkCell(calls, id) {
    const record = await makeRecord();
    const [cell] = record.question.cells;
    const cells = [{ ...cell, id, cold: { calls, withLoad: false } }];
    const results = record.results.map((result) => ({ ...result, cellId: id }));
    const question = { ...record.question, cells };
    const family = findFamily(await listFamilies(PROJECT.experimentsPath), 'js-bson');
    await checkCells({ ...record, question, results }, family, PROJECT.corporaPath);
  }

  test('is replayed if a comparison could have made it', async () => {
    await expect(checkCell(10, 'serialize deep cold 10')).resolves.toBeUndefined();
  });

  test.each([
    [10, 'serialize deep', /'serialize deep' is 'serialize deep cold 10'/],
    [1e9, 'serialize deep cold 1000000000', /times 1000000000 calls, which no comparison does/],
  ])('of %d calls named %j is refused', async (calls, id, message) => {
    await expect(checkCell(calls, id)).rejects.toThrow(message);
  });
});
