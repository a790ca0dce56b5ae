import { expect, test } from '@jest/globals';
import { inlinePage } from './inline-page.js';

/** @param {string} source of a script beside a page */
function inlineScript(source) {
  const html = '<script src="a.js" type="text/javascript"></script>';
  return inlinePage(html, () => source);
}

test('style sheets and scripts are put where the page refers to them', () => {
  const html =
    '<link href="a.css" rel="stylesheet" /><p>text</p>' +
    '<script src="b.js" type="text/javascript"></script>';
  expect(inlinePage(html, (name) => `/* ${name} */`)).toBe(
    '<style>/* a.css */</style><p>text</p><script>/* b.js */</script>',
  );
});

test.each(['</script>', '<SCRIPT', '<!--'])('%s in a script does not end or hide it', (markup) => {
  const page = inlineScript(`text = "${markup}";`);
  expect(page.match(/<[/!s]/gi)).toEqual(['<s', '</']);
  const [, program] = /** @type {RegExpExecArray} */ (/<script>(.*)<\/script>/.exec(page));
  expect(new Function(`let text; ${program} return text;`)()).toBe(markup);
});

test('dollar signs of a script stay what they are', () => {
  expect(inlineScript("'$&$1'")).toBe("<script>'$&$1'</script>");
});
