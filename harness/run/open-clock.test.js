import { afterEach, expect, jest, test } from '@jest/globals';
import { openClock } from './open-clock.js';

afterEach(() => {
  jest.restoreAllMocks();
});

test('a run of an earlier session goes on from its age', () => {
  const { elapsedMs, sessionMs } = openClock(new Date(Date.now() - 5_000).toISOString());
  expect(elapsedMs()).toBeGreaterThanOrEqual(5_000);
  expect(sessionMs()).toBeLessThan(5_000);
});

test('a clock that is set back makes no time negative, before a session or in it', () => {
  const createdAt = new Date().toISOString();
  jest.spyOn(Date, 'now').mockReturnValue(0);
  const { elapsedMs, sessionMs } = openClock(createdAt);
  expect(elapsedMs()).toBeGreaterThanOrEqual(0);
  expect(sessionMs()).toBeGreaterThanOrEqual(0);
});
