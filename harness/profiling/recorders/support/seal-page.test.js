import { expect, test } from '@jest/globals';
import { PROJECT } from '../../../lib/project.js';
import { sealPage } from './seal-page.js';

test('nothing is loaded from elsewhere', () => {
  const sealed = sealPage(
    '<html><head><title>a</title></head><script>load("https://example.org/fonts.css")</script>',
  );
  expect(sealed).toContain('<head><meta http-equiv="Content-Security-Policy" content="default-src');
  expect(sealed).toContain('load("data:text/css,")');
});

test('a link that a reader may follow stays', () => {
  const link = '<a href="https://example.org/guide">guide</a>';
  expect(sealPage(`<head></head>${link}`)).toContain(link);
});

test('files are named from the top of the checkout', () => {
  const { projectPath } = PROJECT;
  expect(sealPage(`run file://${projectPath}/a.js:1:2, ${projectPath}/b.js:3`)).toBe(
    'run a.js:1:2, b.js:3',
  );
});
