/** The Markdown report as a reader of a pull request gets it: through a renderer of GitHub's Markdown. */

import { parseHTML } from 'linkedom';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describeMore, isLong } from '../harness/testing/support/gates.js';
import { renderMarkdown } from './fixtures/render.js';
import { hostileRefusal, hostileRun } from './fixtures/hostile.js';
import { explainedRun } from './fixtures/explained.js';
import { makeMemoryReport } from './fixtures/memory.js';
import { RECORDED_RUN_NAMES, recordedRun } from './fixtures/runs.js';

/** @import { RenderInput } from './types.ts' */

/** What a report may consist of. */
const ELEMENTS =
  'BR CODE DETAILS EM H3 LI OL P PRE STRONG SUMMARY TABLE TBODY TD TH THEAD TR UL'.split(' ');
/** What GitHub makes links of in text that is not code. */
const LINKED = /@\w|#\d|\bGH-\d|:\/\/|www\.|\b[0-9a-f]{7,40}\b|:[a-z]+:/i;

/** @type {(run: RenderInput) => Element} with the report as its content */
function renderToDocument(run) {
  const html = micromark(renderMarkdown(run), {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  return parseHTML(`<!doctype html><html><body>${html}</body></html>`).document.body;
}

/** @type {[string, RenderInput][]} */
const RUNS = [
  ...RECORDED_RUN_NAMES.filter((_, index) => isLong || index % 4 === 0).map(
    (name) => /** @type {[string, RenderInput]} */ ([name, recordedRun(name)]),
  ),
  ['with an explanation', explainedRun()],
  ['with memory', makeMemoryReport()],
  ['with hostile names', hostileRun()],
  ['that was refused, with hostile names', hostileRefusal()],
];

describeMore.each(RUNS)('the report of a run: %s', (_, run) => {
  const body = renderToDocument(run);

  test('consists of text, tables, code and folded sections alone', () => {
    const names = [...body.querySelectorAll('*')].map(({ tagName }) => tagName);
    expect([...new Set(names)].filter((name) => !ELEMENTS.includes(name))).toEqual([]);
    const marked = [...body.querySelectorAll('*')].flatMap(({ attributes }) =>
      [...attributes].map(({ name }) => name),
    );
    expect(marked.filter((name) => !/^(align|class|open|start)$/.test(name))).toEqual([]);
  });

  test('has as many entries in every row of a table as it has columns', () => {
    const tables = [...body.querySelectorAll('table')];
    expect(tables.length).toBeGreaterThan(1);
    for (const table of tables) {
      const counts = [...table.querySelectorAll('tr')].map(
        (row) => row.querySelectorAll('td, th').length,
      );
      expect(new Set(counts).size).toBe(1);
    }
  });

  test('closes what it folds, each under a title', () => {
    const markdown = renderMarkdown(run);
    const opened = markdown.match(/^<details( open)?>$/gm) ?? [];
    expect(opened.length).toBeGreaterThan(1);
    expect(markdown.match(/^<\/details>$/gm)).toHaveLength(opened.length);
    const folded = [...body.querySelectorAll('details')];
    expect(folded).toHaveLength(opened.length);
    for (const details of folded) expect(details.firstElementChild?.tagName).toBe('SUMMARY');
  });

  test('has neither mentions nor links', () => {
    for (const code of body.querySelectorAll('code, pre')) code.remove();
    expect(body.textContent).not.toMatch(LINKED);
  });
});

test('verdict, table, reasons, warnings and command are there without unfolding anything, on 25 lines', () => {
  const run = explainedRun();
  const cells = run.verdict.cells.map(({ cell }) => ({
    ...run.verdict.explanation?.cells[0],
    ...{ cell, summary: '+20.6 µs: Object.entries +21.0 µs' },
  }));
  const verdict = { ...run.verdict, explanation: { cells, warnings: [] } };
  const body = renderToDocument(/** @type {RenderInput} */ ({ ...run, verdict }));
  for (const details of body.querySelectorAll('details')) details.replaceWith('Full report');
  expect(body.querySelector('p')?.textContent).toContain('linked-list is slower than generator');
  expect(body.querySelectorAll('table tr').length).toBe(7);
  expect(body.querySelectorAll('table th').length).toBe(6);
  const reasons = [...body.querySelectorAll('li')].map(({ textContent }) => textContent ?? '');
  expect(reasons.filter((text) => text.includes('Object.entries'))).toHaveLength(6);
  expect(body.textContent).toContain('! The time budget ran out');
  expect(body.querySelector('pre')?.textContent).toContain('just compare generator linked-list');
  const lines = body.textContent?.split('\n').filter((line) => line.trim() !== '') ?? [];
  const rows = body.querySelectorAll('table tr').length;
  const cellLines = body.querySelectorAll('table :is(td, th)').length;
  expect(lines.length - cellLines + rows).toBeLessThanOrEqual(25);
});

test.each([hostileRun, hostileRefusal])('names without end fit in a comment: %p', (makeRun) => {
  expect(renderMarkdown(makeRun('x'.repeat(5000))).length).toBeLessThan(60_000);
});
