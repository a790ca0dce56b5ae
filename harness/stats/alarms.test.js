import { confirmationLevel, expectedConfirmations } from './alarms.js';

const NOTHING = { merges: 0, confirmations: 0 };
const YEAR = { falseAlarmsPerYear: 1, mergesPerYear: 1200 };

test('the confirmations that are expected in a year, times the level, are the wanted false alarms', () => {
  for (const cells of [6, 60, 200]) {
    const level = confirmationLevel({ ...YEAR, cells, seen: NOTHING });
    expect(1200 * expectedConfirmations(cells) * level).toBeCloseTo(1, 9);
  }
  expect(expectedConfirmations(6)).toBeLessThan(expectedConfirmations(60));
});

test('a branch with many merges has the level that its own confirmations give', () => {
  const seen = { merges: 120_000, confirmations: 60_000 };
  expect(1200 * 0.5 * confirmationLevel({ ...YEAR, cells: 60, seen })).toBeCloseTo(1, 2);
  expect(1200 * 0.5 * confirmationLevel({ ...YEAR, cells: 6, seen })).toBeCloseTo(1, 2);
});

test('the level has a range, whatever is wanted', () => {
  const few = { falseAlarmsPerYear: 100, mergesPerYear: 12, cells: 6, seen: NOTHING };
  expect(confirmationLevel(few)).toBe(0.05);
  expect(confirmationLevel({ ...few, falseAlarmsPerYear: 1e-9, mergesPerYear: 1e6 })).toBe(1e-6);
});
