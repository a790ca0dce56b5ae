import { codeLines, codeName, joinBlocks, markup, NOTHING, scriptJson } from './markup.js';

describe('a template', () => {
  test('escapes text, between tags and in attributes', () => {
    expect(markup`<a title="${'"x" & \'y\''}">${'<b>'}</a>`.text).toBe(
      '<a title="&quot;x&quot; &amp; &#39;y&#39;">&lt;b&gt;</a>',
    );
  });

  test('takes markup, lists and figures as they are, and null for nothing', () => {
    expect(markup`${markup`<i>${1}</i>`}${null}${[markup`<b>`, '<']}`.text).toBe('<i>1</i><b>&lt;');
  });

  test('shows invisible characters as escapes', () => {
    expect(markup`${'a\u202eb\n'}`.text).toBe('a\\u{202e}b\\n');
  });
});

test('blocks are on separate lines, empty ones leave no line', () => {
  expect(joinBlocks([markup`<p>`, null, NOTHING, 'x']).text).toBe('<p>\nx');
});

test('a name may be broken where it has a joint, and is never invisible', () => {
  expect(codeName('flat@deserialized').text).toBe('<code>flat@<wbr>deserialized</code>');
  expect(codeName(' ').text).toBe('<code>(empty)</code>');
});

test('lines of code stay lines', () => {
  expect(codeLines('a <b>\n\u001b').text).toContain('a &lt;b&gt;\n\\u{1b}</code>');
});

test('JSON cannot end its script element, and parses to the same value', () => {
  const value = { text: '</script><!-- \u2028 & ü' };
  const { text } = scriptJson(value);
  expect(text).not.toMatch(/[<>&\u2028]/);
  expect(JSON.parse(text)).toEqual(value);
});
