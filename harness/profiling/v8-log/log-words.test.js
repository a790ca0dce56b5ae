import { expect, test } from '@jest/globals';
import { readCacheState, readDeoptKind, readTier } from './log-words.js';

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
])('code marked %j is of the tier %j', (mark, tier) => {
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
