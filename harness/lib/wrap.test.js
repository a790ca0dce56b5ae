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

test('keeps a word that is longer than a line', () => {
  const word = '直'.repeat(9);
  expect(wrapText(`a ${word} b`, 7)).toEqual(['a', word, 'b']);
});

test.each([
  ['what is quoted', "the run in '/tmp/my long runs/first one' was cut off", 25],
  ['a command after a colon', 'it was cut off; go on with: just compare --resume RUN, or not', 25],
  ['a command alone', 'sudo tee /sys/devices/system/cpu/cpufreq/boost', 20],
])('keeps %s on one line', (_what, text, width) => {
  const command = /'.*'|just compare --resume RUN|^sudo.*/.exec(text)?.[0];
  expect(wrapText(text, width).some((line) => line.includes(String(command)))).toBe(true);
  expect(wrapText(text, width).join(' ')).toBe(text);
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

test('keeps an argument that is longer than a line', () => {
  const words = [
    '--op',
    'object-id-get-timestamp,'.repeat(5),
    '--node-flag',
    "'--title=a\u00a0b c'",
  ];
  const lines = wrapCommand(`just compare ${words.join(' ')}`, 40, { first: '', next: '  ' });
  expect(lines).toEqual(['just compare --op \\', `  ${words[1]} \\`, `  --node-flag ${words[3]}`]);
});

test('keeps a word with an unmatched quote', () => {
  const words = ["'git:it'\\''s a@v1'", "'git:it'\\''s a@v2'"];
  expect(wrapCommand(`just compare ${words.join(' ')}`, 30, { first: '', next: '  ' })).toEqual([
    'just compare \\',
    `  ${words[0]} \\`,
    `  ${words[1]}`,
  ]);
});
