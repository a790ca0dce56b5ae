import { FormatError } from '../../lib/errors.js';
import { listStacks } from '../profiles/fixtures/read-fixture.js';
import { openChromeTrace } from './chrome-trace.js';
import { openRemarks } from './remarks.js';

const ROOT = { id: 1, callFrame: { functionName: '(root)' } };

/** @param {unknown} json */
function read(json) {
  const remarks = openRemarks();
  const origin = { source: "'a'", projectPath: '/project', remarks };
  const { profiles, active } = openChromeTrace(json, origin);
  const stacks = Object.fromEntries(
    profiles.map((profile) => [profile.name, listStacks(profile.read())]),
  );
  return { stacks, active: profiles[active].name, notes: remarks.list() };
}

/** @param {number} id @param {string} functionName @param {number} [parent] */
function node(id, functionName, parent = 1) {
  return { id, parent, callFrame: { functionName } };
}

/** @param {number} thread @param {number} [startTime] */
function start(thread, startTime = 0) {
  const args = { data: { startTime } };
  return { name: 'Profile', pid: 7, tid: thread, id: `0x${thread}`, ts: startTime, args };
}

/** @param {number} thread @param {number} ts @param {unknown[]} nodes @param {number[]} samples @param {object} more */
function chunk(thread, ts, nodes, samples, more) {
  const data = { cpuProfile: { nodes, samples }, ...more };
  // Another thread writes the pieces.
  return { name: 'ProfileChunk', pid: 7, tid: 99, id: `0x${thread}`, ts, args: { data } };
}

const PIECES = [
  chunk(1, 2, [node(3, 'parse', 2)], [3, 2], { timeDeltas: [3, 2], endTime: 10 }),
  start(1),
  chunk(1, 1, [ROOT, node(2, 'main')], [2], { timeDeltas: [1] }),
];

test('a profile is joined from its pieces, whatever their order', () => {
  const main = { name: 'thread_name', pid: 7, tid: 1, args: { name: 'CrRendererMain' } };
  const traceEvents = [{ name: 'RunTask', pid: 7, tid: 1 }, ...PIECES, main];
  expect(read({ traceEvents })).toEqual({
    stacks: { CrRendererMain: { main: (3 + 4) * 1000, 'main > parse': 2 * 1000 } },
    active: 'CrRendererMain',
    notes: [],
  });
  expect(read(traceEvents)).toEqual(read({ traceEvents }));
});

test('each thread has its profile, and the one with most samples comes first', () => {
  const worker = [
    start(2),
    chunk(2, 5, [ROOT, node(2, 'work')], [2], { timeDeltas: [1], endTime: 4 }),
  ];
  const { stacks, active } = read([...worker, ...PIECES]);
  expect(Object.keys(stacks)).toEqual(['profile 7 0x2', 'profile 7 0x1']);
  expect(active).toBe('profile 7 0x1');
});

test('of a recording that was cut off the rest is read, with a note', () => {
  const [late, , early] = PIECES;
  const open = { ...late, args: { data: { ...late.args.data, endTime: undefined } } };
  const { stacks, notes } = read([open, early]);
  expect(stacks).toEqual({ 'profile 7 0x1': { main: 6000, 'main > parse': 2000 } });
  expect(notes).toEqual(['the start of the recording is missing: it was cut off']);
});

test.each([
  [
    'a node without a parent that is known',
    [node(5, 'lost', 4)],
    'sample 0 refers to a missing node',
  ],
  ['a node that is its own parent', [node(5, 'lost', 5)], 'sample 0 refers to a missing node'],
  ['two nodes of one number', [node(5, 'one'), node(5, 'two')], 'node 5 has two parents'],
  ['a node without a name', [{ id: 5, parent: 1 }], 'a node has no id or no call frame'],
  ['a node that is none', [null], 'a node has no id or no call frame'],
])('%s is refused', (_, nodes, message) => {
  const piece = chunk(1, 1, [ROOT, ...nodes], [5], { timeDeltas: [1], endTime: 9 });
  const [{ read: readProfile }] = openChromeTrace([start(1), piece], {
    ...{ source: "'a'", projectPath: '/project', remarks: openRemarks() },
  }).profiles;
  expect(readProfile).toThrow(FormatError);
  expect(readProfile).toThrow(message);
});

test.each([
  ['no event', { traceEvents: [] }],
  ['events that are none', { traceEvents: [null, 1, 'x', { name: 7 }] }],
  ['no list', { traceEvents: 'x' }],
  ['a start alone', [start(1)]],
])('a trace with %s has no profile', (_, json) => {
  expect(() => read(json)).toThrow(
    "'a' is a trace of Chrome or another list without a CPU profile",
  );
});
