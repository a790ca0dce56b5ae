import { expect, test } from '@jest/globals';
import { limitExercise } from './make-record-context.js';
import { DEFAULT_WORK } from '../profiling/recorders/support/v8-recorder.js';

test('a worker that hangs costs less than a minute, and one with more to do gets more time', () => {
  expect(limitExercise(DEFAULT_WORK)).toBeLessThan(60_000);
  expect(limitExercise({ warmUpMs: 5_000, recordMs: 300 })).toBeGreaterThan(100_000);
});
