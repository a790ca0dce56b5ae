import { listStacks, readFixture, sumWeights } from '../profiles/fixtures/read-fixture.js';
import { sumByFunction } from '../profiles/transforms.js';
import { openRemarks } from './remarks.js';
import { importCpuProfile, importHeapProfile } from './v8-profiles.js';

/** @param {number} id @param {string} functionName @param {object} [more] */
function node(id, functionName, more = {}) {
  const url = functionName === 'run' ? 'file:///project/run.js' : '';
  const lineNumber = url === '' ? -1 : 4;
  return { id, callFrame: { functionName, url, lineNumber, columnNumber: 2 }, ...more };
}

const SMALL = {
  nodes: [
    node(1, '(root)', { children: [2, 3, 4, 6] }),
    node(2, 'run', {
      children: [5],
      positionTicks: [
        { line: 7, ticks: 3 },
        { line: 9, ticks: 1 },
      ],
    }),
    node(3, '(garbage collector)'),
    node(4, '(idle)'),
    node(5, 'utf8Write'),
    node(6, '(program)'),
  ],
  startTime: 1000,
  endTime: 1100,
  samples: [2, 5, 3, 4, 6],
  timeDeltas: [10, 20, 30, 5, 15],
};

test('a sample lasts until the next one, the last until the end; idle time is left out', () => {
  const profile = importCpuProfile(SMALL, '/project');
  expect(listStacks(profile)).toEqual({
    run: 20_000,
    'run > utf8Write': 30_000,
    '(garbage collector)': 5_000,
    '(program)': 20_000,
  });
  expect(profile.samples).toBe(4);
});

test('frames have kinds and positions', () => {
  const { frames } = importCpuProfile(SMALL, '/project');
  const byName = Object.fromEntries(frames.map((frame) => [frame.name, frame]));
  expect(byName['run']).toEqual({ name: 'run', kind: 'js', file: 'run.js', line: 5, column: 3 });
  expect(byName['utf8Write'].kind).toBe('builtin');
  expect(byName['(garbage collector)'].kind).toBe('gc');
  expect(byName['(program)'].kind).toBe('program');
});

/** The tree that V8 wrote until 2017; its lines and columns count from 1, its times are seconds. */
const TREE = {
  head: oldNode(1, '(root)', 0, [
    oldNode(2, 'run', 3, [oldNode(4, 'utf8Write', 1)]),
    oldNode(3, '(idle)', 1),
  ]),
  startTime: 50,
  endTime: 51,
  samples: [2, 4, 3, 2, 2],
};

/** @param {number} id @param {string} functionName @param {number} hitCount @param {object[]} [children] */
function oldNode(id, functionName, hitCount, children = []) {
  const { callFrame } = node(id, functionName);
  const { url, lineNumber } = callFrame;
  const place = { url, lineNumber: lineNumber + 1, columnNumber: 3 };
  return { id, functionName, ...place, hitCount, children, bailoutReason: '' };
}

test.each([
  {
    name: 'with times',
    more: { timestamps: [50e6, 50e6 + 10, 50e6 + 40, 50e6 + 60, 50e6 + 100] },
    expected: { run: 10 + 40 + 25, 'run > utf8Write': 30 },
    notes: ['left out: 1 idle sample'],
  },
  {
    name: 'without times',
    more: {},
    expected: { run: 600_000, 'run > utf8Write': 200_000 },
    notes: [expect.stringContaining('same share'), 'left out: 1 idle sample'],
  },
  {
    name: 'with numbers of samples only',
    more: { samples: undefined },
    expected: { run: 600_000, 'run > utf8Write': 200_000 },
    notes: [expect.stringContaining('same share'), 'left out: 1 idle sample'],
  },
])('the old form is read $name', ({ more, expected, notes }) => {
  const remarks = openRemarks();
  const profile = importCpuProfile({ ...TREE, ...more }, '/project', remarks);
  const us = Object.entries(listStacks(profile)).map(([stack, ns]) => [stack, ns / 1000]);
  expect(Object.fromEntries(us)).toEqual(expected);
  const run = profile.frames.find(({ name }) => name === 'run');
  expect(run).toEqual({ name: 'run', kind: 'js', file: 'run.js', line: 5, column: 3 });
  expect(remarks.list()).toEqual(notes);
});

test('lines of a function sum to its self weight', () => {
  const { frames, lines } = importCpuProfile(SMALL, '/project');
  const frame = frames.findIndex(({ name }) => name === 'run');
  expect(lines).toEqual([
    { frame, line: 7, self: 15_000 },
    { frame, line: 9, self: 5_000 },
  ]);
});

test('of samples out of order, one that was overtaken lasts no time', () => {
  const swapped = { ...SMALL, samples: [2, 3, 5], timeDeltas: [10, 30, -10] };
  expect(listStacks(importCpuProfile(swapped, '/project'))).toMatchObject({
    run: 20_000,
    'run > utf8Write': 10_000,
    '(garbage collector)': 60_000,
  });
});

test('a recorded CPU profile has functions with their lines, and the total time', () => {
  const text = readFixture('generator-deep.cpuprofile');
  const profile = importCpuProfile(text, '/project');
  const functions = [...sumByFunction(profile).values()];
  const total = sumWeights(profile);
  const writer = functions.find(({ frame }) => frame.name === 'writeDocument');
  expect(writer?.frame).toMatchObject({
    kind: 'js',
    file: 'experiments/js-bson/traversals/write-generator.js',
    line: 34,
  });
  expect((writer?.total ?? 0) / total).toBeGreaterThan(0.5);
  const { startTime, endTime } = JSON.parse(text);
  expect(total / (endTime - startTime) / 1000).toBeGreaterThan(0.9);
  expect(total / (endTime - startTime) / 1000).toBeLessThanOrEqual(1);
});

test('a stack may have 10 000 frames', () => {
  const depth = 10_000;
  const nodes = Array.from({ length: depth }, (_, index) =>
    node(index, index === 0 ? '(root)' : 'run', index + 1 < depth ? { children: [index + 1] } : {}),
  );
  const deep = { ...SMALL, nodes, samples: [depth - 1], timeDeltas: [0] };
  expect(importCpuProfile(deep, '/project').nodes).toHaveLength(depth - 1);
});

test.each([
  ['text that is not JSON', '{'],
  ['a list', []],
  ['no nodes', { ...SMALL, nodes: [] }],
  ['a node without a call frame', { ...SMALL, nodes: [{ id: 1 }] }],
  ['no samples', { ...SMALL, samples: undefined }],
  ['fewer deltas than samples', { ...SMALL, timeDeltas: [1] }],
  ['a sample of a missing node', { ...SMALL, samples: [99], timeDeltas: [1] }],
  ['a missing child', { ...SMALL, nodes: [node(1, '(root)', { children: [9] })] }],
  ['a cycle', { ...SMALL, nodes: [node(1, '(root)', { children: [1] })] }],
  ['a tree with a broken node', { ...TREE, head: { ...TREE.head, children: [null] } }],
  ['a tree without samples', { head: oldNode(1, '(root)', 0), startTime: 1, endTime: 2 }],
  ['no end time', { ...SMALL, endTime: undefined }],
])('%s is refused with a remedy', (_, broken) => {
  const remedy = expect.stringContaining('--cpu-prof');
  expect(() => importCpuProfile(broken, '/project')).toThrow(
    expect.objectContaining({ name: 'FormatError', remedy }),
  );
});

/** @param {string} functionName @param {number} selfSize @param {object[]} [children] */
function heapNode(functionName, selfSize, children) {
  const callFrame = { functionName, url: '', lineNumber: -1, columnNumber: -1 };
  return { callFrame, selfSize, ...(children === undefined ? {} : { children }) };
}

test('bytes of the root count as the program', () => {
  const head = heapNode('(root)', 3, [
    heapNode('(V8 API)', 5),
    heapNode('Map', 7, [heapNode('', 11)]),
  ]);
  const profile = importHeapProfile({ head, samples: [{}, {}] }, '/project');
  expect(listStacks(profile)).toEqual({
    '(program)': 3,
    '(V8 API)': 5,
    Map: 7,
    'Map > (anonymous)': 11,
  });
  expect(profile).toMatchObject({ unit: 'bytes', source: 'v8-heap-profile', samples: 2 });
});

test('a recorded heap profile has all bytes and functions of the variant', () => {
  const text = readFixture('generator-flat.heapprofile');
  const profile = importHeapProfile(text, '/project');
  let bytes = 0;
  const waiting = [JSON.parse(text).head];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    bytes += next.selfSize;
    waiting.push(...next.children);
  }
  expect(sumWeights(profile)).toBe(bytes);
  expect(profile.frames).toContainEqual(
    expect.objectContaining({
      name: 'generateFields',
      kind: 'js',
      file: 'experiments/js-bson/traversals/write-generator.js',
      line: 87,
    }),
  );
});

test.each([
  ['text that is not JSON', ''],
  ['no head', {}],
  ['a child without a size', { head: heapNode('(root)', 0, [{}]) }],
])('%s is refused with a remedy', (_, broken) => {
  const remedy = expect.stringContaining('--heap-prof');
  expect(() => importHeapProfile(broken, '/project')).toThrow(
    expect.objectContaining({ name: 'FormatError', remedy }),
  );
});
