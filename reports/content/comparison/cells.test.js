import { parseHTML } from 'linkedom';
import { displayWidth } from '../../../harness/lib/columns.js';
import { plainText } from '../../document/inline.js';
import { renderHtml, renderMarkdown, renderTerminal } from '../../fixtures/render.js';
import { makeCell, makeEmptyCell, makeManifest, makeVerdict } from '../../fixtures/build.js';
import { recordedRun } from '../../fixtures/runs.js';
import { makeMeansSection } from './means.js';
import { hasRatios, processesLabel, verdictLabel } from './words.js';

const base = makeCell({
  operation: 'serialize',
  corpus: 'flat',
  verdict: 'faster',
  ratio: [0.8, 0.9, 0.95],
});

/** @param {string} text */
function collapse(text) {
  return text.replaceAll(/\s+/g, ' ');
}

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

  test('count processes once where the control is half of the baseline, thrice where not', () => {
    expect(processesLabel(base)).toBe('12');
    const uneven = { baseline: 24, candidate: 24, control: 23 };
    expect(processesLabel({ ...base, processes: uneven })).toBe('24/24/23');
    expect(processesLabel(makeEmptyCell('serialize', 'flat', 'refused'))).toBe('–');
  });

  test('say how many processes would settle an inconclusive cell, where that is known', () => {
    const open = { ...base, verdict: /** @type {const} */ ('inconclusive') };
    expect(processesLabel({ ...open, processesNeeded: 40.2 })).toBe('12 of ~41');
    expect(processesLabel(open)).toBe('12 of ?');
  });
});

describe('the table of times', () => {
  test('has the same columns in Markdown and on a page, verdict and ratio first', () => {
    const run = recordedRun('mixed');
    const [header = ''] = renderMarkdown(run).match(/^\| operation \| corpus \|.*$/m) ?? [];
    const titles = header.slice(2, -2).split(' | ');
    expect(titles.toSpliced(5, 1)).toEqual(
      `operation,corpus,verdict,ratio,95\u00a0% interval,baseline,candidate,control,detects,processes,notes`.split(
        ',',
      ),
    );
    const { document } = parseHTML(renderHtml(run));
    const headers = [...document.querySelectorAll('table.cells thead th')];
    expect(headers.map(({ textContent }) => textContent).toSpliced(5, 1)).toEqual(
      titles.toSpliced(5, 1),
    );
  });

  test('links a cell to its section', () => {
    const { document } = parseHTML(renderHtml(recordedRun('mixed')));
    const link = document.querySelector('table.cells tbody tr a');
    expect(document.querySelector(link?.getAttribute('href') ?? 'none')).not.toBeNull();
  });

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
    const rows = text.split('\n').filter((line) => line.startsWith(' best'));
    expect(rows.filter((line) => line.includes(' 22.11.0 ')).length).toBeGreaterThanOrEqual(8);
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
  });
});

describe('a run of cold calls', () => {
  /** @type {[number, boolean][]} */
  const figures = [
    [1, true],
    [1, false],
    [10, false],
  ];
  const cells = ['node@20.1.0', 'node@22.11.0'].flatMap((runtime) =>
    figures.map(([calls, withLoad], index) => {
      const place = { operation: 'serialize', corpus: 'flat', runtime };
      const comparison = makeCell({
        ...place,
        verdict: 'faster',
        ratio: [0.4, 0.5 + index / 10, 0.9],
      });
      const cold = { calls, withLoad };
      return { ...comparison, cell: { ...comparison.cell, id: `${runtime} ${index}`, cold } };
    }),
  );
  const summaries = figures.map(([calls, withLoad], index) => ({
    operation: 'serialize',
    cold: { calls, withLoad },
    cellCount: 2,
    ratio: { estimate: 0.5 + index / 10, low: 0.4, high: 0.9 },
  }));
  const run = {
    manifest: makeManifest({ cells: cells.map(({ cell }) => cell) }),
    verdict: makeVerdict(cells, { summaries }),
  };

  test('names the calls of each cell, of each mean and under each runtime', () => {
    const text = renderMarkdown(run);
    expect(text).toContain('Total time of the first calls of a process');
    expect(text).not.toContain('Time per document');
    for (const [index, calls] of ['start', '1', '10'].entries()) {
      const ratio = `0\\.${5 + index}00`;
      expect(text).toMatch(
        new RegExp(`\\| .flat. \\| ${calls} \\| Node 22\\.11\\.0 \\| .* ${ratio} `),
      );
      expect(text).toMatch(new RegExp(`^\\| .serialize. \\| ${calls} \\| .* ${ratio} `, 'm'));
      expect(text).toMatch(new RegExp(`\\| .flat. \\| ${calls} \\| ${ratio} .* ${ratio} `));
    }
  });

  test('says so in its first sentence, which has no mean over them', () => {
    expect(renderTerminal(run)).toMatch(/^First calls of new processes, Node .*: linked-list is/m);
    expect(renderTerminal(run)).not.toContain('throughput ×');
  });

  test('fits a terminal', () => {
    const widths = renderTerminal(run).split('\n').map(displayWidth);
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
  });
});

describe('geometric means', () => {
  test('are given for each runtime', () => {
    const { manifest, verdict } = recordedRun('runtimes');
    expect(renderTerminal({ manifest, verdict })).toMatch(/^serialize +Node 24\.1\.0 +0\.690 /m);
    expect(renderHtml({ manifest, verdict })).toContain(
      '<code>deserialize</code></th><td class="wraps">Node 24.1.0</td><td class="figure">0.990</td>',
    );
  });

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
  const run = recordedRun('merged');

  test.each([renderTerminal, renderMarkdown, renderHtml])(
    'has warnings by its tables: %p',
    (render) => {
      const text = collapse(render(run)).replaceAll(/<[^>]+>|`/g, '');
      expect(text).toContain(
        'The cells were measured on 2 kinds of machine. Each ratio comes from one machine; times from different parts cannot be compared.',
      );
      expect(text).toContain(
        'The means of serialize, deserialize combine cells from several kinds of machine.',
      );
    },
  );

  test('names the part of every cell', () => {
    const rows = renderMarkdown(run).match(/^\| `\w+` \| `\w+` \| .*$/gm) ?? [];
    expect(rows.map((row) => row.split(' | ')[2])).toEqual(['1', '2', '3', '1', '2', '3']);
  });

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
  const parts = (run.manifest.parts ?? []).map((part, index) => ({
    ...part,
    environment: { ...run.manifest.environment, loadAverage: index, runnableProcesses: index },
  }));
  const manifest = { ...run.manifest, parts };
  expect(renderMarkdown({ ...run, manifest })).not.toMatch(/kinds of machine\.|\| part \|/);
});
