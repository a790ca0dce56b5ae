import { describe, expect, test } from '@jest/globals';
import { FormatError } from '../../lib/errors.js';
import { collapseNative } from '../profiles/collapse-native.js';
import {
  listStacks,
  readPerfFixture,
  readProgramFixture,
  sumWeights,
} from '../profiles/fixtures/read-fixture.js';
import { importPerfScript } from './import-perf-script.js';
import { sumByFunction } from '../profiles/sum-by-function.js';

const SETTINGS = {
  window: { startMs: 1000, endMs: 2000 },
  frequencyHz: 1000,
  projectPath: '/project',
};
const RUN = '\t    10 JS:*run file:///project/run.js:1:2 (/tmp/perf-7.map)';
const KEYS = '\t    20 Builtins_ObjectKeys (/usr/bin/node)';
const NATIVE = '\t    30 v8::internal::(anonymous namespace)::GetOwnKeys<false> (/usr/bin/node)';
const COLLECT = '\t    40 v8::internal::Heap::CollectGarbage (/usr/bin/node)';

/** @param {[header: string, ...frames: string[]][]} samples */
function write(...samples) {
  return samples.map((lines) => `${lines.join('\n')}\n\n`).join('');
}

test('stacks of the main thread in the window, each sample a tick of the clock', () => {
  const text = write(
    ['node 7 0.999999: ', RUN],
    ['node 7 1.000000: ', RUN],
    ['node 7 1.200000: ', NATIVE, KEYS, RUN],
    ['V8 Worker 8 1.300000: ', NATIVE],
    ['node 7 1.400000: ', COLLECT, NATIVE, RUN],
    ['node 7 [001] 2.000000: ', RUN],
    ['node 7 2.000001: ', RUN],
  );
  const profile = importPerfScript(text, SETTINGS);
  expect(listStacks(profile)).toEqual({
    run: 2e6,
    'run > ObjectKeys': 0,
    'run > ObjectKeys > v8::internal::(anonymous namespace)::GetOwnKeys<false>': 1e6,
    '(garbage collector)': 1e6,
  });
  expect(profile).toMatchObject({ unit: 'ns', source: 'perf', samples: 4, otherThreadsNs: 1e6 });
});

test.each(
  /** @type {const} */ ([
    ['perf-linked-list-node-20', 'write-linked-list.js', 'ObjectKeys'],
    ['perf-generator-node-24', 'write-generator.js', 'ObjectEntries'],
  ]),
)('%s, recorded: our functions, builtins, one node of collections', (name, file, builtin) => {
  const profile = readPerfFixture(name);
  const functions = [...sumByFunction(profile).values()];
  const writer = functions.find(({ frame }) => frame.name === 'writeDocument');
  expect(writer?.frame.file).toBe(`experiments/js-bson/traversals/${file}`);
  expect((writer?.total ?? 0) / sumWeights(profile)).toBeGreaterThan(0.5);
  expect(functions.find(({ frame }) => frame.name === builtin)?.frame.kind).toBe('builtin');
  const collector = profile.frames.findIndex(({ kind }) => kind === 'gc');
  const collections = profile.nodes.filter(({ frame }) => frame === collector);
  expect(collections).toEqual([{ frame: collector, parent: -1, self: 2e6 }]);
  expect(profile.otherThreadsNs).toBe(3e6);
});

describe('a program of its own', () => {
  const PROGRAM = { ...SETTINGS, loop: ['run_passes'], buildPath: '/project/build' };
  const LOOP = '\t    10 worker::run_passes (/project/build/worker)';
  const PARSE = '\t    20 codec::parse::h0123456789abcdef (/project/build/worker)';
  const MALLOC = '\t    30 _int_malloc (/usr/lib/libc.so.6)';
  const NOWHERE = '\t     1 [unknown] ([unknown])';
  const MAIN = '\t    40 main (/project/build/worker)';

  test('is read by the thread that runs the loop; what broke off is hung below it', () => {
    const text = write(
      ['worker 7 1.100000: ', PARSE, LOOP, MAIN],
      ['worker 7 1.200000: ', MALLOC, NOWHERE],
      ['worker 7 1.300000: ', MAIN],
      ['helper 8 1.400000: ', PARSE, MAIN],
      ['helper 8 1.500000: ', PARSE, MAIN],
      ['helper 8 1.500000: ', PARSE, MAIN],
      ['helper 8 1.500000: ', PARSE, MAIN],
    );
    const profile = importPerfScript(text, PROGRAM);
    expect(listStacks(profile)).toEqual({
      main: 1e6,
      'main > worker::run_passes': 0,
      'main > worker::run_passes > codec::parse': 1e6,
      'worker::run_passes': 0,
      'worker::run_passes > malloc and free': 1e6,
    });
    expect(profile).toMatchObject({ samples: 3, otherThreadsNs: 4e6 });
  });

  test('without its loop is refused by the names that were looked for', () => {
    const text = write(['worker 7 1.5: ', PARSE, MAIN]);
    expect(() => importPerfScript(text, PROGRAM)).toThrow(/the measured loop \(run_passes\)/);
    expect(() => importPerfScript(text, PROGRAM)).toThrow(
      expect.objectContaining({ remedy: expect.stringContaining('worker.js') }),
    );
  });

  test('whose loop is on few stacks is refused too: they do not stand for what was measured', () => {
    const elsewhere = Array.from({ length: 9 }, () =>
      write(['worker 7 1.5: ', PARSE, PARSE, MAIN]),
    );
    const text = write(['worker 7 1.5: ', PARSE, LOOP, PARSE, MAIN]) + elsewhere.join('');
    expect(() => importPerfScript(text, PROGRAM)).toThrow(/only 10 % of the samples/);
  });

  test('recorded, compiled ahead of time: its functions by name, and what it allocates', () => {
    const profile = readProgramFixture('perf-compiled-program');
    const totals = totalsByName(profile);
    expect(totals['demo::run_passes']).toBeCloseTo(1, 9);
    expect(totals['demo::Writer<S>::write_all']).toBeGreaterThan(0.3);
    expect(totals['<usize as core::fmt::Display>::fmt']).toBeGreaterThan(0.1);
    expect(totals['malloc and free']).toBeGreaterThan(0.1);
    expect(totals.memmove).toBeGreaterThan(0);
  });

  test('recorded, compiled as it runs: methods without types, other threads left out', () => {
    const profile = readProgramFixture('perf-virtual-machine');
    const totals = totalsByName(profile);
    expect(totals['demo.codec.Demo.runPasses']).toBeCloseTo(1, 9);
    expect(totals['demo.codec.Demo.decode']).toBeGreaterThan(0.9);
    expect(totals['java.lang.String.<init>']).toBeGreaterThan(0.5);
    expect(profile.otherThreadsNs).toBe(1e6);
    expect(kindOf(profile, 'StubRoutines (2)')).toBe('native');
  });
});

/** @param {import('../../formats/profile-types.ts').Profile} profile @returns {Record<string, number>} shares */
function totalsByName(profile) {
  const whole = sumWeights(profile);
  return Object.fromEntries(
    [...sumByFunction(profile).values()].map(({ frame, total }) => [frame.name, total / whole]),
  );
}

/** @param {import('../../formats/profile-types.ts').Profile} profile @param {string} name */
function kindOf({ frames }, name) {
  return frames.find((frame) => frame.name === name)?.kind;
}

test('the functions of an addon of node are told apart from its C++', () => {
  const text = write(
    ['node 7 1.1: ', '\t 50 ada_parse (/project/build/binding.node)', NATIVE, RUN],
    ['node 7 1.2: ', '\t 60 helper (/project/build/lib/helper.so)', RUN],
  );
  const profile = importPerfScript(text, { ...SETTINGS, buildPath: '/project/build' });
  expect(kindOf(profile, 'ada_parse')).toBe('code');
  expect(kindOf(profile, 'helper')).toBe('code');
  expect(listStacks(collapseNative(profile))).toEqual({
    run: 0,
    'run > ada_parse': 1e6,
    'run > helper': 1e6,
  });
});

test('the largest stack of 10 000 frames', () => {
  const frames = Array.from({ length: 10_000 }, () => RUN);
  expect(importPerfScript(write(['node 7 1.5: ', ...frames]), SETTINGS).nodes).toHaveLength(10_000);
});

test.each([
  ['no JavaScript in the window', write(['node 7 1.5: ', NATIVE], ['node 7 9.5: ', RUN])],
  ['nothing', ''],
  ['a line that is no frame', write(['node 7 1.5: ', '\tnonsense'])],
  ['a line that begins no sample', 'nonsense\n'],
])('%s is refused with a remedy', (_, text) => {
  expect(() => importPerfScript(text, SETTINGS)).toThrow(FormatError);
  expect(() => importPerfScript(text, SETTINGS)).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining('--perf-basic-prof') }),
  );
});
