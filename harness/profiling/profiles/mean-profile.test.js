import { expect, test } from '@jest/globals';
import { listStacks, makeProfile } from './fixtures/read-fixture.js';
import { meanProfile } from './mean-profile.js';

test('a node weighs its mean, nothing where a profile does not have it', () => {
  const first = makeProfile({ run: 2, 'run > write': 4 });
  const second = makeProfile({ 'builtin:Typeof': 6, run: 4 });
  const mean = meanProfile([first, second]);
  expect(listStacks(mean)).toEqual({ run: 3, 'run > write': 2, Typeof: 3 });
  expect(mean.samples).toBe(2);
});

test('lines weigh their mean too', () => {
  const profiles = [makeProfile({ run: 2 }), makeProfile({ run: 4 })];
  profiles[0].lines = [{ frame: 0, line: 3, self: 2 }];
  profiles[1].lines = [{ frame: 0, line: 5, self: 4 }];
  expect(meanProfile(profiles).lines).toEqual([
    { frame: 0, line: 3, self: 1 },
    { frame: 0, line: 5, self: 2 },
  ]);
});

test('the mean of one profile is that profile', () => {
  const profile = makeProfile({ run: 2, 'run > write > run': 4 });
  expect(meanProfile([profile])).toEqual(profile);
});
