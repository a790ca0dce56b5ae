import { expect, test } from '@jest/globals';
import { splitLogLine } from './split-log-line.js';

test('fields are separated by commas, and an empty field stays', () => {
  expect(splitLogLine('LoadIC,0x1f,5,,P')).toEqual(['LoadIC', '0x1f', '5', '', 'P']);
});

test('commas, line ends, backslashes and characters beyond ASCII inside a field are decoded', () => {
  const line = 'x,a\\x2C b \\xe9\\u20ac,one\\ntwo,c:\\\\x2C';
  expect(splitLogLine(line)).toEqual(['x', 'a, b é€', 'one\ntwo', 'c:\\x2C']);
});
