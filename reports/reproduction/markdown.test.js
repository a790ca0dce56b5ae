import { expect, test } from '@jest/globals';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { renderMarkdown } from './markdown.js';
import { makeClaim, makeHostileReproduction, makeReproduction, tell } from './support/fixtures.js';

/** @param {string} markdown */
function toHtml(markdown) {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

test('begins with a hidden line by which a bot finds its comment, then one sentence', () => {
  const [marker, , sentence] = renderMarkdown({ reproduction: makeReproduction() }).split('\n');
  expect(marker).toBe('<!-- assay:run 20260102-030405-reproduce-TICKET-1 -->');
  expect(sentence).toMatch(/^\*\*5 claims: .*\.\*\*$/);
});

test('is a table a source, with a place a column in every row', () => {
  const html = toHtml(renderMarkdown({ reproduction: makeReproduction() }));
  const tables = html.match(/<table>[^]*?<\/table>/g) ?? [];
  expect(tables).toHaveLength(2);
  for (const table of tables) {
    const counts = (table.match(/<tr>[^]*?<\/tr>/g) ?? []).map(
      (row) => (row.match(/<t[hd]/g) ?? []).length,
    );
    expect(new Set(counts)).toEqual(new Set([8]));
  }
  expect(tables[0]).toMatch(/−50\s% throughput/);
  expect(tables[1]).toMatch(/1\s280 → 72 bytes/);
});

test('plots what was claimed beside what was measured', () => {
  const markdown = renderMarkdown({ reproduction: makeReproduction() });
  const [, plot = ''] = /`deep`.*?`([^`]*[◇◆][^`]*)`/.exec(markdown) ?? [];
  expect(plot).toMatch(/●.*◇/);
});

test('foreign text is neither markup nor a link', () => {
  const html = toHtml(renderMarkdown({ reproduction: makeHostileReproduction() }));
  expect(html).not.toMatch(/<script|<a /);
  expect(html.match(/<table>/g)).toHaveLength(1);
  const [, body = ''] = /<tbody>([^]*?)<\/tbody>/.exec(html) ?? [];
  expect(body.match(/<td/g)).toHaveLength(8);
});

test('stays below 60 000 characters, and says what it gave up', () => {
  const told = Array.from({ length: 320 }, (_, index) =>
    tell(makeClaim(`claim-number-${index}`), { reason: 'it is less here, not more or the same' }),
  );
  const markdown = renderMarkdown({ reproduction: makeReproduction({ told }) });
  expect(markdown.length).toBeLessThan(60_000);
  expect(markdown).toMatch(/TICKET-1 in short/);
  expect(markdown).toContain('claim-number-319');
  expect(markdown).toContain('How to repeat it');
});
