import { expect, test } from '@jest/globals';
import { PROJECT } from '../../../lib/project.js';
import { inlinePage, sealPage } from './pages.js';

/** @param {string} source of a script beside a page */
function inlineScript(source) {
  const html = '<script src="a.js" type="text/javascript"></script>';
  return inlinePage(html, () => source);
}

test('style sheets and scripts are embedded', () => {
  const html =
    '<link href="a.css" rel="stylesheet" /><p>text</p>' +
    '<script src="b.js" type="text/javascript"></script>';
  expect(inlinePage(html, (name) => `/* ${name} */`)).toBe(
    '<style>/* a.css */</style><p>text</p><script>/* b.js */</script>',
  );
});

test.each(['</script>', '<SCRIPT', '<!--'])(
  '%s in a script neither ends nor hides it',
  (markup) => {
    const page = inlineScript(`text = "${markup}";`);
    expect(page.match(/<[/!s]/gi)).toEqual(['<s', '</']);
    const [, program] = /** @type {RegExpExecArray} */ (/<script>(.*)<\/script>/.exec(page));
    expect(new Function(`let text; ${program} return text;`)()).toBe(markup);
  },
);

test('dollar signs in a script are kept', () => {
  expect(inlineScript("'$&$1'")).toBe("<script>'$&$1'</script>");
});

test('nothing is loaded from the network', () => {
  const sealed = sealPage(
    '<html><head><title>a</title></head><script>load("https://example.org/fonts.css")</script>',
  );
  expect(sealed).toContain('<head><meta http-equiv="Content-Security-Policy" content="default-src');
  expect(sealed).toContain('load("data:text/css,")');
});

test('links are kept', () => {
  const link = '<a href="https://example.org/guide">guide</a>';
  expect(sealPage(`<head></head>${link}`)).toContain(link);
});

test('paths are relative to the checkout', () => {
  const { projectPath } = PROJECT;
  expect(sealPage(`run file://${projectPath}/a.js:1:2, ${projectPath}/b.js:3`)).toBe(
    'run a.js:1:2, b.js:3',
  );
});
