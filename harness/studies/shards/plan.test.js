import { makeManifest } from '../../../reports/fixtures/build.js';
import { planJobs } from '../../stats/plan.js';
import { mergeManifests, selectShard } from './plan.js';
import { makeWhole, splitIntoParts } from './test-support/make-shards.js';

/** @import { ContractRow, Manifest } from '../../formats/types.ts' */
/** @import { MeasuredPart } from './plan.js' */

const { question: plan } = makeManifest();

describe('shards', () => {
  test.each([1, 2, 3, 4, 5, 6])('have every cell of the plan once, evenly: %i shards', (count) => {
    const shards = takeAll(plan, count);
    const ids = shards.flatMap(({ cells }) => cells.map(({ id }) => id));
    expect(ids.toSorted()).toEqual(plan.cells.map(({ id }) => id).toSorted());
    const sizes = shards.map(({ cells }) => cells.length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    for (const operation of ['serialize', 'deserialize']) {
      const own = shards.map(({ cells }) => cells.filter((cell) => cell.operation === operation));
      const counts = own.map(({ length }) => length);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
  });

  test('are always the same, in the order of the plan', () => {
    expect(takeAll(plan, 4)).toEqual(takeAll(plan, 4));
    const [first] = takeAll(plan, 2);
    expect(first.cells.map(({ id }) => id)).toEqual([
      'serialize flat',
      'serialize full',
      'deserialize deep',
    ]);
  });

  test('keep the cells of a corpus together if memory is measured', () => {
    for (const memory of /** @type {const} */ (['too', 'only'])) {
      const shards = takeAll({ ...plan, memory }, 2);
      expect(shards.map(({ cells }) => [...new Set(cells.map(({ corpus }) => corpus))])).toEqual([
        ['flat', 'full'],
        ['deep'],
      ]);
    }
  });

  test('keep cells that differ only in their runtime together', () => {
    const runtimes = ['node@20.20.0', 'node@22.11.0', 'bun@1.4.5'];
    const cells = plan.cells.flatMap((cell) =>
      runtimes.map((runtime) => ({ ...cell, id: `${cell.id} ${runtime}`, runtime })),
    );
    const shards = takeAll({ ...plan, cells }, 3);
    for (const shard of shards) {
      expect(shard.cells.map(({ runtime }) => runtime)).toEqual([...runtimes, ...runtimes]);
    }
    expect(() => selectShard({ ...plan, cells }, { index: 1, count: 7 })).toThrow(
      /7 shards are too many for 6 pairs of operation and corpus/,
    );
  });

  test('have the jobs of the whole plan together', () => {
    const processes = { from: 0, to: 12 };
    const parts = takeAll(plan, 3).flatMap((shard) => planJobs(shard, shard.cells, processes));
    const whole = planJobs(plan, plan.cells, processes);
    const byId = (/** @type {{ id: string }} */ a, /** @type {{ id: string }} */ b) =>
      a.id < b.id ? -1 : 1;
    expect(parts.toSorted(byId)).toEqual(whole.toSorted(byId));
  });

  test('are refused if there are more than cells', () => {
    expect(() => selectShard(plan, { index: 1, count: 7 })).toThrow(/7 shards are too many for 6/);
    expect(() => selectShard({ ...plan, memory: 'too' }, { index: 1, count: 4 })).toThrow(
      /4 shards are too many for 3 corpora/,
    );
  });
});

/**
 * @param {import('../../formats/types.ts').Question} question
 * @param {number} count
 */
function takeAll(question, count) {
  return Array.from({ length: count }, (_, index) =>
    selectShard(question, { index: index + 1, count }),
  );
}

const IDENTITY = {
  runId: 'merged',
  createdAt: '2026-01-02T03:04:05.000Z',
  command: 'just compare',
};
const QUIET = { stealShare: null, othersShare: null, throttledMs: null };

/**
 * Merges the manifests of two shards, the second one first.
 *
 * @param {Partial<Manifest>} first changes of the first
 * @param {Partial<Manifest>} second changes of the second
 */
function mergeTwo(first, second) {
  const [one, two] = splitIntoParts(makeWhole(), 2).map(({ run }) => run.manifest);
  /** @type {[MeasuredPart, MeasuredPart]} */
  const parts = [
    { manifest: { ...two, ...second }, hostNoise: QUIET },
    { manifest: { ...one, ...first }, hostNoise: QUIET },
  ];
  return mergeManifests(parts, IDENTITY);
}

test('a merged manifest has the paths and the environment of the first shard, in any order', () => {
  const { environment } = makeWhole().manifest;
  const other = { ...environment, cpuModel: 'Other CPU' };
  const merged = mergeTwo(
    { packages: { a: '/1/a', b: '/1/b' } },
    { packages: { b: '/2/b', c: '/2/c' }, environment: other },
  );
  expect(merged.environment).toEqual(environment);
  expect(merged.packages).toEqual({ a: '/1/a', b: '/1/b', c: '/2/c' });
  expect(merged.parts?.map((part) => part.environment)).toEqual([environment, other]);
});

/** @type {(name: string, outcome: ContractRow['outcome']) => ContractRow} */
const makeRow = (name, outcome) => ({ theme: 'T', name, promise: 'p', outcome, detail: null });
const { assay } = makeWhole().manifest;
const perf = { name: 'perf', available: true, detail: '6.1', install: null };
const missingPerf = { name: 'perf', available: false, detail: 'no perf', install: 'apt' };
const deopts = { ...perf, name: 'deopts' };
const node22 = {
  runtime: 'node@22.11.0',
  executable: '/1/node',
  packageName: 'node',
  integrity: 's',
};
const SIZES = { messages: 1, raw: 3, gzip: 2, brotli: 1 };
const node24 = { ...node22, runtime: 'node@24.4.0' };

test.each(
  /** @type {[string, Partial<Manifest>, Partial<Manifest>, Partial<Manifest>][]} */ ([
    [
      'fails each row of the contract that fails on one host',
      { contracts: { generator: [makeRow('a', 'holds'), makeRow('b', 'fails')] } },
      { contracts: { generator: [makeRow('a', 'fails'), makeRow('b', 'holds')] } },
      { contracts: { generator: [makeRow('a', 'fails'), makeRow('b', 'fails')] } },
    ],
    [
      'lacks each recorder that one host lacks',
      { recorders: [perf, deopts] },
      { recorders: [missingPerf, deopts] },
      { recorders: [missingPerf, deopts] },
    ],
    [
      'has uncommitted changes of Assay if one host has them',
      { assay: { ...assay, dirty: false } },
      { assay: { ...assay, dirty: true } },
      { assay: { ...assay, dirty: true } },
    ],
    [
      'has the sizes of all cells',
      { sizes: { 'encode flat': { a: SIZES } } },
      { sizes: { 'encode deep': { a: SIZES } } },
      { sizes: { 'encode flat': { a: SIZES }, 'encode deep': { a: SIZES } } },
    ],
    [
      'lists each Node once',
      { runtimes: [node22] },
      { runtimes: [{ ...node22, executable: '/2/node' }, node24] },
      { runtimes: [node22, node24] },
    ],
  ]),
)('a merged manifest %s', (_, first, second, expected) => {
  expect(mergeTwo(first, second)).toMatchObject(expected);
});
