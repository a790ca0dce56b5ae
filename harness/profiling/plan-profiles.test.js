import { makeCell } from '../../reports/fixtures/build.js';
import {
  chooseCellsToExplain,
  countUnexplained,
  nameArtefact,
  planProfileJobs,
} from './plan-profiles.js';

/** @import { CellComparison, Question, VerdictWord } from '../formats/types.ts' */

/** @type {(corpus: string, verdict: VerdictWord, ratio: number) => CellComparison} */
function makeComparison(corpus, verdict, ratio) {
  return makeCell({
    operation: 'serialize',
    corpus,
    verdict,
    ratio: [ratio * 0.98, ratio, ratio * 1.02],
    baselineNs: 10_000,
  });
}

const comparisons = [
  makeComparison('a', 'slower', 1.1),
  makeComparison('b', 'faster', 0.5),
  makeComparison('c', 'equivalent', 1),
  makeComparison('d', 'inconclusive', 1.02),
  makeComparison('e', 'refused', 3),
];
const names = (/** @type {{ corpus: string }[]} */ cells) => cells.map(({ corpus }) => corpus);

describe('cells to explain', () => {
  test.each([
    ['the differing ones, the largest difference first', 'differing', ['b', 'a']],
    ['all but the refused ones', 'all', ['a', 'b', 'c', 'd']],
    ['none', 'none', []],
  ])('are %s with --explain %s', (_, explain, expected) => {
    const question = { explain: /** @type {Question['explain']} */ (explain) };
    expect(names(chooseCellsToExplain(question, comparisons))).toEqual(expected);
  });

  test('are limited by default, and the others are counted', () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      makeComparison(`corpus-${index}`, 'slower', 1.1 + index / 10),
    );
    const chosen = chooseCellsToExplain({ explain: 'differing' }, many);
    expect(names(chosen)).toEqual([8, 7, 6, 5, 4, 3].map((index) => `corpus-${index}`));
    const profiled = new Set(chosen.map(({ id }) => id));
    expect(countUnexplained({ explain: 'differing' }, many, profiled)).toBe(3);
    expect(chooseCellsToExplain({ explain: 'all' }, many)).toHaveLength(9);
    expect(countUnexplained({ explain: 'all' }, many, profiled)).toBe(0);
  });
});

test('an operation that measures itself is not profiled', () => {
  const comparison = makeComparison('a', 'slower', 2);
  const cell = { ...comparison.cell, figure: 'CPU time of the server per request' };
  const own = [{ ...comparison, cell }];
  expect(chooseCellsToExplain({ explain: 'all' }, own)).toEqual([]);
  expect(countUnexplained({ explain: 'differing' }, own, new Set())).toBe(0);
  const recorders = [{ name: 'rare', processes: 0 }];
  expect(planProfileJobs({ cells: [], allCells: [cell], recorders, asked: ['rare'] })).toEqual([]);
});

test('a client is profiled if that is asked for, by recorders that see all of it', () => {
  const comparison = makeComparison('a', 'slower', 2);
  const cell = { ...comparison.cell, figure: 'CPU time of the thread', sharesCore: true };
  const own = [{ ...comparison, cell }];
  expect(chooseCellsToExplain({ explain: 'differing' }, own)).toEqual([]);
  expect(countUnexplained({ explain: 'differing' }, own, new Set())).toBe(0);
  expect(chooseCellsToExplain({ explain: 'all' }, own)).toEqual([cell]);
  const recorders = [
    { name: 'stacks', processes: 2 },
    { name: 'all-stacks', processes: 1, clientProcesses: 3 },
  ];
  const jobs = planProfileJobs({ cells: [cell], allCells: [cell], recorders, asked: [] });
  expect(jobs.map(({ recorder }) => recorder)).toEqual(new Array(6).fill('all-stacks'));
});

describe('profile jobs', () => {
  const cells = comparisons.map(({ cell }) => cell);
  const [first, second] = cells;
  const recorders = [
    { name: 'stacks', processes: 2 },
    { name: 'rare', processes: 0 },
    { name: 'repeated', processes: 0, rounds: 2 },
  ];

  /** @param {string} recorder @param {string} corpus */
  const once = (recorder, corpus) =>
    ['baseline', 'candidate'].map((arm) => `${recorder}/serialize ${corpus}/0/${arm}`);
  /** @param {string} recorder @param {string} corpus */
  const mirrored = (recorder, corpus) => [
    ...once(recorder, corpus),
    ...['candidate', 'baseline'].map((arm) => `${recorder}/serialize ${corpus}/1/${arm}`),
  ];

  test.each([
    {
      name: 'of a default recorder run in mirrored order in explained cells',
      explained: [first],
      allCells: cells,
      asked: [],
      expected: mirrored('stacks', 'a'),
    },
    {
      name: 'of a requested recorder run once per arm in every cell',
      explained: [],
      allCells: [first, second],
      asked: ['rare'],
      expected: [...once('rare', 'a'), ...once('rare', 'b')],
    },
    {
      name: 'of a recorder with several rounds are mirrored',
      explained: [],
      allCells: [first],
      asked: ['repeated'],
      expected: mirrored('repeated', 'a'),
    },
  ])('$name', ({ explained, allCells, asked, expected }) => {
    const jobs = planProfileJobs({ cells: explained, allCells, recorders, asked });
    expect(jobs.map(({ id }) => id)).toEqual(expected);
  });

  test('of a recorder are fewer beside one whose evidence is preferred, where that one can record', () => {
    const beside = [
      { name: 'lines', processes: 3, processesBeside: { stacks: 1 } },
      { name: 'stacks', processes: 2, needs: /** @type {const} */ (['perf-map']) },
    ];
    const jobs = planProfileJobs({
      cells: [first, second],
      allCells: [first, second],
      recorders: beside,
      asked: [],
      lacks: (cell) => (cell === first ? ['perf-map'] : []),
    });
    const count = (/** @type {string} */ start) =>
      jobs.filter(({ id, arm }) => arm === 'baseline' && id.startsWith(start)).length;
    expect([count('lines/serialize a'), count('stacks/serialize a')]).toEqual([3, 0]);
    expect([count('lines/serialize b'), count('stacks/serialize b')]).toEqual([1, 2]);
  });

  test('leave out what the runtime of a cell cannot provide, even if it is asked for', () => {
    const [stacks, rare] = recorders;
    const jobs = planProfileJobs({
      cells: [],
      allCells: [first, second],
      recorders: [stacks, { ...rare, needs: ['v8-log'] }],
      asked: ['stacks', 'rare'],
      lacks: (cell) => (cell === first ? ['v8-log', 'collections'] : []),
    });
    expect(jobs.map(({ id }) => id)).toEqual([
      ...mirrored('stacks', 'a'),
      ...mirrored('stacks', 'b'),
      ...once('rare', 'b'),
    ]);
  });
});

/** @param {string[]} ids */
function namesOf(ids) {
  const cells = ids.map((id) => ({ id }));
  return ids.map((cellId) =>
    nameArtefact({ id: 'x', recorder: 'perf', cellId, arm: 'baseline', process: 2 }, cells),
  );
}

describe('artefacts', () => {
  test('are named by cell, arm and process', () => {
    expect(namesOf(['serialize flat', 'serialize comments:10@literal'])).toEqual([
      'serialize-flat-baseline-2',
      'serialize-comments-10-literal-baseline-2',
    ]);
  });

  test('of cells that differ only in special characters or case have different names', () => {
    expect(namesOf(['serialize a:1', 'serialize a-1', 'serialize A-1', 'serialize b'])).toEqual([
      'serialize-a-1-baseline-2',
      'serialize-a-1~2-baseline-2',
      'serialize-A-1~3-baseline-2',
      'serialize-b-baseline-2',
    ]);
  });
});
