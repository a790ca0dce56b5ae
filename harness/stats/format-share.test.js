import { expect, test } from '@jest/globals';

import { formatShare } from './format-share.js';

test('one decimal below 10 %, none from there', () => {
  expect([0.031, 0.0994, 0.0999, 0.25].map(formatShare)).toEqual([
    '3.1 %',
    '9.9 %',
    '10 %',
    '25 %',
  ]);
});
