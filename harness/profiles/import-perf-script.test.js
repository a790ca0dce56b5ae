import { expect, test } from '@jest/globals';
import { FormatError } from '../errors.js';
import { listStacks, readPerfFixture, sumWeights } from './fixtures/read-fixture.js';
import { importPerfScript } from './import-perf-script.js';
import { sumByFunction } from './sum-by-function.js';

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
