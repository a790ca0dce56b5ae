import { expect, test } from '@jest/globals';
import { displayWidth, padToWidth, shortenMiddle, takeColumns } from './display-width.js';

test.each([
  ['', 0],
  ['plain', 5],
  ['×0.42 ├●┤ µs', 12],
  ['直列化', 6],
  ['ｆｕｌｌ', 8],
  ['한국어', 6],
  ['\u{1f680}', 2],
  ['e\u0301', 1],
  ['❤\ufe0f', 2],
  ['\u{20000}', 2],
])('%j takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

test('pads on the side away from the text', () => {
  expect(padToWidth('直', 4, 'left')).toBe('直  ');
  expect(padToWidth('直', 4, 'right')).toBe('  直');
  expect(padToWidth('longer', 4, 'left')).toBe('longer');
});

test('never splits a double-width character', () => {
  expect(takeColumns('直列化', 3)).toBe('直');
  expect(takeColumns('abc', 2)).toBe('ab');
});

test('shortens in the middle and keeps both ends', () => {
  expect(shortenMiddle('flat@deserialized', 11)).toBe('flat@…lized');
  expect(shortenMiddle('short', 11)).toBe('short');
  expect(displayWidth(shortenMiddle('直列化器の変種', 7))).toBeLessThanOrEqual(7);
  expect(shortenMiddle('abc', 1)).toBe('…');
  expect(shortenMiddle('abc', 0)).toBe('');
});
