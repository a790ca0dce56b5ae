import {
  parseDeoptPlace,
  parseFunctionName,
  readCacheState,
  readDeoptKind,
  readTier,
  splitLogLine,
} from './log-words.js';

test.each([
  ['~', 'interpreter'],
  ['^', 'baseline'],
  ['+', 'mid'],
  ["+'", 'mid'],
  ['o+', 'mid'],
  ['*', 'optimized'],
  ["o*'", 'optimized'],
  ['', null],
  ['x', null],
])('code marked %j has the tier %j', (mark, tier) => {
  expect(readTier(mark)).toBe(tier);
});

test.each([
  ['0', null],
  ['X', null],
  ['.', null],
  ['1', null],
  ['^', null],
  ['P', 'polymorphic'],
  ['N', 'megamorphic'],
  ['D', 'megamorphic'],
  ['G', 'generic'],
])('the state %j is %j', (letter, state) => {
  expect(readCacheState(letter)).toBe(state);
});

test.each([
  ['deopt-soft', 'soft'],
  ['deopt-lazy', 'lazy'],
  ['bailout', 'other'],
])('a deoptimisation of kind %j is %j', (word, kind) => {
  expect(readDeoptKind(word)).toBe(kind);
});

test('fields are separated by commas, and empty fields are kept', () => {
  expect(splitLogLine('LoadIC,0x1f,5,,P')).toEqual(['LoadIC', '0x1f', '5', '', 'P']);
});

test('escaped characters of a field are decoded', () => {
  const line = 'x,a\\x2C b \\xe9\\u20ac,one\\ntwo,c:\\\\x2C';
  expect(splitLogLine(line)).toEqual(['x', 'a, b é€', 'one\ntwo', 'c:\\x2C']);
});

test.each([
  ['write file:///a/b.js:3:14', { name: 'write', url: 'file:///a/b.js', line: 3, column: 14 }],
  [' file:///b.js:1:1', { name: '(anonymous)', url: 'file:///b.js', line: 1, column: 1 }],
  ['get size /a b/c.cjs:2:7', { name: 'get size', url: '/a b/c.cjs', line: 2, column: 7 }],
  ['a, b é node:buffer:9:1', { name: 'a, b é', url: 'node:buffer', line: 9, column: 1 }],
  ['f C:\\x\\y.js:4:5', { name: 'f', url: 'C:\\x\\y.js', line: 4, column: 5 }],
])('the function %j has a name and a position', (text, expected) => {
  expect(parseFunctionName(text)).toEqual(expected);
});

test.each(['ArrayPrototypeMap', 'Wide', '', 'sum evalmachine.<anonymous>:1:1'])(
  '%j has no file',
  (text) => {
    expect(parseFunctionName(text)).toBeNull();
  },
);

test('a deoptimisation of inlined code has the innermost position', () => {
  const text = '<node:buffer:435:7> inlined at <node:buffer:406:10> inlined at <file:///a.js:1:2>';
  expect(parseDeoptPlace(text)).toEqual({ url: 'node:buffer', line: 435, column: 7 });
});

test.each(['<unknown>', '', 'a.js:1:1'])('a deoptimisation at %j has no position', (text) => {
  expect(parseDeoptPlace(text)).toBeNull();
});
