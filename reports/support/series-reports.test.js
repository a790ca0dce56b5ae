/** The series of a run in all three reports. The texts of whole reports are kept in `../golden/`. */

import { describe, expect, test } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { renderHtml } from '../html.js';
import { renderMarkdown } from '../markdown.js';
import { renderTerminal } from '../terminal.js';
import { makeObservations } from './html-fixtures.js';
import { recordedRun } from './recorded-runs.js';

/** @import { RenderInput } from '../types.ts' */

const LEAD = 'faster up to 4 getters read, no difference known at 6, slower from 8 on';
const run = recordedRun('series');
const observations = run.verdict.cells.flatMap(makeObservations);

/**
 * @param {RenderInput} input
 * @returns {Element[]} the figures
 */
function drawFigures(input) {
  const { document } = parseHTML(renderHtml(input));
  return [...document.querySelectorAll('.series figure')];
}

describe('a run with a series', () => {
  test('says where the lead goes in every report', () => {
    expect(renderTerminal(run).replace(/\s+/g, ' ')).toContain(LEAD);
    expect(renderMarkdown(run)).toContain(`${LEAD}.**`);
    const [figure] = drawFigures(run);
    expect(figure?.querySelector('figcaption')?.textContent).toContain(LEAD);
    expect(figure?.querySelector('svg')?.getAttribute('aria-label')).toContain(LEAD);
  });

  test('has a point for each number and side, and a band where the processes are at hand', () => {
    const [bare] = drawFigures(run);
    const [banded] = drawFigures({ ...run, observations });
    const count = (/** @type {Element | undefined} */ figure, /** @type {string} */ marks) =>
      figure?.querySelectorAll(marks).length;
    for (const figure of [bare, banded]) {
      expect(count(figure, '.dot.baseline circle')).toBe(8);
      expect(count(figure, '.dot.candidate path')).toBe(8);
    }
    expect(count(bare, '.band path')).toBe(0);
    expect(count(banded, '.band path')).toBe(2);
    expect(banded?.textContent).toMatch(/95\s% interval of each side/);
  });

  test('has one plot a corpus, and none for cells without a series', () => {
    const other = run.verdict.cells.map((comparison) => ({
      ...comparison,
      cell: { ...comparison.cell, id: `${comparison.cell.id}-adversarial`, corpus: 'adversarial' },
    }));
    const cells = [...run.verdict.cells, ...other];
    expect(drawFigures({ ...run, verdict: { ...run.verdict, cells } })).toHaveLength(2);
    expect(drawFigures(recordedRun('faster'))).toEqual([]);
  });

  test('lets no label act as markup', () => {
    const label = '|<img src=x>`@all';
    const cells = run.verdict.cells.map((comparison) => {
      const { series, ...cell } = comparison.cell;
      return { ...comparison, cell: series ? { ...cell, series: { ...series, label } } : cell };
    });
    const input = { ...run, verdict: { ...run.verdict, cells } };
    expect(parseHTML(renderHtml(input)).document.querySelector('img')).toBeNull();
    const rows = renderMarkdown(input)
      .split('\n')
      .filter((line) => line.includes('img'));
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row).not.toMatch(/(^|[^\\`])<img/);
  });
});
