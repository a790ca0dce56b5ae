import { SUSPICIONS_PER_MERGE, confirmationLevel } from './alarms.js';

test('false suspicions of a year times the level are the wanted false alarms', () => {
  for (const mergesPerYear of [1200, 12_000]) {
    const level = confirmationLevel({ falseAlarmsPerYear: 1, mergesPerYear });
    expect(mergesPerYear * SUSPICIONS_PER_MERGE * level).toBeCloseTo(1, 9);
  }
});

test('the level has a range, whatever is wanted', () => {
  expect(confirmationLevel({ falseAlarmsPerYear: 100, mergesPerYear: 12 })).toBe(0.05);
  expect(confirmationLevel({ falseAlarmsPerYear: 1e-9, mergesPerYear: 1e6 })).toBe(1e-6);
});
