import { parseHTML } from 'linkedom';
import { writeSection } from '../../document/html.js';
import { explainedRun } from '../../fixtures/explained.js';
import { recordedRun } from '../../fixtures/runs.js';
import { describedCells, makeCellsSection } from './cell.js';

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

test('only cells with figures, processes or profiles are described', () => {
  expect([...describedCells(run)]).toEqual([1, 2, 3, 4, 5, 6]);
  const refused = recordedRun('refused');
  expect(describedCells(refused).size).toBe(0);
  expect(makeCellsSection(refused, EVERYTHING).blocks).toEqual([]);
});

describe('a cell that differs', () => {
  const cell = findCell(openPage(run), 1);

  test('has verdict, figures and reasons', () => {
    expect(textOf(cell.querySelector('h3') ?? cell)).toMatch(/^serialize flat ▲ slower/);
    expect(textOf(cell.querySelector('.basis') ?? cell)).toMatch(
      /^35\.2 µs → 86\.0 µs per document · ratio 2\.441 \(2\.310–2\.580\) · control .* · processes per variant: 12$/,
    );
    expect(textOf(cell)).toContain('Object.entries, called on an object in dictionary mode');
  });

  test('shows everything unfolded, its processes first', () => {
    const titles = [...cell.querySelectorAll('figcaption, h4')].map(textOf);
    expect(titles[0]).toMatch(/^Each mark is one process; the line is the trimmed mean: baseline/);
    expect(titles[1]).toMatch(/^The same processes in the order of execution/);
    expect(titles.slice(2, 4)).toEqual(['Where the time went', 'Flamegraph']);
    expect(cell.querySelector('.flame')).not.toBeNull();
  });
});

test('of very many processes only some have a mark, at all heights of the row', () => {
  const { observations = [] } = run;
  const many = Array.from({ length: 400 }, () => observations).flat();
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

test('a cell that does not differ is short, its processes folded', () => {
  const cell = findCell(openPage(run), 4);
  expect(textOf(cell)).toContain('equivalent');
  expect(cell.querySelector('h4')).toBeNull();
  expect(textOf(cell.querySelector('details > summary') ?? cell)).toBe('Processes');
});

test('notes of a cell are linked', () => {
  const link = findCell(openPage(run), 3).querySelector('.basis a');
  expect(link?.getAttribute('href')).toMatch(/^#note-\d+$/);
});

test('a cell measured in other placements says what they gave', () => {
  const page = openPage(recordedRun('placements'));
  expect(textOf(page.body)).toMatch(
    /In other placements of the same code: ratio \S+ \(\S+\) · spread .* placements × processes per arm/,
  );
});

test('a cell without observations says that it has no figures', () => {
  const cells = run.verdict.cells.map((cell) => ({ ...cell, effect: null }));
  const page = openPage({ ...run, verdict: { ...run.verdict, cells } });
  expect(textOf(findCell(page, 1).querySelector('.basis') ?? page.body)).toBe(
    'Nothing was measured.',
  );
});

test('less detail leaves out plots, lines and flamegraphs, in this order', () => {
  const differing = openPage(run, { plots: 'differing', lines: 2 });
  expect(differing.querySelectorAll('#cell-1 figure').length).toBe(2);
  expect(differing.querySelectorAll('#cell-4 figure').length).toBe(0);
  const least = openPage(run, { plots: 'none', lines: 0, nodes: 0, rows: 1 });
  expect(least.querySelector('figure, .flame, table.lines')).toBeNull();
  expect(least.querySelectorAll('#cell-1 table').length).toBeGreaterThan(3);
});
