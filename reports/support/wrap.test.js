import { expect, test } from '@jest/globals';
import { displayWidth } from './display-width.js';
import { wrapCommand, wrapText } from './wrap.js';

test('breaks at spaces and indents what follows', () => {
  expect(wrapText('one two three four', 11, { first: '1. ' })).toEqual([
    '1. one two',
    '   three',
    '   four',
  ]);
});

test('keeps figures and units together and prints a plain space', () => {
  expect(wrapText('it takes 35\u00a0µs', 12)).toEqual(['it takes', '35 µs']);
});

test('cuts words that no line could hold', () => {
  const lines = wrapText(`a ${'直'.repeat(9)} b`, 7);
  expect(lines).toEqual(['a', '直直直', '直直直', '直直直', 'b']);
});

test('ends even where a character is wider than the line', () => {
  expect(wrapText('直直', 1)).toEqual(['直', '直']);
});

test('an empty text is one empty line', () => {
  expect(wrapText('', 20, { first: '- ' })).toEqual(['- ']);
});

test('breaks a command between its arguments so that it can be pasted', () => {
  const command = "just compare generator linked-list --node-flag '--a   b' --seed 7";
  const lines = wrapCommand(command, 40, { first: '  ', next: '    ' });
  expect(lines).toEqual([
    '  just compare generator linked-list \\',
    "    --node-flag '--a   b' --seed 7",
  ]);
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(40);
});

test('takes no word apart that has a quote of its own', () => {
  const words = ["'git:it'\\''s a@v1'", "'git:it'\\''s a@v2'"];
  expect(wrapCommand(`just compare ${words.join(' ')}`, 30, { first: '', next: '  ' })).toEqual([
    'just compare \\',
    `  ${words[0]} \\`,
    `  ${words[1]}`,
  ]);
});
