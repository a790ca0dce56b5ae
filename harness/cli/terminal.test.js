import { expect, test } from '@jest/globals';
import { guardSink } from './terminal.js';

/** @param {string} text */
function guard(text) {
  let written = '';
  guardSink({ write: (part) => void (written += part) }).write(text);
  return written;
}

test.each([
  ['lines and tabs', 'a\n\tb\n'],
  ['colours of a report', '\u001b[1mtitle\u001b[0m \u001b[31mbad\u001b[0m'],
  ['a line of progress', '\rserialize flat · block 1 of 6\u001b[K'],
  ['letters of any script', 'Grüße, 直列化 \u{1f680} שלום'],
])('lets %s through', (_, text) => {
  expect(guard(text)).toBe(text);
});

test.each([
  ['a screen that is cleared', '\u001b[2J', '\\u{1b}[2J'],
  ['text that is concealed', '\u001b[8mx', '\\u{1b}[8mx'],
  ['a title', '\u001b]0;owned\u0007', '\\u{1b}]0;owned\\u{07}'],
  [
    'a link',
    '\u001b]8;;http://x.y\u001b\\z\u001b]8;;\u001b\\',
    '\\u{1b}]8;;http://x.y\\u{1b}\\z\\u{1b}]8;;\\u{1b}\\',
  ],
  ['a line that is written over', 'true\rfalse', 'true\\rfalse'],
  ['a backspace', 'true\b\b\b\bfalse', 'true\\u{08}\\u{08}\\u{08}\\u{08}false'],
  ['eight-bit control characters', '\u009b2J\u009d0;x\u009c', '\\u{9b}2J\\u{9d}0;x\\u{9c}'],
  ['overrides of direction', '\u202eabc\u2066', '\\u{202e}abc\\u{2066}'],
  ['zero-width characters', 'a\u200bb', 'a\\u{200b}b'],
  ['lone surrogates', '\ud800', '\\u{d800}'],
])('shows %s', (_, text, shown) => {
  expect(guard(text)).toBe(shown);
});

test('keeps the properties of the terminal', () => {
  const { isTTY, columns } = guardSink({ write: () => true, isTTY: true, columns: 132 });
  expect({ isTTY, columns }).toEqual({ isTTY: true, columns: 132 });
});
