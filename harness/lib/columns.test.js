import {
  displayWidth,
  padToWidth,
  shortenEnd,
  shortenMiddle,
  takeColumns,
  wrapCommand,
  wrapText,
} from './columns.js';

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

test.each([
  ['one wide document: 145 keys', 27, 'one wide document: 145 keys'],
  ['one wide document: 145 keys', 22, 'one wide document…'],
  ['one wide document: 145 keys', 18, 'one wide document…'],
  ['one wide document: 145 keys', 17, 'one wide…'],
  ['unbreakable', 6, 'unbre…'],
  ['直列化器の変種', 7, '直列化…'],
])('shortens %p at the end of a word, to %i columns', (text, width, short) => {
  expect(shortenEnd(text, width)).toBe(short);
});

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
  ['what is quoted', "the run in '/tmp/my long runs/first one' was stopped", 25],
  [
    'a command after a colon',
    'it was interrupted; resume with: just compare --resume RUN, or not',
    25,
  ],
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
