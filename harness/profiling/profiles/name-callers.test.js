import { expect, test } from '@jest/globals';
import { listStacks, makeProfile } from './fixtures/read-fixture.js';
import { nameCallers } from './name-callers.js';

test('a builtin is named by the function that calls it, and what it calls too', () => {
  const profile = makeProfile({
    'run > generateFields > builtin:entries': 3,
    'run > generateFields > builtin:entries > builtin:Array': 2,
    run: 1,
  });
  const file = 'experiments/write.js';
  const placed = {
    ...profile,
    frames: profile.frames.map((frame) => (frame.kind === 'js' ? { ...frame, file } : frame)),
  };
  const named = nameCallers(placed);
  expect(listStacks(named)).toEqual({
    run: 1,
    'run > generateFields': 0,
    'run > generateFields > entries in generateFields': 3,
    'run > generateFields > entries in generateFields > Array in generateFields': 2,
  });
  expect(named.frames.map((frame) => frame.file)).toEqual([file, file, file, file]);
});

test('what nobody with a file calls keeps its name', () => {
  expect(listStacks(nameCallers(makeProfile({ 'builtin:entries': 1 })))).toEqual({ entries: 1 });
});
