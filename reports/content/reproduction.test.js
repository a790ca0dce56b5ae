import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { renderHtml } from '../document/html.js';
import { renderMarkdown } from '../document/markdown.js';
import { renderTerminal } from '../document/terminal.js';
import { describeReproduction } from './reproduction.js';
import { makeClaim, makeReproduction, tell } from './test-support/make-reproduction.js';

/** @param {string} markdown */
function toHtml(markdown) {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

test('begins with a hidden line by which a bot finds its comment, then one sentence', () => {
  const [marker, , sentence] = renderMarkdown(describeReproduction(makeReproduction())).split('\n');
  expect(marker).toBe('<!-- assay:run 20260102-030405-reproduce-TICKET-1 -->');
  expect(sentence).toMatch(/^\*\*6 claims: .*\.\*\*$/);
});

test('is a table a source, with a place a column in every row', () => {
  const html = toHtml(renderMarkdown(describeReproduction(makeReproduction())));
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
  const markdown = renderMarkdown(describeReproduction(makeReproduction()));
  const [, plot = ''] = /`deep`.*?`([^`]*[◇◆][^`]*)`/.exec(markdown) ?? [];
  expect(plot).toMatch(/●.*◇/);
});

test('stays below 60 000 characters, and says what it gave up', () => {
  const judged = Array.from({ length: 320 }, (_, index) =>
    tell(makeClaim(`claim-number-${index}`), { reason: 'it is less here, not more or the same' }),
  );
  const markdown = renderMarkdown(describeReproduction(makeReproduction({ judged })));
  expect(markdown.length).toBeLessThan(60_000);
  expect(markdown).toMatch(/ticket-1.* in short/);
  expect(markdown).toContain('claim-number-319');
  expect(markdown).toContain('### Repeat');
});

test('counts the verdicts and has claimed and measured side by side in a terminal', () => {
  const text = renderTerminal(describeReproduction(makeReproduction(), 'runs/x'));
  expect(text).toMatch(/^6 claims: 1 reproduced, 1 size open, 1 direction only, 1 not\s/);
  expect(text).toMatch(/flat +reproduced +2\.000 +2\.100 +1\.900–2\.300/);
  expect(text).toMatch(/wide +size open +2\.000 +2\.200 +1\.500–3\.200/);
  expect(text).toMatch(/deep: less of it/);
  expect(text).toMatch(/deep \* +direction only +2\.000/);
  expect(text).toMatch(/\* deep: the source contradicts itself: one figure is not the other/);
  expect(text).toMatch(/suite +cannot run here +– +– +–/);
  expect(text).toMatch(/Reports +runs\/x/);
});

test.each([
  [null, 'To start again: just reproduce TICKET-1 --seed 7'],
  ['just reproduce --resume x', 'To measure them: just reproduce --resume x'],
])('an interrupted one says how to continue: %s', (resume, remedy) => {
  const made = describeReproduction(makeReproduction({ ended: 'interrupted' }), 'x', resume);
  expect(renderTerminal(made).replaceAll(/\s+/g, ' ')).toContain(
    `Interrupted: some claims were not measured. ${remedy}`,
  );
});

test('draws claimed and measured on one axis of the page, and says both for those who do not see', () => {
  const page = renderHtml(describeReproduction(makeReproduction()));
  const plots = page.match(/<svg[^>]*aria-label="[^"]*"/g) ?? [];
  const labels = plots.map((plot) => /aria-label="([^"]*)"/.exec(plot)?.[1]);
  expect(labels).toContain('claimed 2.000; ratio 2.100, interval 1.900–2.300');
  expect(labels).toContain('ratio 1.010, interval 0.900–1.130');
  expect(page).toMatch(/class="band expected"/);
  expect(page).toMatch(/class="claimed"/);
  expect(page).toMatch(/<span class="badge bad">/);
  expect(page).toMatch(/<code>deep<\/code> \*/);
});
