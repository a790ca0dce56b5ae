import { parseHTML } from 'linkedom';
import { writeSection } from '../../document/html.js';
import { explainedRun } from '../../fixtures/explained.js';
import { makeCellsSection } from './cell.js';

/** @import { CellComparison } from '../../../harness/formats/types.ts' */
/** @import { RenderInput } from '../../types.ts' */
/** @import { Detail } from './cell.js' */

/** @type {Detail} */
const EVERYTHING = { rows: 12, lines: 25, plots: 'all', nodes: 200 };
const run = explainedRun();

/** @param {RenderInput} input @param {Partial<Detail>} [detail] */
function openPage(input, detail) {
  const section = makeCellsSection(input, { ...EVERYTHING, ...detail });
  const html = `<html><body>${String(writeSection(section) ?? '')}</body></html>`;
  return parseHTML(html).document;
}

/** @type {(document: Document, number: number) => Element} */
function findCell(document, number) {
  const cell = document.querySelector(`#cell-${number}`);
  if (cell === null) throw new Error(`no cell ${number}`);
  return cell;
}

/** @param {Element} element */
function textOf(element) {
  return element.textContent?.replaceAll('\u00a0', ' ') ?? '';
}

test('of very many processes only some have a mark, at all heights of the row', () => {
  const { observations = [] } = run;
  const many = Array.from({ length: 100 }, () => observations).flat();
  const cell = findCell(openPage({ ...run, observations: many }), 1);
  const [distribution] = cell.querySelectorAll('figure');
  expect(textOf(distribution)).toMatch(/Each mark is one of \d{4,} processes; the line/);
  const marks = [...distribution.querySelectorAll('.dot path, .dot circle')];
  expect(marks.length).toBeGreaterThan(900);
  expect(marks.length).toBeLessThan(1_100);
  const heights = [...distribution.querySelectorAll('.dot.candidate path')].map((mark) =>
    Number(/,([\d.]+)\)/.exec(mark.getAttribute('transform') ?? '')?.[1]),
  );
  expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(30);
});

test('a cell without a ratio says which figures it has', () => {
  /** @param {Partial<CellComparison>} changes */
  const tell = (changes) => {
    const cells = run.verdict.cells.map((cell) => ({ ...cell, effect: null, ...changes }));
    const page = openPage({ ...run, verdict: { ...run.verdict, cells } });
    return textOf(findCell(page, 1).querySelector('.basis') ?? page.body);
  };
  const none = { baseline: 0, candidate: 0, control: 0 };
  expect(tell({ processes: none, figures: none })).toBe('Nothing was measured.');
  expect(tell({})).toMatch(/^35\.2 µs → .* · no ratio: too few figures · control /);
});

test('less detail leaves out plots, lines and flamegraphs, in this order', () => {
  const differing = openPage(run, { plots: 'differing', lines: 2 });
  expect(differing.querySelectorAll('#cell-1 figure').length).toBe(2);
  expect(differing.querySelectorAll('#cell-4 figure').length).toBe(0);
  const least = openPage(run, { plots: 'none', lines: 0, nodes: 0, rows: 1 });
  expect(least.querySelector('figure, .flame, table.lines')).toBeNull();
  expect(least.querySelectorAll('#cell-1 table').length).toBeGreaterThan(3);
});
