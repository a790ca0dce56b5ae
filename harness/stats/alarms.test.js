import { confirmationLevel, expectedConfirmations } from './alarms.js';

test('the confirmations of a year, two of each, times the level are the wanted false alarms', () => {
  for (const cells of [6, 60, 200]) {
    const level = confirmationLevel({ falseAlarmsPerYear: 1, mergesPerYear: 1200, cells });
    expect(2 * 1200 * expectedConfirmations(cells) * level).toBeCloseTo(1, 9);
  }
  expect(expectedConfirmations(6)).toBeLessThan(expectedConfirmations(60));
});

test('the level has a range, whatever is wanted', () => {
  expect(confirmationLevel({ falseAlarmsPerYear: 100, mergesPerYear: 12, cells: 6 })).toBe(0.05);
  expect(confirmationLevel({ falseAlarmsPerYear: 1e-9, mergesPerYear: 1e6, cells: 6 })).toBe(1e-6);
});
