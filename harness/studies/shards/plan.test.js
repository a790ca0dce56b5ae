import { describe, expect, test } from '@jest/globals';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { planJobs } from '../../stats/plan.js';
import { mergeManifests, selectShard } from './plan.js';
import { makeWhole, splitIntoParts } from './test-support/make-shards.js';

/** @import { ContractRow, Manifest } from '../../formats/types.ts' */
/** @import { MeasuredPart } from './plan.js' */

const { question: plan } = makeManifest();

describe('the shards of a plan', () => {
  test.each([1, 2, 3, 4, 5, 6])('have each cell once, evenly: %i shards', (count) => {
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

  test('are the same whenever they are taken, in the order of the plan', () => {
    expect(takeAll(plan, 4)).toEqual(takeAll(plan, 4));
    const [first] = takeAll(plan, 2);
    expect(first.cells.map(({ id }) => id)).toEqual([
      'serialize flat',
      'serialize full',
      'deserialize deep',
    ]);
  });

  test('keep the cells of a corpus together where memory is measured', () => {
    for (const memory of /** @type {const} */ (['too', 'only'])) {
      const shards = takeAll({ ...plan, memory }, 2);
      expect(shards.map(({ cells }) => [...new Set(cells.map(({ corpus }) => corpus))])).toEqual([
        ['flat', 'full'],
        ['deep'],
      ]);
    }
  });

  test('keep the Nodes of a cell together', () => {
    const nodes = ['20.20.0', '22.11.0', '24.4.0'];
    const cells = plan.cells.flatMap((cell) =>
      nodes.map((node) => ({ ...cell, id: `${cell.id} node ${node}`, node })),
    );
    const shards = takeAll({ ...plan, cells }, 3);
    for (const shard of shards) {
      expect(shard.cells.map(({ node }) => node)).toEqual([...nodes, ...nodes]);
    }
    expect(() => selectShard({ ...plan, cells }, { index: 1, count: 7 })).toThrow(
      /7 shards are too many for 6 pairs of operation and corpus/,
    );
  });

  test('run the jobs of the whole plan', () => {
    const processes = { from: 0, to: 12 };
    const parts = takeAll(plan, 3).flatMap((shard) => planJobs(shard, shard.cells, processes));
    const whole = planJobs(plan, plan.cells, processes);
    const byId = (/** @type {{ id: string }} */ a, /** @type {{ id: string }} */ b) =>
      a.id < b.id ? -1 : 1;
    expect(parts.toSorted(byId)).toEqual(whole.toSorted(byId));
  });

  test('are refused where there are more of them than cells, with the most there can be', () => {
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
 * The manifest of two shards, of which the second is measured on a host of its own.
 *
 * @param {Partial<Manifest>} first
 * @param {Partial<Manifest>} second
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

test('paths and the environment are those of the first shard, in whatever order they come', () => {
  const { environment } = makeWhole().manifest;
  const other = { ...environment, cpuModel: 'Other CPU' };
  const merged = mergeTwo(
    { packages: { a: '/1/a', b: '/1/b' } },
    { packages: { b: '/2/b', c: '/2/c' }, environment: other },
  );
  expect(merged.environment).toEqual(environment);
  expect(merged.packages).toEqual({ a: '/1/a', b: '/1/b', c: '/2/c' });
  expect(merged.parts?.map((part) => part.environment.cpuModel)).toEqual([
    environment.cpuModel,
    'Other CPU',
  ]);
});

test('a promise that is broken on one host is broken', () => {
  /** @type {(name: string, outcome: ContractRow['outcome']) => ContractRow} */
  const makeRow = (name, outcome) => ({ theme: 'T', name, promise: 'p', outcome, detail: null });
  const merged = mergeTwo(
    { contracts: { generator: [makeRow('a', 'holds'), makeRow('b', 'fails')] } },
    { contracts: { generator: [makeRow('a', 'fails'), makeRow('b', 'holds')] } },
  );
  expect(merged.contracts.generator.map(({ outcome }) => outcome)).toEqual(['fails', 'fails']);
});

test('a recorder that one host does not have is told as missing', () => {
  const there = { name: 'perf', available: true, detail: '6.1', install: null };
  const missing = { name: 'perf', available: false, detail: 'no perf', install: 'apt' };
  const other = { ...there, name: 'deopts' };
  const merged = mergeTwo({ recorders: [there, other] }, { recorders: [missing, other] });
  expect(merged.recorders).toEqual([missing, other]);
});

test('an Assay that was changed on one host is told as changed', () => {
  const { assay } = makeWhole().manifest;
  const merged = mergeTwo(
    { assay: { ...assay, dirty: false } },
    { assay: { ...assay, dirty: true } },
  );
  expect(merged.assay).toEqual({ ...assay, dirty: true });
});

test('each other Node is named once', () => {
  const runtime = { node: '22.11.0', executable: '/1/node', packageName: 'node', integrity: 's' };
  const merged = mergeTwo(
    { runtimes: [runtime] },
    {
      runtimes: [
        { ...runtime, executable: '/2/node' },
        { ...runtime, node: '24.4.0' },
      ],
    },
  );
  expect(merged.runtimes).toEqual([runtime, { ...runtime, node: '24.4.0' }]);
});
