import { expect, test } from '@jest/globals';
import { listStacks, makeProfile } from './fixtures/read-fixture.js';
import { scaleProfile } from './scale-profile.js';

test('every weight and no count of samples is scaled; the original stays', () => {
  const profile = makeProfile({ run: 2, 'run > write': 4 });
  profile.lines = [{ frame: 0, line: 3, self: 2 }];
  const scaled = scaleProfile(profile, 0.25);
  expect(listStacks(scaled)).toEqual({ run: 0.5, 'run > write': 1 });
  expect(scaled.lines).toEqual([{ frame: 0, line: 3, self: 0.5 }]);
  expect(scaled.samples).toBe(profile.samples);
  expect(profile.nodes[0].self).toBe(2);
});
