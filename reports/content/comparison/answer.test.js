import { displayWidth } from '../../../harness/lib/columns.js';
import { explainedRun } from '../../fixtures/explained.js';
import { listOverflows, renderAnswer, renderTerminal } from '../../fixtures/render.js';
import { RECORDED_RUN_NAMES, recordedRun } from '../../fixtures/runs.js';
import { explainBriefly } from './answer.js';

/** @import { RenderInput } from '../../types.ts' */

const MAX_LINES = 40;
/** @type {[name: string, make: () => RenderInput][]} */
const RUNS = [
  ...RECORDED_RUN_NAMES.map(
    (name) => /** @type {[string, () => RenderInput]} */ ([name, () => recordedRun(name)]),
  ),
  ['explained', explainedRun],
];

/** A usual run of six cells that all differ, with many notes. @type {() => RenderInput} */
function fillScreen() {
  const run = recordedRun('faster');
  const [cell] = explainedRun().verdict.explanation?.cells ?? [];
  const summary = `${cell?.summary}; 145 keys in a hash table, where V8 has no fast path`;
  const cells = run.verdict.cells.map((each) => ({ ...cell, cell: each.cell, summary }));
  const warnings = [5, 6, 7, 8].map((number) => ({
    number,
    kind: 'shared-core',
    text: `The processor ran slower than its undisturbed speed: serialize flat (${number} % of the batches) and 5 other cells. ${'The cause is unknown. '.repeat(9)}`,
  }));
  const question = { ...run.manifest.question, explain: 'differing', placements: 24 };
  return /** @type {RenderInput} */ ({
    ...run,
    manifest: { ...run.manifest, question },
    verdict: { ...run.verdict, warnings, explanation: { cells, warnings: [] } },
  });
}

/** @type {(text: string) => string[]} lines that are not empty */
function linesOf(text) {
  return text.split('\n').filter((line) => line !== '');
}

test.each(RUNS)('the answer of the run %s fits a screen and says nothing twice', (_, make) => {
  const run = make();
  for (const width of [80, 120]) {
    const text = renderAnswer(run, { width });
    expect(listOverflows(text, width)).toEqual([]);
    const lines = linesOf(text).filter((line) => !line.startsWith(' '));
    expect(lines).toEqual([...new Set(lines)]);
  }
  const isUsual = run.verdict.cells.length <= 6 && run.verdict.memory === undefined;
  const height = renderAnswer(run).split('\n').length - 1;
  if (isUsual) expect(height).toBeLessThanOrEqual(MAX_LINES);
});

test('six cells that all differ, with an explanation of two lines each and many notes, fit a screen', () => {
  const text = renderAnswer(fillScreen());
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(MAX_LINES);
  expect(text).toMatch(/^! 2 more notes in the whole report \(--full\)$/m);
  expect(Math.max(...linesOf(text).map(displayWidth))).toBeLessThanOrEqual(80);
});

/** A figure with its sign and its unit. */
const FIGURE = /[−+×~]?\d[\d.,]*(?:[  ](?:%|ns|µs|ms|s|B|KiB|MiB))?/g;

test.each(RUNS)('every figure of the answer of the run %s is in the whole report', (_, make) => {
  const run = make();
  const wide = { width: 10_000 };
  const whole = renderTerminal(run, wide);
  const figures = renderAnswer(run, wide).match(FIGURE) ?? [];
  expect(figures.filter((figure) => !whole.includes(figure.replace(/[.,]$/, '')))).toEqual([]);
});

describe('the answer has what a reader asks', () => {
  const text = renderAnswer({ ...explainedRun(), runPath: 'reports/runs/r' }).replaceAll(
    /\s+/g,
    ' ',
  );

  test.each([
    ['which is faster', 'linked-list is slower than generator on 1 of 6 cells, faster on 1'],
    ['by how much', 'serialize flat 35.2 µs 86.0 µs ▲ 2.441'],
    ['how sure that is', '2.310–2.580'],
    ['why', 'serialize flat +50.7 µs: Object.entries +27.4 µs'],
    ['whether it is correct', '✓ Same output as npm:bson@7.3.1 for every document'],
    ['whether memory is affected', 'Memory is smaller in 6 of 6 figures'],
    ['what disturbed it', '! serialize full: the baseline differs from itself by +4.7 %'],
    ['how to repeat it', 'Repeat just compare generator linked-list --seed 20250612'],
    ['what was not measured', 'other placements of the code (--placements)'],
    ['what to do next', 'Continue just compare --resume reports/runs/r Open just open'],
  ])('%s', (_, words) => {
    expect(text).toContain(words);
  });
});

test('a cell that does not differ has no explanation', () => {
  const [cell] = explainedRun().verdict.explanation?.cells ?? [];
  expect(explainBriefly(cell)).toMatch(/^\+50\.7\u00a0µs: /);
  expect(explainBriefly({})).toBeNull();
});
