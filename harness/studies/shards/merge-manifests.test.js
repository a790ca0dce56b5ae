import { expect, test } from '@jest/globals';
import { mergeManifests } from './merge-manifests.js';
import { makeWhole, splitIntoParts } from './test-support/make-shards.js';

/** @import { ContractRow, Manifest } from '../../formats/types.ts' */
/** @import { MeasuredPart } from './merge-manifests.js' */

const IDENTITY = { runId: 'merged', createdAt: '2026-01-02T03:04:05.000Z' };
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
