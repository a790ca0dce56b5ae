import { displayWidth } from '../../../harness/lib/columns.js';
import { plainText } from '../../document/inline.js';
import { renderHtml, renderMarkdown, renderTerminal } from '../../fixtures/render.js';
import { makeCell, makeEmptyCell, makeVerdict } from '../../fixtures/build.js';
import { recordedRun } from '../../fixtures/runs.js';
import { makeMeansSection } from './means.js';
import { processesLabel } from './counts.js';
import { hasRatios, verdictLabel } from './words.js';

const base = makeCell({
  operation: 'serialize',
  corpus: 'flat',
  verdict: 'faster',
  ratio: [0.8, 0.9, 0.95],
});

describe('words of a cell', () => {
  test('say whether a verdict is strong, from screen mode, or without data', () => {
    expect(verdictLabel({ ...base, strong: true }, 'default')).toBe('faster, strong');
    expect(verdictLabel(base, 'screen')).toBe('screen: faster');
    const empty = makeEmptyCell('serialize', 'flat', 'inconclusive');
    expect(verdictLabel(empty, 'default')).toBe('inconclusive, no data');
    expect([hasRatios(makeVerdict([base])), hasRatios(makeVerdict([empty]))]).toEqual([
      true,
      false,
    ]);
  });

  test('count processes once where both variants have as many, twice where not', () => {
    expect(processesLabel(base)).toBe('12');
    const uneven = { baseline: 24, candidate: 24, control: 23 };
    expect(processesLabel({ ...base, processes: uneven })).toBe('47/24');
    expect(processesLabel(makeEmptyCell('serialize', 'flat', 'refused'))).toBe('–');
  });

  test('say how many processes would settle an inconclusive cell, where that is known', () => {
    const open = { ...base, verdict: /** @type {const} */ ('inconclusive') };
    expect(processesLabel({ ...open, processesNeeded: 40.2 })).toBe('12 of ~41');
    expect(processesLabel(open)).toBe('12 of ?');
  });
});

describe('the table of times', () => {
  test('lists the operations of a series under one heading, by their number', () => {
    const run = recordedRun('series');
    const cells = run.verdict.cells.toReversed();
    const text = renderTerminal({ ...run, verdict: { ...run.verdict, cells } });
    const start = text.indexOf('getters read: construct-getters-0 … construct-getters-10\n');
    const rows = text.slice(start).split('\n').slice(1, 9);
    expect(rows.map((row) => Number(row.slice(0, 4)))).toEqual([0, 1, 2, 3, 4, 6, 8, 10]);
  });

  test('has the runtime beside the corpus, readable where names are long', () => {
    const run = recordedRun('runtimes');
    expect(renderMarkdown(run)).toMatch(/\| `flat` \| Node 22\.11\.0 \|.* 33\.1 µs \|/);
    const cells = run.verdict.cells.map((comparison) => ({
      ...comparison,
      cell: { ...comparison.cell, corpus: 'bestbuy-products-large@deserialized' },
    }));
    const text = renderTerminal({ ...run, verdict: { ...run.verdict, cells } });
    const lines = text.split('\n');
    const rows = lines.filter((_, index) => lines[index - 1] === ` ${cells[0]?.cell.corpus}`);
    expect(rows.filter((line) => /^ +Node 22\.11\.0 /.test(line)).length).toBeGreaterThanOrEqual(8);
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
  });
});

describe('geometric means', () => {
  test('are left out where each is of one cell, which the table of times has', () => {
    const run = recordedRun('faster');
    const summaries = run.verdict.summaries.map((mean) => ({ ...mean, cellCount: 1 }));
    const single = { ...run, verdict: { ...run.verdict, summaries } };
    for (const render of [renderTerminal, renderMarkdown, renderHtml]) {
      expect(render(run)).toContain('Geometric means');
      expect(render(single)).not.toContain('Geometric means');
    }
  });
});

describe('a merged run from several kinds of machine', () => {
  test('has no remark on a mean whose cells are all of one host', () => {
    const { manifest, verdict } = recordedRun('merged');
    const cells = verdict.cells.map((comparison) =>
      comparison.cell.id === 'serialize full' ? { ...comparison, effect: null } : comparison,
    );
    const [table] = makeMeansSection(manifest, { ...verdict, cells }).blocks;
    expect(plainText((table?.kind === 'table' && table.legend) || '')).toBe(
      'The means of deserialize combine cells from several kinds of machine.',
    );
  });
});

test('a merged run from hosts that are alike has neither remark nor column: load makes no host', () => {
  const run = recordedRun('merged');
  const parts = (run.verdict.parts ?? []).map((part, index) => ({
    ...part,
    environment: { ...run.manifest.environment, loadAverage: index, runnableProcesses: index },
  }));
  const verdict = { ...run.verdict, parts };
  expect(renderMarkdown({ ...run, verdict })).not.toMatch(/kinds of machine\.|\| part \|/);
});
