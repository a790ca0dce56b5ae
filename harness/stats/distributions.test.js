import {
  betaQuantile,
  chiSquareQuantile,
  normalCritical,
  normalUpperTail,
  studentCritical,
  studentTwoSided,
} from './distributions.js';

/** @type {[string, number, number, number][]} relative tolerance, because tails span orders of magnitude */
const REFERENCES = [
  // SciPy 1.17.1
  ['2 * t.sf(2.5, 7.3)', studentTwoSided(2.5, 7.3), 0.03965023466560043, 1e-6],
  ['2 * t.sf(2.5, 7.3), mirrored', studentTwoSided(-2.5, 7.3), 0.03965023466560043, 1e-6],
  ['2 * t.sf(30, 20)', studentTwoSided(30, 20), 4.1952253239996544e-18, 1e-6],
  ['t.isf(0.0025, 11.2)', studentCritical(0.005, 11.2), 3.4818189164062168, 1e-6],
  ['norm.sf(1.3)', normalUpperTail(1.3), 0.09680048458561036, 1e-10],
  ['norm.sf(6)', normalUpperTail(6), 9.865876450376946e-10, 1e-10],
  ['norm.isf(0.005)', normalCritical(0.01), 2.575829303548901, 1e-10],
  ['norm.isf(5e-31)', normalCritical(1e-30), 11.523883577380248, 1e-10],
  // Closed forms
  ['beta, second shape 200', betaQuantile(0.025, 1, 200), 1 - 0.975 ** (1 / 200), 1e-6],
  ['beta, first shape 40', betaQuantile(0.975, 40, 1), 0.975 ** (1 / 40), 1e-6],
  ['chi-square, upper', chiSquareQuantile(0.975, 2), -2 * Math.log(0.025), 1e-6],
  ['chi-square, lower', chiSquareQuantile(0.025, 2), -2 * Math.log(0.975), 1e-6],
  // The two forms of the normal tail meet at 2.
  ['norm.sf(2)', normalUpperTail(2 - 1e-9), normalUpperTail(2), 1e-8],
];
test.each(REFERENCES)('%s', (_, value, reference, tolerance) => {
  expect(Math.abs(value / reference - 1)).toBeLessThan(tolerance);
});

test('a level of 1 is reached at zero', () => {
  expect(normalCritical(1)).toBe(0);
  expect(studentCritical(1, 9)).toBeCloseTo(0, 6);
});
