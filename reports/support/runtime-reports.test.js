import { describe, expect, test } from '@jest/globals';
import { renderHtml } from '../html.js';
import { renderMarkdown } from '../markdown.js';
import { renderTerminal } from '../terminal.js';
import { displayWidth } from '../../harness/lib/display-width.js';
import { recordedRun } from './recorded-runs.js';

/** @returns {ReturnType<typeof recordedRun>} the run under three versions, and under a fourth */
function runOfFourVersions() {
  const run = recordedRun('runtimes');
  const added = run.verdict.cells
    .filter(({ cell }) => cell.node === '24.1.0')
    .map((comparison) => ({ ...comparison, cell: { ...comparison.cell, node: '26.0.0' } }));
  return { ...run, verdict: { ...run.verdict, cells: [...run.verdict.cells, ...added] } };
}

describe('a run under several versions of Node', () => {
  test('shows ratio and interval of three versions within 80 columns of a terminal', () => {
    const text = renderTerminal(recordedRun('runtimes'));
    expect(text).toContain(
      ' flat  ▼ 0.420 0.405–0.435  ▼ 0.550 0.531–0.569  ▼ 0.680 0.656–0.704\n',
    );
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
  });

  test('leaves the intervals of a fourth version to the other table', () => {
    const text = renderTerminal(runOfFourVersions());
    expect(text).toContain(' flat  ▼ 0.420  ▼ 0.550  ▼ 0.680  ▼ 0.680\n');
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
  });

  test('keeps the version readable where names are long', () => {
    const run = recordedRun('runtimes');
    const cells = run.verdict.cells.map((comparison) => ({
      ...comparison,
      cell: { ...comparison.cell, corpus: 'bestbuy-products-large@deserialized' },
    }));
    const text = renderTerminal({ ...run, verdict: { ...run.verdict, cells } });
    const rows = text.split('\n').filter((line) => line.startsWith(' best'));
    expect(rows.filter((line) => line.includes(' 22.11.0 ')).length).toBe(8);
  });

  test('says which versions in its first sentence', () => {
    expect(renderTerminal(recordedRun('runtimes'))).toMatch(
      /^Node 20\.20\.2, 22\.11\.0, 24\.1\.0: linked-list is faster than generator/,
    );
  });

  test('has a geometric mean a version, in the first sentence too where there are few', () => {
    const { manifest, verdict } = recordedRun('runtimes');
    const summaries = verdict.summaries.filter(({ operation }) => operation === 'serialize');
    const text = renderTerminal({ manifest, verdict: { ...verdict, summaries } });
    expect(text.slice(0, text.indexOf('\n\n')).replaceAll('\n', ' ')).toContain(
      ': serialize under Node 20.20.2 ×0.430 time (−57 %, throughput ×2.33), serialize under Node 22.11.0 ×0.560',
    );
    expect(text).toMatch(/^ geomean 24\.1\.0 +0\.690 /m);
    expect(renderHtml({ manifest, verdict })).toContain(
      '<tr><th scope="row"><code>deserialize</code></th><td>24.1.0</td><td class="figure">2</td>',
    );
  });

  test('says of which version the only mean is', () => {
    const { manifest, verdict } = recordedRun('runtimes');
    const text = renderTerminal({
      manifest,
      verdict: { ...verdict, summaries: verdict.summaries.slice(0, 1) },
    });
    expect(text.slice(0, text.indexOf('\n\n')).replaceAll('\n', ' ')).toContain(
      ': serialize under Node 20.20.2 ×0.430 time',
    );
  });

  test('gives the version a column of its own in the tables of cells', () => {
    const run = recordedRun('runtimes');
    expect(renderMarkdown(run)).toMatch(/\| `serialize flat` \| `22\.11\.0` \|.* 33\.1 µs \|/);
    expect(renderHtml(run)).toMatch(/<code>serialize flat<\/code><\/a><\/th><td>22\.11\.0<\/td>/);
  });

  test('has a table in the page with headers for its columns and rows', () => {
    const page = renderHtml(recordedRun('runtimes'));
    const table = /<table class="cells runtimes">[^]*?<\/table>/.exec(page)?.[0] ?? '';
    expect(table.match(/<th scope="col">Node [\d.]+<\/th>/g)).toHaveLength(3);
    expect(table.match(/<th scope="row"/g)).toHaveLength(4);
    expect(table.match(/<td>/g)).toHaveLength(12);
  });
});

describe('sides that are pinned to a version', () => {
  const run = recordedRun('pinned');

  test('are named by their specs', () => {
    expect(renderTerminal(run)).toMatch(
      /^generator@node=24 is faster than generator@node=20 on 3 of 3 cells\.\n/,
    );
  });

  test('are listed with their exact versions', () => {
    const text = 'Node 20.20.2 (baseline), 24.1.0 (candidate)';
    expect(renderTerminal(run)).toContain(text);
    expect(renderMarkdown(run)).toContain(`- measured under: ${text}`);
    expect(renderHtml(run)).toContain(`<dt>measured under</dt><dd>${text}</dd>`);
  });
});

test('a part of a plan says so in its first sentence', () => {
  expect(renderTerminal(recordedRun('shard'))).toMatch(
    /^Part 2 of 3 \(2 of 6 cells\): path:\.\.\/js-bson is slower/,
  );
});
