/** A real count takes half a minute: `just profile recursive --with instructions`. */

import { expect, test } from '@jest/globals';
import { FormatError } from '../../lib/errors.js';
import { fitSlope, readTotal } from './instructions.js';

test('the slope is that of least squares', () => {
  const counts = [
    { passes: 2_000, instructions: 1_000_000 },
    { passes: 3_000, instructions: 1_260_000 },
    { passes: 4_000, instructions: 1_500_000 },
  ];
  expect(fitSlope(counts)).toBeCloseTo(250);
});

test('a constant number of instructions does not affect the slope', () => {
  const line = (/** @type {number} */ passes) => ({ passes, instructions: 9e8 + 251_048 * passes });
  expect(fitSlope([line(6_000), line(9_000), line(12_000)])).toBeCloseTo(251_048);
});

test('the total of instructions is found by the name of its event', () => {
  expect(readTotal('desc: D1\ncmd: node\nevents: Ir\nfn=a\n1 5\nsummary: 1170678316\n')).toBe(
    1_170_678_316,
  );
  expect(readTotal('events: Bc Ir\nsummary: 7 31\n')).toBe(31);
});

test('a truncated file is refused', () => {
  expect(() => readTotal('desc: D1\nevents: Ir\nfn=a\n1 5\n')).toThrow(FormatError);
});
