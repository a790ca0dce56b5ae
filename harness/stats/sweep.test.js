import { fitExponent, fitSweeps, formatExponent, growsFaster } from './sweep.js';

const SIZES = [1000, 2000, 4000, 8000, 16_000];

/** Figures that spread by `spread` around a time, without chance. @param {number} ns @param {number} [spread] */
function figuresAround(ns, spread = 0.02) {
  return Array.from({ length: 12 }, (_, index) => Math.log(ns) + spread * Math.sin(index * 2.4));
}

/** @param {(size: number) => number} timeOf */
function fit(timeOf) {
  return fitExponent(SIZES.map((size) => ({ size, logFigures: figuresAround(timeOf(size)) })));
}

describe('fitExponent', () => {
  test.each([0, 1, 1.5, 2])('finds the exponent %d', (power) => {
    const exponent = fit((size) => 3 * size ** power);
    expect(exponent?.estimate).toBeCloseTo(power, 6);
    expect(exponent?.low).toBeLessThan(power);
    expect(exponent?.high).toBeGreaterThan(power);
    expect(Number(exponent?.high) - Number(exponent?.low)).toBeLessThan(0.06);
  });

  test('the interval is wide where time is no power of the size', () => {
    const bent = fit((size) => (size > 4000 ? 3 * size ** 2 : 12_000 * size));
    expect(Number(bent?.high) - Number(bent?.low)).toBeGreaterThan(0.5);
  });

  test('a fixed cost makes it smaller', () => {
    expect(fit((size) => 4000 + size)?.estimate).toBeLessThan(0.9);
  });

  test.each([
    ['two sizes', [1, 2]],
    ['a size twice', [1, 2, 2]],
  ])('with %s there is none', (_, sizes) => {
    expect(fitExponent(sizes.map((size) => ({ size, logFigures: [1, 2, 3] })))).toBeNull();
  });

  test('a size with one figure does not count', () => {
    const samples = SIZES.slice(0, 3).map((size) => ({ size, logFigures: [1, 2] }));
    expect(fitExponent(samples)).not.toBeNull();
    expect(fitExponent([...samples.slice(1), { size: 1, logFigures: [1] }])).toBeNull();
  });
});

test('growth is noted where all of the interval lies above 1.2', () => {
  expect(growsFaster({ estimate: 1.3, low: 1.21, high: 1.4 })).toBe(true);
  expect(growsFaster({ estimate: 1.3, low: 1.2, high: 1.4 })).toBe(false);
  expect(growsFaster(null)).toBe(false);
  expect(formatExponent({ estimate: 1.984, low: 1.9, high: 2.071 })).toBe('size^1.98 (1.90–2.07)');
});

describe('fitSweeps', () => {
  const corpora = SIZES.map((size, index) => ({
    label: index === 0 ? 'flat' : `flat*${2 ** index}`,
    ...{ sizeBytes: 2 * size, documentCount: 2 },
  }));
  /** @param {string} operation @param {number} power @param {string[]} [wrongArms] @returns {any[]} */
  const recordsOf = (operation, power, wrongArms = []) =>
    corpora.map(({ label }, index) => {
      const jobs = figuresAround(SIZES[index] ** power).map((logFigure) => ({ logFigure }));
      const grown = index === 0 ? {} : { grown: { from: 'flat', times: 2 ** index } };
      return {
        cell: { id: `${operation} ${label}`, operation, corpus: label, ...grown },
        arms: { baseline: jobs.slice(0, 6), control: jobs.slice(6), candidate: jobs },
        wrongArms,
      };
    });

  test('cells that differ in size alone belong together', () => {
    const records = [...recordsOf('write', 1), ...recordsOf('read', 2)];
    const other = { ...records[0], cell: { id: 'write deep', operation: 'write', corpus: 'deep' } };
    const sweeps = fitSweeps([other, ...records], corpora);
    expect(sweeps.map(({ operation, corpus }) => `${operation} ${corpus}`)).toEqual([
      'write flat',
      'read flat',
    ]);
    expect(sweeps[0].sizesBytes).toEqual(SIZES);
    expect(sweeps[0].exponents.baseline?.estimate).toBeCloseTo(1, 6);
    expect(sweeps[1].exponents.candidate?.estimate).toBeCloseTo(2, 6);
  });

  test('what was refused is not fitted', () => {
    expect(fitSweeps(recordsOf('write', 1, ['candidate']), corpora)).toEqual([]);
  });
});
