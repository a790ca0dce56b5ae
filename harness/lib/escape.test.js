import {
  codeBlock,
  codeSpan,
  escapeJson,
  escapeProse,
  hiddenMarker,
  escapeControl,
  escapeControlDeeply,
} from './escape.js';

describe('escapeControl', () => {
  test.each([
    ['an ANSI sequence', '\u001b[31mred', '\\u{1b}[31mred'],
    ['line ends and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
    ['bidi overrides and isolates', '\u202eabc\u2069', '\\u{202e}abc\\u{2069}'],
    ['zero-width characters', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['eight-bit control characters', '\u009b2J', '\\u{9b}2J'],
    ['separators', '\u2028\u2029', '\\u{2028}\\u{2029}'],
    ['lone surrogates', 'x\ud800', 'x\\u{d800}'],
    ['tag characters', '\u{e0041}', '\\u{e0041}'],
  ])('shows %s', (_, text, shown) => {
    expect(escapeControl(text)).toBe(shown);
  });

  test('keeps letters of any script, emoji and spaces', () => {
    const text = 'Grüße, 直列化 \u{1f680} שלום';
    expect(escapeControl(text)).toBe(text);
  });
});

describe('escapeControlDeeply', () => {
  test('reaches every string and leaves other values as they are', () => {
    const value = { a: ['\u0007', 1, null], 'b\u009b': { c: true, d: '\n' } };
    expect(escapeControlDeeply(value)).toEqual({
      a: ['\\u{07}', 1, null],
      'b\\u{9b}': { c: true, d: '\\n' },
    });
  });

  test('shortens overlong strings', () => {
    expect(escapeControlDeeply('x'.repeat(100_000)).length).toBeLessThan(5000);
  });
});

describe('codeSpan', () => {
  test.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['``x', '``` ``x ```'],
    [' padded ', '`  padded  `'],
    ['a|b', '`a\\u{7c}b`'],
    ['', '(empty)'],
    ['<b>\n', '`<b>\\n`'],
  ])('writes %j as %s', (text, markdown) => {
    expect(codeSpan(text)).toBe(markdown);
  });
});

describe('escapeProse', () => {
  test.each([
    ['*bold* _it_ ~no~', '\\*bold\\* \\_it\\_ \\~no\\~'],
    ['<img> &lt; [x](y) a|b $x$', '\\<img\\> \\&lt; \\[x\\](y) a\\|b \\$x\\$'],
    ['ask @all about #12', 'ask `@all` about `#12`'],
    ['see https://x.y or www.x.y', 'see `https://x.y` or `www.x.y`'],
    ['(restored by 0231603), (#12).', '(restored by `0231603`), (`#12`).'],
    ['commit 0231603 :tada:', 'commit `0231603` `:tada:`'],
    ['- not a list', '\\- not a list'],
    ['12. not a list', '12\\. not a list'],
    ['# not a heading', '`#` not a heading'],
    ['two\nlines', 'two\\\\nlines'],
    ['flat: 3.1 % (of 12), fine', 'flat: 3.1 % (of 12), fine'],
  ])('writes %j as %s', (text, markdown) => {
    expect(escapeProse(text)).toBe(markdown);
  });
});

test('JSON keeps its value and has no invisible characters', () => {
  const value = { 'a\u202e': '\u009b2J \u{e0041} \u2028 \u007f Grüße \u{1f680}', list: [1, null] };
  const json = escapeJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toContain('\\u009b2J \\udb40\\udc41 \\u2028 \\u007f Grüße \u{1f680}');
});

test('a code block has a longer fence than its text', () => {
  expect(codeBlock('a\n````\nb\u001b', 'sh')).toBe('`````sh\na\n````\nb\\u{1b}\n`````');
});

test('a hidden marker cannot be closed by the name in it', () => {
  expect(hiddenMarker('x --><b>')).toBe('<!-- assay:run x_--__b_ -->');
});
