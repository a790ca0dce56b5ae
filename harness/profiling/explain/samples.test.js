import { compareSamples } from './samples.js';

/** @param {number[]} values @param {number} [samplingVariance] */
function samplesOf(values, samplingVariance = 0) {
  return values.map((value) => ({ value, samplingVariance }));
}

describe('the interval of a difference', () => {
  test('is that of Welch', () => {
    // Variances 5/3 of four and 4 of three: standard error √1.75, 3.2347 degrees of freedom, for
    // which the density of t, integrated numerically, gives 3.0557.
    const { estimate, low, high } = compareSamples(
      samplesOf([10, 11, 12, 13]),
      samplesOf([13, 15, 17]),
    );
    expect(estimate).toBeCloseTo(3.5, 12);
    expect(low).toBeCloseTo(-0.5423, 3);
    expect(high).toBeCloseTo(7.5423, 3);
  });

  test('is never narrower than the number of samples allows', () => {
    const { low, high } = compareSamples(samplesOf([10, 10], 4), samplesOf([10, 10], 4));
    // Both arms: variance 4, two processes; standard error 2, two degrees of freedom.
    expect(high - low).toBeCloseTo(2 * 4.3027 * 2, 2);
  });

  test('without variance has the width of the scale error alone', () => {
    const exact = samplesOf([100, 100]);
    expect(compareSamples(exact, samplesOf([150, 150]))).toEqual({
      estimate: 50,
      low: 50,
      high: 50,
    });
    expect(compareSamples(exact, samplesOf([150, 150]), 0.1)).toEqual({
      estimate: 50,
      low: 35,
      high: 65,
    });
  });
});
