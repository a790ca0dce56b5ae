import {
  allowForPull,
  controlLevelOf,
  couldControlExplain,
  isStrong,
  judgeInterval,
} from './decision-rule.js';

const MINIMUM = 0.03;

/** @param {number} low @param {number} high */
const interval = (low, high) => ({ estimate: (low + high) / 2, low, high });

describe('the verdict of an interval', () => {
  test.each(
    /** @type {[string, number, number, boolean, string][]} */ ([
      ['around zero, narrow', -0.01, 0.02, false, 'equivalent'],
      ['beside zero, within the minimum', 0.005, 0.025, true, 'equivalent'],
      ['around zero, wide', -0.01, 0.05, false, 'inconclusive'],
      ['touching the minimum', 0.005, 0.03, true, 'slower'],
      ['beyond zero, across the minimum', 0.01, 0.05, true, 'slower'],
      ['the same, not rejected among the cells', 0.01, 0.05, false, 'inconclusive'],
      ['below zero, across the minimum', -0.05, -0.01, true, 'faster'],
      ['rejected at an earlier look only', -0.01, 0.05, true, 'inconclusive'],
    ]),
  )('%s', (_, low, high, rejected, verdict) => {
    expect(judgeInterval(interval(low, high), MINIMUM, rejected)).toBe(verdict);
  });

  test('is strong when it lies entirely beyond the minimum', () => {
    expect(isStrong(interval(0.04, 0.06), MINIMUM)).toBe(true);
    expect(isStrong(interval(-0.06, -0.04), MINIMUM)).toBe(true);
    expect(isStrong(interval(0.02, 0.06), MINIMUM)).toBe(false);
  });
});

describe('the pull of variants measured at the same time', () => {
  test('lengthens what lies away from zero, on either side', () => {
    const allow = (/** @type {[number, number]} */ [low, high]) =>
      allowForPull(interval(low, high), { schedule: 'paired' });
    expect(allow([0.02, 0.1])).toMatchObject({ low: 0.02, high: 1.1 * 0.1 });
    expect(allow([-0.1, -0.02])).toMatchObject({ low: 1.1 * -0.1, high: -0.02 });
    expect(allow([-0.1, 0.1])).toMatchObject({ low: 1.1 * -0.1, high: 1.1 * 0.1 });
  });

  test('is none one after the other', () => {
    expect(allowForPull(interval(0.02, 0.1), {})).toEqual(interval(0.02, 0.1));
  });
});

describe('a deviating control', () => {
  /** @type {[string, 'faster' | 'slower' | 'equivalent', number, number, number, boolean][]} */
  const cases = [
    ['an interval that ends nearer to zero than it deviates', 'slower', 0.01, 0.19, 0.02, true],
    ['the same on the other side', 'faster', -0.19, -0.01, 0.02, true],
    ['an effect of less than three times its deviation', 'slower', 0.08, 0.12, 0.04, true],
    ['an effect of more', 'slower', 0.08, 0.12, -0.03, false],
    ['a huge effect', 'slower', 0.67, 0.71, 0.05, false],
    ['an equivalence that it could have caused', 'equivalent', -0.01, 0.02, -0.015, true],
    ['the same at the other bound', 'equivalent', -0.02, 0.01, 0.015, true],
    ['an equivalence far from both bounds', 'equivalent', -0.01, 0.01, 0.015, false],
  ];
  test.each(cases)('and %s: %s', (_, word, low, high, deviation, isExplained) => {
    expect(couldControlExplain(word, interval(low, high), deviation, MINIMUM)).toBe(isExplained);
  });

  test('is tested strictly, but beside a direction, on which people act, at alpha', () => {
    /** @type {['faster', 'slower', 'equivalent', 'inconclusive']} */
    const words = ['faster', 'slower', 'equivalent', 'inconclusive'];
    const levels = words.map((word) => controlLevelOf(word, 0.05));
    expect(levels).toEqual([0.05, 0.05, 0.005, 0.005]);
  });
});
