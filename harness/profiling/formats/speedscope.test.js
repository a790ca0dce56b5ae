import { listStacks, makeProfile, readProfiles } from '../profiles/fixtures/read-fixture.js';
import { openRemarks } from './remarks.js';
import { exportSpeedscope, importSpeedscope, openSpeedscope } from './speedscope.js';

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

/** The inner frame and the outer one are still open. */
const OPEN = {
  events: [
    { type: 'O', frame: 0, at: 12 },
    { type: 'O', frame: 1, at: 13 },
  ],
};

test('profiles are listed with their names, and each is read on its own', () => {
  const [sampled, evented] = FILE.profiles;
  const { profiles, active } = openSpeedscope({
    ...FILE,
    activeProfileIndex: 2,
    profiles: [
      { ...sampled, name: 'a' },
      { ...sampled, weights: [] },
      { ...evented, name: '' },
    ],
  });
  expect(active).toBe(2);
  expect(profiles.map(({ name }) => name)).toEqual(['a', 'profile 2', 'profile 3']);
  expect(listStacks(profiles[2].read())).toEqual({ main: 2, 'main > work': 4 });
  expect(() => profiles[1].read()).toThrow(/incomplete/);
});

test('a frame that is not closed lasts until the end, and time without a frame is counted', () => {
  const remarks = openRemarks();
  const evented = { ...FILE.profiles[1], ...OPEN, unit: 'none' };
  const [{ read }] = openSpeedscope({ ...FILE, profiles: [evented] }, remarks).profiles;
  const profile = read();
  expect(listStacks(profile)).toEqual({ main: 1, 'main > work': 4 });
  expect(profile.unit).toBe('none');
  expect(remarks.list()).toEqual([
    '2 frames are not closed, and so last until the end',
    'left out: 1 period without a frame',
  ]);
});

test.each(Object.entries(readProfiles()))(
  '%s is restored, without source lines',
  (name, profile) => {
    const back = importSpeedscope(JSON.stringify(exportSpeedscope([{ name, profile }], name)));
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
  const [exported] = /** @type {any} */ (exportSpeedscope([{ name: 'x', profile }], 'x')).profiles;
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
  ['an unknown unit', { ...FILE, profiles: [{ ...FILE.profiles[0], unit: 'parsecs' }] }],
  ['a sample without a weight', { ...FILE, profiles: [{ ...FILE.profiles[0], weights: [1] }] }],
  [
    'a weight that is not a number',
    { ...FILE, profiles: [{ ...FILE.profiles[0], weights: [1, 'x'] }] },
  ],
  ['a missing frame', { ...FILE, profiles: [{ ...FILE.profiles[0], samples: [[7], []] }] }],
  ['a negative weight', { ...FILE, profiles: [{ ...FILE.profiles[0], weights: [1, -2] }] }],
  [
    'an event of another type',
    { ...FILE, profiles: [{ ...FILE.profiles[1], events: [{ type: 'X', frame: 0, at: 11 }] }] },
  ],
  [
    'a frame that is open in a profile without an end',
    { ...FILE, profiles: [{ ...FILE.profiles[1], ...OPEN, endValue: undefined }] },
  ],
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
