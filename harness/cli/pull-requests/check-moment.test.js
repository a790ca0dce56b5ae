import { expect, test } from '@jest/globals';
import { checkMoment } from './check-moment.js';

const MOMENT = '2025-06-12T10:15:02.417Z';

test('the moment of a run is written so that it can be read back', () => {
  const nowMs = Date.parse(MOMENT);
  expect(checkMoment('2025-06-12T12:15:02.417+02:00', nowMs)).toBe(MOMENT);
  expect(checkMoment('2025-06-13T03:00:00Z', nowMs)).toBe('2025-06-13T03:00:00.000Z');
});

test.each(['9999-01-01T00:00:00.000Z', '2025-06-12T10:15:02 -->'])(
  'a run of %s would hold its comment for ever',
  (createdAt) => {
    expect(() => checkMoment(createdAt, Date.parse(MOMENT))).toThrow(/which is not so/);
  },
);
