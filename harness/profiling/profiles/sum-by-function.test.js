import { expect, test } from '@jest/globals';
import { makeProfile } from './fixtures/read-fixture.js';
import { functionKey } from './frames.js';
import { sumByFunction } from './sum-by-function.js';

/** @param {import('../../formats/profile-types.ts').Profile} profile */
function listSums(profile) {
  return Object.fromEntries(
    [...sumByFunction(profile).values()].map(({ frame, self, total }) => [
      frame.name,
      [self, total],
    ]),
  );
}

test('self and total, a recursive function once per stack', () => {
  const profile = makeProfile({
    run: 1,
    'run > write': 2,
    'run > write > each > write': 4,
    'write > each': 8,
  });
  expect(listSums(profile)).toEqual({ run: [1, 7], write: [6, 14], each: [8, 12] });
});

test('frames of one function are one, by its key', () => {
  const profile = makeProfile({ 'run > write': 1 });
  profile.frames.push({ ...profile.frames[0], line: 9 });
  profile.nodes.push({ frame: 2, parent: 1, self: 2 });
  const sums = sumByFunction(profile);
  expect(sums.get(functionKey(profile.frames[0]))).toEqual({
    frame: profile.frames[0],
    self: 2,
    total: 3,
  });
});

test('a stack of 10 000 frames', () => {
  const profile = makeProfile({ run: 0 });
  for (let depth = 1; depth < 10_000; depth++) {
    profile.nodes.push({ frame: 0, parent: depth - 1, self: 1 });
  }
  expect(listSums(profile)).toEqual({ run: [9_999, 9_999] });
});
