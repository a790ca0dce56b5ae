import {
  listStacks,
  makeProfile,
  readProfiles,
  sumWeights,
} from '../profiles/fixtures/read-fixture.js';
import { exportFolded, importFolded } from './folded.js';

test('a stack is a line, with reserved characters percent-encoded', () => {
  const profile = makeProfile({
    'run > builtin:RegExp: a;b%\n': 2,
    'run > kernel:page_fault': 0.5,
    'native:malloc': 1,
  });
  expect(exportFolded(profile)).toBe(
    'run (x.js:1:1);RegExp: a%3Bb%25%0A_[b] 2\nrun (x.js:1:1);page_fault_[k] 0.5\nmalloc 1\n',
  );
  const back = importFolded(exportFolded(profile));
  expect(listStacks(back)).toEqual(listStacks(profile));
  expect(back.frames).toEqual(profile.frames);
});

test.each(Object.entries(readProfiles()))('the stacks of %s are restored', (_, profile) => {
  const back = importFolded(exportFolded(profile), profile);
  expect(back).toMatchObject({ source: profile.source, unit: profile.unit });
  expect(sumWeights(back)).toBeCloseTo(sumWeights(profile), 3);
  const weights = listStacks(profile);
  for (const [stack, weight] of Object.entries(listStacks(back))) {
    expect(weight).toBeCloseTo(weights[stack], 3);
  }
});

test('stacks of another tool are imported', () => {
  const profile = importFolded('main;do work 3\nmain 4\nmain;do work 1\n');
  expect(listStacks(profile)).toEqual({ main: 4, 'main > do work': 4 });
  expect(profile.samples).toBe(3);
});

test('a line without a weight is refused with its number', () => {
  expect(() => importFolded('main 1\nmain;work\n')).toThrow(
    expect.objectContaining({
      name: 'FormatError',
      message: expect.stringContaining('line 2'),
      remedy: expect.stringContaining('WEIGHT'),
    }),
  );
});
