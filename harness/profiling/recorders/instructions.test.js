/** A real count takes half a minute: `just profile recursive --with instructions`. */

import { FormatError } from '../../lib/errors.js';
import { readTotal } from './instructions.js';

test('the total of instructions is found by the name of its event', () => {
  expect(readTotal('desc: D1\ncmd: node\nevents: Ir\nfn=a\n1 5\nsummary: 1170678316\n')).toBe(
    1_170_678_316,
  );
  expect(readTotal('events: Bc Ir\nsummary: 7 31\n')).toBe(31);
});

test('a truncated file is refused', () => {
  expect(() => readTotal('desc: D1\nevents: Ir\nfn=a\n1 5\n')).toThrow(FormatError);
});
