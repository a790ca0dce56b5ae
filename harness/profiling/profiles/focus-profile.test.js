import { expect, test } from '@jest/globals';
import { listStacks, makeProfile } from './fixtures/read-fixture.js';
import { focusProfile } from './focus-profile.js';

/** @param {{ name: string }} frame */
function isRun({ name }) {
  return name === 'run';
}

test('what lies below the measured loop, from wherever it was called', () => {
  const whole = makeProfile({
    main: 1,
    'main > run': 2,
    'main > run > write': 4,
    'main > warm > run > write': 8,
    'main > write': 16,
  });
  const { profile, droppedShare } = focusProfile(whole, isRun);
  expect(listStacks(profile)).toEqual({ run: 2, 'run > write': 12 });
  expect(droppedShare).toBeCloseTo(17 / 31);
});

test('the outermost loop is the root', () => {
  const { profile } = focusProfile(makeProfile({ 'main > run > write > run': 3 }), isRun);
  expect(listStacks(profile)).toEqual({ run: 0, 'run > write': 0, 'run > write > run': 3 });
});

test('collector and program stay at the root, and only there', () => {
  const whole = makeProfile({
    run: 1,
    'gc:(garbage collector)': 2,
    'program:(program)': 4,
    'main > program:(program)': 8,
  });
  const { profile, droppedShare } = focusProfile(whole, isRun);
  expect(listStacks(profile)).toEqual({ run: 1, '(garbage collector)': 2, '(program)': 4 });
  expect(droppedShare).toBeCloseTo(8 / 15);
});

test('lines are of what was kept', () => {
  const whole = makeProfile({ 'run > write': 6, 'main > write': 2, 'main > log': 1 });
  const [write, log] = ['write', 'log'].map((name) =>
    whole.frames.findIndex((frame) => frame.name === name),
  );
  whole.lines = [
    { frame: write, line: 3, self: 6 },
    { frame: write, line: 4, self: 2 },
    { frame: log, line: 9, self: 1 },
  ];
  const { profile } = focusProfile(whole, isRun);
  const frame = profile.frames.findIndex(({ name }) => name === 'write');
  expect(profile.lines).toEqual([
    { frame, line: 3, self: 4.5 },
    { frame, line: 4, self: 1.5 },
  ]);
});

test('nothing of nothing was dropped', () => {
  expect(focusProfile(makeProfile({}), isRun).droppedShare).toBe(0);
});
