import {
  listStacks,
  readFixture,
  readPerfFixture,
  readProgramFixture,
  sumWeights,
} from '../profiles/fixtures/read-fixture.js';
import { describeBy } from '../profiles/frames.js';
import { collapseNative, sumByFunction } from '../profiles/transforms.js';
import { importAnyPerfScript, importPerfData, importPerfScript, resolvePerfMap } from './perf.js';
import { openRemarks } from './remarks.js';
import { writePerfData } from './test-support/perf-data.js';

const SETTINGS = {
  window: { startMs: 1000, endMs: 2000 },
  frequencyHz: 1000,
  describe: describeBy('/project'),
};
const RUN = '\t    10 JS:*run file:///project/run.js:1:2 (/tmp/perf-7.map)';
const KEYS = '\t    20 Builtins_ObjectKeys (/usr/bin/node)';
const NATIVE = '\t    30 v8::internal::(anonymous namespace)::GetOwnKeys<false> (/usr/bin/node)';
const COLLECT = '\t    40 v8::internal::Heap::CollectGarbage (/usr/bin/node)';

/** @param {[header: string, ...frames: string[]][]} samples */
function write(...samples) {
  return samples.map((lines) => `${lines.join('\n')}\n\n`).join('');
}

test('a sample of the main thread in the window weighs one period of the clock', () => {
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
)(
  'the recording %s has functions of the variant, builtins, and one node of collections',
  (name, file, builtin) => {
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
  },
);

describe("a family's own program", () => {
  const PROGRAM = { ...SETTINGS, loop: ['run_passes', 'run_others'], buildPath: '/project/build' };
  const LOOP = '\t    10 worker::run_passes (/project/build/worker)';
  const PARSE = '\t    20 codec::parse::h0123456789abcdef (/project/build/worker)';
  const MALLOC = '\t    30 _int_malloc (/usr/lib/libc.so.6)';
  const NOWHERE = '\t     1 [unknown] ([unknown])';
  const MAIN = '\t    40 main (/project/build/worker)';
  const OTHER_LOOP = '\t    50 worker::run_others (/project/build/worker)';
  const READ_CLOCK = '\t    60 clock_gettime ([vdso])';

  /** @param {string[]} frames @returns {[string, ...string[]]} */
  const sampleOf = (...frames) => ['worker 7 1.5: ', ...frames];

  test('is imported from the thread of the loop; truncated stacks are attached to the loop', () => {
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

  test.each([
    {
      name: 'that are truncated are attached to the loop, without frames that have no symbol',
      stacks: [
        [MALLOC, NOWHERE],
        [MALLOC, PARSE],
        [NOWHERE, PARSE, NOWHERE, NOWHERE],
      ],
      expected: {
        'worker::run_passes > malloc and free': 1,
        'worker::run_passes > codec::parse > malloc and free': 1,
        'worker::run_passes > codec::parse > (unknown)': 1,
      },
    },
    {
      name: 'without symbols count as the loop',
      stacks: [[], [NOWHERE]],
      expected: { 'worker::run_passes': 2 },
    },
    {
      name: 'that are complete are kept, with or without the loop',
      stacks: [[MAIN], [MALLOC, READ_CLOCK, MAIN], [PARSE, OTHER_LOOP]],
      expected: {
        main: 1,
        'main > clock_gettime > malloc and free': 1,
        'worker::run_others > codec::parse': 1,
      },
    },
    {
      name: 'that skip the caller of the leaf get the loop if its caller follows',
      stacks: [[MALLOC, MAIN]],
      expected: { 'main > worker::run_passes > malloc and free': 1 },
    },
    {
      name: 'without any loop are attached to the loop on most stacks',
      stacks: [[MALLOC], [OTHER_LOOP, MAIN], [LOOP, MAIN]],
      expected: {
        'worker::run_passes > malloc and free': 1,
        'main > worker::run_others': 1,
        'main > worker::run_passes': 1,
      },
    },
  ])('has stacks: those $name', ({ stacks, expected }) => {
    const text = write(...[...stacks, [PARSE, LOOP, MAIN]].map((stack) => sampleOf(...stack)));
    const weights = Object.entries(listStacks(importPerfScript(text, PROGRAM)));
    expect(Object.fromEntries(weights.filter(([, ns]) => ns > 0))).toEqual({
      ...Object.fromEntries(Object.entries(expected).map(([stack, count]) => [stack, count * 1e6])),
      'main > worker::run_passes > codec::parse': 1e6,
    });
  });

  test('without its loop is refused with the expected names', () => {
    const text = write(sampleOf(PARSE, MAIN));
    expect(() => importPerfScript(text, PROGRAM)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('the measured loop (run_passes, run_others)'),
        remedy: expect.stringContaining('worker.js'),
      }),
    );
  });

  test('with its loop on few stacks is refused', () => {
    const elsewhere = Array.from({ length: 9 }, () => sampleOf(PARSE, PARSE, MAIN));
    const text = write(sampleOf(PARSE, LOOP, PARSE, MAIN), ...elsewhere);
    expect(() => importPerfScript(text, PROGRAM)).toThrow(/only 10 % of the samples/);
  });

  test('compiled ahead of time has its functions and allocations', () => {
    const profile = readProgramFixture('perf-compiled-program');
    const totals = totalsByName(profile);
    expect(totals['demo::run_passes']).toBeCloseTo(1, 9);
    expect(totals['demo::Writer<S>::write_all']).toBeGreaterThan(0.3);
    expect(totals['<usize as core::fmt::Display>::fmt']).toBeGreaterThan(0.1);
    expect(totals['malloc and free']).toBeGreaterThan(0.1);
    expect(totals.memmove).toBeGreaterThan(0);
  });

  test('compiled at run time has methods without types, and no other threads', () => {
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

test("functions of a native addon are distinguished from node's C++", () => {
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

test('a stack may have 10 000 frames', () => {
  const frames = Array.from({ length: 10_000 }, () => RUN);
  expect(importPerfScript(write(['node 7 1.5: ', ...frames]), SETTINGS).nodes).toHaveLength(10_000);
});

test.each([
  ['a path', '40 work (/srv/my app (2)/node)', 'work'],
  [
    'a name and a path',
    '40 v8::(anonymous namespace)::f(int) (/srv/a (b)/node)',
    'v8::(anonymous namespace)::f(int)',
  ],
  ['a name with a space', '40 foo (bar) baz (/usr/lib/x.so)', 'foo (bar) baz'],
  ['a name that is an array', '40 f(int (&) [3]) ([vdso])', 'f(int (&) [3])'],
  ['a deleted file', '40 work (/memfd:x (1) (deleted))', 'work'],
  ['other code', '40 [unknown] ([JIT app (x) cache])', '(unknown)'],
  ['an inlined function', '40 work (inlined)', 'work'],
  ['an object that is not closed', '40 work (/srv/x', 'work (/srv/x'],
])('%s may have parentheses and spaces', (_, frame, name) => {
  const text = write(['node 7 1.5: ', `\t ${frame}`, RUN]);
  const stacks = Object.keys(listStacks(importPerfScript(text, SETTINGS)));
  expect(stacks).toContain(`run > ${name}`);
});

describe('the output of any perf script', () => {
  const CLOCK = 'my app  7/8 [001]  1.5:   250000 cpu-clock:u: ';
  const MAIN = '\t   55d0 main+0x1f (/srv/my app (2)/app)';

  test('has a profile for each event, with the command as the root', () => {
    const text = write([CLOCK, MAIN], ['node 7 1.6: 3000 cycles: 10 spin (/bin/node)'], [CLOCK]);
    const remarks = openRemarks();
    const found = importAnyPerfScript(text, '/project', remarks);
    expect(found.map(({ name, profile }) => [name, profile.unit, listStacks(profile)])).toEqual([
      ['cpu-clock:u', 'ns', { 'my app': 250_000, 'my app > main': 250_000 }],
      ['cycles', 'none', { node: 0, 'node > spin': 3000 }],
    ]);
    expect(remarks.list()).toEqual([]);
  });

  test('counts samples where no period was printed, and lines that it cannot read', () => {
    const text = `# captured on: today\n${write(
      ['node 7 1.5:', MAIN.replace('\t', '        '), '\tat app.c:12', MAIN],
      ['lost 7 events'],
      ['node 7 1.6:', MAIN],
    )}`;
    const remarks = openRemarks();
    const [{ name, profile }] = importAnyPerfScript(text, '/project', remarks);
    expect(name).toBe('samples');
    expect(profile).toMatchObject({ unit: 'none', samples: 2 });
    expect(listStacks(profile)).toEqual({
      node: 0,
      'node > main': 1,
      'node > main > main': 1,
    });
    expect(remarks.list()).toEqual([
      'left out: 1 comment, 1 line that is not a frame and 1 line that is not the header of a sample',
    ]);
  });
});

test.each([
  ['no JavaScript in the window', write(['node 7 1.5: ', NATIVE], ['node 7 9.5: ', RUN])],
  ['an empty text', ''],
  ['an invalid frame', write(['node 7 1.5: ', '\tnonsense'])],
  ['an invalid header', 'nonsense\n'],
])('%s is refused with a remedy', (_, text) => {
  const remedy = expect.stringContaining('--perf-basic-prof');
  expect(() => importPerfScript(text, SETTINGS)).toThrow(
    expect.objectContaining({ name: 'FormatError', remedy }),
  );
});

const MAP = '1000 100 Eval:~ node:stream:1:1\n2000 10 JS:^old x.js:1:1\n1080 40 JS:*run x.js:1:1\n';

test.each([
  {
    name: 'the latest code at an address names it',
    frame: '1090 Eval:~ node:stream:1:1 (/tmp/perf-7.map)',
    expected: '1090 JS:*run x.js:1:1 (/tmp/perf-7.map)',
  },
  {
    name: 'older code names an address outside the latest',
    frame: '1070 [unknown] (/tmp/perf-7.map)',
    expected: '1070 Eval:~ node:stream:1:1 (/tmp/perf-7.map)',
  },
  {
    name: 'an address without code is unknown',
    frame: '3000 JS:^old x.js:1:1 (/tmp/perf-7.map)',
    expected: '3000 [unknown] (/tmp/perf-7.map)',
  },
  {
    name: 'an address without code and object is unknown',
    frame: '3000 [unknown] ([unknown])',
    expected: '3000 [unknown] ([unknown])',
  },
  {
    name: 'code without an object is found in the map',
    frame: '2004 [unknown] ([unknown])',
    expected: '2004 JS:^old x.js:1:1 ([unknown])',
  },
  {
    name: 'symbols of programs and libraries are kept',
    frame: '1090 main (/usr/bin/node)',
    expected: '1090 main (/usr/bin/node)',
  },
  {
    name: 'numbers in the map may start with 0x',
    frame: '1090 [unknown] (/tmp/perf-7.map)',
    map: '0x00001000 0x00000100 void a.B.c()\n',
    expected: '1090 void a.B.c() (/tmp/perf-7.map)',
  },
])('$name', ({ frame, map = MAP, expected }) => {
  const script = resolvePerfMap(`node 7 1.000000: \n\t${frame}\n`, map);
  expect(script.split('\n')[1].trim()).toBe(expected);
});

test('a recorded script gets the measured loop, which perf took for a module of node', () => {
  const script = readFixture('perf-linked-list-node-20.txt');
  const run = 'JS:*run file:///project/experiments/js-bson/operations/serialize.js:21:6';
  expect(script).not.toContain(run);
  const resolved = resolvePerfMap(script, readFixture('perf-linked-list-node-20.map'));
  expect(resolved.split(run).length - 1).toBeGreaterThan(10);
  expect(resolved.split('\n')).toHaveLength(script.split('\n').length);
});

test('inlined functions become frames, found by the byte before a return address', () => {
  /** @type {number[][]} */
  const asked = [];
  const script =
    'node 7 1.000000: \n\t1090 [unknown] (/tmp/perf-7.map)\n\t10a0 [unknown] (/tmp/perf-7.map)\n';
  const resolved = resolvePerfMap(script, MAP, (start, offset) => {
    asked.push([start, offset]);
    return offset === 0x10 ? ['mix x.js:3:1', 'add x.js:4:1'] : [];
  });
  expect(asked).toEqual([
    [0x1080, 0x10],
    [0x1080, 0x1f],
  ]);
  expect(resolved.split('\n').map((line) => line.trim())).toEqual([
    'node 7 1.000000:',
    '1090 JS:*mix x.js:3:1 (/tmp/perf-7.map)',
    '1090 JS:*add x.js:4:1 (/tmp/perf-7.map)',
    '1090 JS:*run x.js:1:1 (/tmp/perf-7.map)',
    '10a0 JS:*run x.js:1:1 (/tmp/perf-7.map)',
    '',
  ]);
});

test('a recording of node has inlined functions, builtins and code that nothing names', () => {
  const object = '/usr/bin/node';
  const file = writePerfData([
    { process: 7, mapping: { start: 0x5000, length: 0x1000, offset: 0x100, object } },
    { process: 7, thread: 7, timeMs: 1500, stack: [0x5010, 0x1090, 0x10a0, 0x9000] },
    { process: 7, thread: 7, timeMs: 1600, stack: [0x5010, 0x5010, 0x10a0] },
    { process: 7, thread: 8, timeMs: 1700, stack: [0x5010] },
    { process: 7, thread: 7, timeMs: 2500, stack: [0x10a0] },
  ]);
  const profile = importPerfData(file, SETTINGS, {
    map: MAP,
    findInlined: (_, offset) => (offset === 0x0f ? ['mix x.js:3:1', 'add x.js:4:1'] : []),
    findSymbol: (path, offset) =>
      path !== object
        ? null
        : offset === 0x110
          ? 'Builtins_ObjectKeys'
          : offset === 0x10f
            ? 'main'
            : null,
  });
  const stacks = Object.entries(listStacks(profile)).filter(([, ns]) => ns > 0);
  expect(Object.fromEntries(stacks)).toEqual({
    '(unknown) > run > run > add > mix > ObjectKeys': 1e6,
    'run > main > ObjectKeys': 1e6,
  });
  expect(profile).toMatchObject({ samples: 2, otherThreadsNs: 1e6 });
});

test('an empty map is refused with a remedy', () => {
  expect(() => resolvePerfMap('', 'nothing here')).toThrow(
    expect.objectContaining({
      name: 'FormatError',
      remedy: expect.stringContaining('keep its map'),
    }),
  );
});
