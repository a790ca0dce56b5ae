import { listStacks, makeProfile, readProfiles } from '../profiles/fixtures/read-fixture.js';
import { exportSpeedscope, importSpeedscope } from './speedscope.js';

const FILE = {
  shared: { frames: [{ name: 'main' }, { name: 'work', file: 'x.js', line: 3 }] },
  profiles: [
    {
      type: 'sampled',
      unit: 'milliseconds',
      startValue: 0,
      endValue: 3,
      samples: [[0], [0, 1]],
      weights: [1, 2],
    },
    {
      type: 'evented',
      unit: 'bytes',
      startValue: 10,
      endValue: 17,
      events: [
        { type: 'O', frame: 0, at: 11 },
        { type: 'O', frame: 1, at: 13 },
        { type: 'C', frame: 1, at: 17 },
        { type: 'C', frame: 0, at: 17 },
      ],
    },
  ],
};

test.each(Object.entries(readProfiles()))(
  '%s is restored, without source lines',
  (name, profile) => {
    const back = importSpeedscope(JSON.stringify(exportSpeedscope(profile, name)));
    const { source, unit, samples } = profile;
    expect(back).toMatchObject({ source, unit, samples, lines: [] });
    expect(back.frames).toEqual(expect.arrayContaining(profile.frames));
    expect(back.nodes).toHaveLength(profile.nodes.length);
    const weights = listStacks(profile);
    for (const [stack, weight] of Object.entries(listStacks(back))) {
      expect(weight).toBeCloseTo(weights[stack], 3);
    }
  },
);

test('every node opens and closes once, in order', () => {
  const profile = makeProfile({ 'run > write > run': 3, 'run > log': 4, 'builtin:Typeof': 5 });
  const [exported] = /** @type {any} */ (exportSpeedscope(profile, 'x')).profiles;
  expect(exported).toMatchObject({ unit: 'nanoseconds', startValue: 0, endValue: 12 });
  expect(
    exported.events.map((/** @type {any} */ { type, frame, at }) => `${type}${frame}@${at}`),
  ).toEqual('O0@0 O1@0 O0@0 C0@3 C1@3 O2@3 C2@7 C0@7 O3@7 C3@12'.split(' '));
});

test('samples of another tool are imported in their unit', () => {
  const profile = importSpeedscope(FILE);
  expect(listStacks(profile)).toEqual({ main: 1e6, 'main > work': 2e6 });
  expect(profile).toMatchObject({ unit: 'ns', samples: 2 });
  expect(profile.frames.map(({ kind }) => kind)).toEqual(['native', 'js']);
});

test('events of another tool are imported from the active profile', () => {
  const profile = importSpeedscope({ ...FILE, activeProfileIndex: 1 });
  expect(listStacks(profile)).toEqual({ main: 2, 'main > work': 4 });
  expect(profile).toMatchObject({ unit: 'bytes', source: 'v8-heap-profile' });
});

test.each([
  ['text that is not JSON', 'x'],
  ['no frames', { profiles: FILE.profiles }],
  ['no profile', { ...FILE, profiles: [] }],
  ['an unknown unit', { ...FILE, profiles: [{ ...FILE.profiles[0], unit: 'none' }] }],
  ['a sample without a weight', { ...FILE, profiles: [{ ...FILE.profiles[0], weights: [1] }] }],
  [
    'a weight that is not a number',
    { ...FILE, profiles: [{ ...FILE.profiles[0], weights: [1, 'x'] }] },
  ],
  ['a missing frame', { ...FILE, profiles: [{ ...FILE.profiles[0], samples: [[7], []] }] }],
  [
    'a frame that closes without being open',
    { ...FILE, profiles: [{ ...FILE.profiles[1], events: [{ type: 'C', frame: 0, at: 10 }] }] },
  ],
])('%s is refused with a remedy', (_, broken) => {
  const remedy = expect.stringContaining('speedscope');
  expect(() => importSpeedscope(broken)).toThrow(
    expect.objectContaining({ name: 'FormatError', remedy }),
  );
});
