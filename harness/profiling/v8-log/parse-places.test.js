import { expect, test } from '@jest/globals';
import { parseDeoptPlace, parseFunctionName } from './parse-places.js';

test.each([
  ['write file:///a/b.js:3:14', { name: 'write', url: 'file:///a/b.js', line: 3, column: 14 }],
  [' file:///b.js:1:1', { name: '(anonymous)', url: 'file:///b.js', line: 1, column: 1 }],
  ['get size /a b/c.cjs:2:7', { name: 'get size', url: '/a b/c.cjs', line: 2, column: 7 }],
  ['a, b é node:buffer:9:1', { name: 'a, b é', url: 'node:buffer', line: 9, column: 1 }],
  ['f C:\\x\\y.js:4:5', { name: 'f', url: 'C:\\x\\y.js', line: 4, column: 5 }],
])('the function %j has a name and a place', (text, expected) => {
  expect(parseFunctionName(text)).toEqual(expected);
});

test.each(['ArrayPrototypeMap', 'Wide', '', 'sum evalmachine.<anonymous>:1:1'])(
  '%j belongs to no file',
  (text) => {
    expect(parseFunctionName(text)).toBeNull();
  },
);

test('of a place that was inlined, the innermost counts', () => {
  const text = '<node:buffer:435:7> inlined at <node:buffer:406:10> inlined at <file:///a.js:1:2>';
  expect(parseDeoptPlace(text)).toEqual({ url: 'node:buffer', line: 435, column: 7 });
});

test.each(['<unknown>', '', 'a.js:1:1'])('a deoptimisation at %j has no place', (text) => {
  expect(parseDeoptPlace(text)).toBeNull();
});
