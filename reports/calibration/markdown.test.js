import { expect, test } from '@jest/globals';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { renderMarkdown } from './markdown.js';
import { makeCalibration, makeHostileCalibration } from './test-support/make-calibration.js';

/** @param {string} markdown */
function toHtml(markdown) {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

test('begins with a hidden line by which a bot finds its comment, then the errors', () => {
  const [marker, , sentence] = renderMarkdown({ calibration: makeCalibration() }).split('\n');
  expect(marker).toBe('<!-- assay:run 20260102-030405-calibrate-generator -->');
  expect(sentence).toMatch(/^\*\*On this host, of 212 A\/A comparisons .*\.\*\*$/);
});

test('has every section in the order of a careful reader, and as many places a row as columns', () => {
  const html = toHtml(renderMarkdown({ calibration: makeCalibration() }));
  const headings = [...html.matchAll(/<(?:h3|summary)>(.*?)<\//g)].map(([, text]) => text);
  expect(headings).toEqual([
    'Errors',
    'Power',
    'Budget',
    'Where the noise comes from',
    'How the costs were verified',
    'Host',
    'How to repeat it',
  ]);
  for (const table of html.match(/<table>[^]*?<\/table>/g) ?? []) {
    const counts = (table.match(/<tr>[^]*?<\/tr>/g) ?? []).map(
      (row) => (row.match(/<t[hd]/g) ?? []).length,
    );
    expect(new Set(counts).size).toBe(1);
  }
});

test('foreign text is neither markup nor a link', () => {
  const html = toHtml(renderMarkdown({ calibration: makeHostileCalibration() }));
  expect(html).not.toMatch(/<script|<a /);
});

test('stays below 60 000 characters and keeps the errors, and says what it gave up', () => {
  const made = makeCalibration();
  const costs = Array.from({ length: 60 }, () => made.costs).flat();
  const markdown = renderMarkdown({ calibration: { ...made, costs } });
  expect(markdown.length).toBeLessThan(60_000);
  expect(markdown).toContain(
    'without How the costs were verified. calibration.json has everything',
  );
  expect(markdown).toContain('### Errors');
});
