import { expect, test } from '@jest/globals';
import { mendStacks } from './mend-stacks.js';

const [MAIN, LOOP, OTHER_LOOP, PARSE, MALLOC, UNKNOWN, READ_CLOCK] = [0, 1, 2, 3, 4, 5, 6];
const WHOLE = [PARSE, LOOP, MAIN];

/** @param {number[][]} stacks */
function mend(...stacks) {
  return mendStacks([...stacks, WHOLE], new Set([LOOP, OTHER_LOOP]), new Set([UNKNOWN])).slice(
    0,
    -1,
  );
}

test('a stack that broke off is hung below the loop, without what has no name', () => {
  expect(mend([MALLOC, UNKNOWN], [MALLOC, PARSE], [UNKNOWN, PARSE, UNKNOWN, UNKNOWN])).toEqual([
    [MALLOC, LOOP],
    [MALLOC, PARSE, LOOP],
    [UNKNOWN, PARSE, LOOP],
  ]);
});

test('a stack of which nothing is known counts for the loop', () => {
  expect(mend([], [UNKNOWN])).toEqual([[LOOP], [LOOP]]);
});

test('a whole stack stays, with the loop on it or without', () => {
  expect(mend([MAIN], [MALLOC, READ_CLOCK, MAIN], [PARSE, OTHER_LOOP])).toEqual([
    [MAIN],
    [MALLOC, READ_CLOCK, MAIN],
    [PARSE, OTHER_LOOP],
  ]);
});

test('a leaf that hides its caller was called by the loop, where what calls that comes next', () => {
  expect(mend([MALLOC, MAIN])).toEqual([[MALLOC, LOOP, MAIN]]);
});

test('of several loops it is the one that is on most stacks', () => {
  const stacks = [[MALLOC], WHOLE, WHOLE, [OTHER_LOOP, MAIN]];
  expect(mend(...stacks)[0]).toEqual([MALLOC, LOOP]);
});

test('without a loop nothing is mended', () => {
  const stacks = [[MALLOC, UNKNOWN]];
  expect(mendStacks(stacks, new Set([LOOP]), new Set([UNKNOWN]))).toEqual(stacks);
});
