import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { buildProfile } from './profiles/call-tree.js';
import { listStacks } from './profiles/fixtures/read-fixture.js';
import { exportFolded } from './formats/folded.js';
import { recognizeProfiles } from './recognize.js';
import { openRemarks } from './formats/remarks.js';
import { exportSpeedscope } from './formats/speedscope.js';

/** @import { Profile } from '../formats/profile-types.ts' */

/** @param {string | Buffer} content */
function recognize(content) {
  const remarks = openRemarks();
  const origin = { source: "'a'", file: 'a', projectPath: '/project', remarks };
  const { profiles, active } = recognizeProfiles(Buffer.from(content), origin);
  const read = profiles.map((one) => one.read());
  return { names: profiles.map(({ name }) => name), active, read, notes: remarks.list() };
}

const callFrame = { functionName: 'main', url: '', lineNumber: -1, columnNumber: -1 };
const json = JSON.stringify;
const CPU = { startTime: 0, endTime: 5, samples: [1], timeDeltas: [0] };
const SPEEDSCOPE = { type: 'sampled', unit: 'none', samples: [[0]], weights: [5] };
const TREE = { id: 1, functionName: 'main', url: '', lineNumber: 0, children: [], hitCount: 1 };

/** Each has the stack `main` alone. @type {[format: string, content: string, unit: Profile['unit'], weight: number][]} */
const FORMATS = [
  ['a CPU profile', json({ nodes: [{ id: 1, callFrame }], ...CPU }), 'ns', 5000],
  ['an old CPU profile', json({ head: TREE, startTime: 1, endTime: 2, samples: [1] }), 'ns', 1e9],
  ['a heap profile', json({ head: { callFrame, selfSize: 5 } }), 'bytes', 5],
  [
    'speedscope',
    json({ shared: { frames: [{ name: 'main' }] }, profiles: [SPEEDSCOPE] }),
    'none',
    5,
  ],
  ['folded stacks', '# x\n\nmain 5\n', 'none', 5],
];

test.each(FORMATS)('%s is recognised by its content', (_, text, unit, weight) => {
  const variants = [text, `\ufeff${text}`, text.replaceAll('\n', '\r\n'), gzipSync(text)];
  for (const { read } of variants.map(recognize)) {
    expect(read.map((profile) => [profile.unit, listStacks(profile)])).toEqual([
      [unit, { main: weight }],
    ]);
  }
});

test.each([
  ['{main};run 3\n', '{main} > run'],
  ['[unknown];run 3\n', '[unknown] > run'],
  ['node 7/7 1.25:\n\t 40 run (/bin/node)\n', 'node > run'],
])('%j is not taken for JSON or another format', (text, stack) => {
  expect(Object.keys(listStacks(recognize(text).read[0]))).toContain(stack);
});

const UTF_16 = Buffer.from('main;run 3\n', 'utf16le');

test.each([
  ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), UTF_16]), 'iconv -f UTF-16 -t UTF-8 a | '],
  ['UTF-16', UTF_16, 'iconv -f UTF-16LE -t UTF-8 a | '],
  ['UTF-16', Buffer.from(UTF_16).swap16(), 'iconv -f UTF-16BE -t UTF-8 a | '],
  ['UTF-16', gzipSync(Buffer.from(UTF_16).swap16()), 'iconv -f UTF-16BE'],
  ['a recording of perf', Buffer.from('PERFILE2\0\0'), 'perf script -i a | '],
  ['compressed by zstd', Buffer.from('28b52ffd00', 'hex'), 'zstd -dc a | '],
  ['damaged gzip', gzipSync('main 3\n').subarray(0, 12), 'gzip --test'],
  ['not text', Buffer.from('\b\x12\0\0'), 'speedscope'],
  ['empty', Buffer.from(' \n'), 'speedscope'],
  ['no profile', Buffer.from('Nothing of the kind.\n'), 'speedscope'],
  ['a trace of Chrome', Buffer.from('{"traceEvents": []}'), '--cpu-prof'],
  ['another list without a CPU profile', Buffer.from('[1, null, {"name": "x"}]'), 'DevTools'],
  ['a heap snapshot', Buffer.from('{"snapshot": {}}'), '--heap-prof'],
  ['JSON of another kind', Buffer.from('{"a": 1}'), 'speedscope'],
  ['not valid JSON', Buffer.from('{"nodes": ['), 'speedscope'],
])('%s is named, with what to do', (what, content, remedy) => {
  expect(() => recognize(content)).toThrow(
    expect.objectContaining({
      name: 'FormatError',
      message: expect.stringContaining(what),
      remedy: expect.stringContaining(remedy),
    }),
  );
});

test('text that is not UTF-8 is read with a note', () => {
  const { read, notes } = recognize(Buffer.from('ma\xefn 3\n', 'latin1'));
  expect(listStacks(read[0])).toEqual({ 'ma\ufffdn': 3 });
  expect(notes).toEqual(['1 character is not UTF-8 and read as \ufffd']);
});

/** Pieces of names that mean something in one of the formats. */
const PIECES = [
  ...['a', 'é', ' ', '#', '/', '//', ';', '%', '%3B', '\n', '\t', '\u2028', '"', '12', '1.5e3'],
  ...['_[k]', '_[n]', ' (x.js:1:2)', '(', ')', '(garbage collector)', '{main}', '[unknown]'],
];
const text = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 });
const frame = fc.record({
  name: text.map((pieces) => pieces.join('')),
  kind: fc.constantFrom(
    .../** @type {const} */ (['js', 'builtin', 'code', 'native', 'kernel', 'gc', 'program']),
  ),
  place: fc.option(fc.tuple(text, fc.integer({ min: 1, max: 99 }))),
});
const profile = fc.record({
  unit: fc.constantFrom(.../** @type {const} */ (['ns', 'bytes', 'none'])),
  stacks: fc.array(
    fc.record({
      frames: fc.array(frame, { minLength: 1, maxLength: 4 }),
      weight: fc.integer({ min: 1, max: 1e9 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

/** @param {{ unit: Profile['unit'], stacks: { frames: any[], weight: number }[] }} drawn @returns {Profile} */
function makeProfile({ unit, stacks }) {
  const builder = buildProfile({ source: unit === 'bytes' ? 'v8-heap-profile' : 'perf', unit });
  for (const { frames, weight } of stacks) {
    let node = -1;
    for (const { name, kind, place } of frames) {
      const file = place === null ? null : place[0].join('');
      const line = place === null ? null : place[1];
      node = builder.addNode(node, builder.addFrame({ name, kind, file, line, column: line }));
    }
    builder.addSelf(node, weight);
  }
  return builder.finish(stacks.length);
}

/** @param {Profile} one @returns {[stack: string, weight: number][]} with all that is known of the frames */
function listWhole({ frames, nodes }) {
  /** @type {string[]} */
  const stacks = [];
  for (const { frame: index, parent } of nodes) {
    const own = JSON.stringify(frames[index], ['name', 'kind', 'file', 'line', 'column']);
    stacks.push(parent === -1 ? own : `${stacks[parent]} > ${own}`);
  }
  const weights = nodes.flatMap(({ self }, index) =>
    self === 0 ? [] : [/** @type {[string, number]} */ ([stacks[index], self])],
  );
  return weights.sort(([one], [other]) => (one < other ? -1 : 1));
}

test('what is written is read again, whatever the names, in each format and from one to the other', () => {
  fc.assert(
    fc.property(profile, (drawn) => {
      const whole = makeProfile(drawn);
      const expected = listWhole(whole);
      const named = [
        { name: 'one', profile: whole },
        { name: 'two', profile: whole },
      ];
      const speedscope = recognize(JSON.stringify(exportSpeedscope(named, 'x')));
      expect(speedscope.names).toEqual(['one', 'two']);
      for (const back of speedscope.read) {
        expect(back).toMatchObject({ unit: drawn.unit, samples: whole.samples });
        expect(listWhole(back)).toEqual(expected);
      }
      const folded = recognize(exportFolded(speedscope.read[0]));
      expect(folded.read.map(listWhole)).toEqual([expected]);
      expect(folded.notes).toEqual([]);
    }),
    { numRuns: 60, seed: 1 },
  );
});
