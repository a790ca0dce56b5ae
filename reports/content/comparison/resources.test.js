import { makeCell, makeManifest, makeVerdict } from '../../fixtures/build.js';
import { explainedRun } from '../../fixtures/explained.js';
import { renderHtml, renderMarkdown, renderTerminal } from '../../fixtures/render.js';

/** @import { CellComparison, CellExplanation } from '../../../harness/formats/types.ts' */

const made = makeCell({
  operation: 'find-many',
  corpus: 'comments',
  verdict: 'faster',
  ratio: [0.83, 0.85, 0.87],
  baselineNs: 900_000,
});
const cell = { ...made.cell, figure: 'CPU time of the client', sharesCore: true };
/** @type {CellComparison} */
const client = {
  ...made,
  cell,
  resources: [
    {
      name: 'process-cpu',
      unit: 'ns',
      values: { baseline: 1_230_000, candidate: 1_050_000 },
      ratio: { estimate: 0.855, low: 0.84, high: 0.87 },
    },
    { name: 'collections', unit: 'ns', values: { baseline: 12_000, candidate: null }, ratio: null },
    {
      name: 'resident',
      unit: 'bytes',
      values: { baseline: 90 * 2 ** 20, candidate: 81 * 2 ** 20 },
      ratio: { estimate: 0.9, low: 0.8, high: 1.02 },
    },
  ],
};
/** @type {CellExplanation} */
const explanation = {
  .../** @type {CellExplanation} */ (explainedRun().verdict.explanation?.cells[0]),
  cell,
  parts: [
    {
      name: 'mongodb',
      baselineNs: 600_000,
      candidateNs: 600_000,
      change: { estimate: 0, low: -9_000, high: 9_000 },
    },
    {
      name: 'the variant',
      baselineNs: 300_000,
      candidateNs: 165_000,
      change: { estimate: -135_000, low: -150_000, high: -120_000 },
    },
  ],
};
const run = {
  manifest: { ...makeManifest({ cells: [cell] }), server: { name: 'mongod', version: '6.0.5' } },
  verdict: makeVerdict([client], { explanation: { cells: [explanation], warnings: [] } }),
};

test('the report of a client has its figure, its server, its resources and its parts', () => {
  const text = renderTerminal(run).replaceAll('\u00a0', ' ');
  expect(text).toMatch(/^CPU time of the client; baseline/m);
  expect(text).toMatch(/^Server +mongod 6\.0\.5$/m);
  expect(text).toMatch(/CPU time, all threads +0\.855 +0\.840–0\.870 +1\.23 ms +1\.05 ms/);
  expect(text).toMatch(/garbage collection +– +– +12\.0 µs +–/);
  expect(text).toMatch(/most resident memory +0\.900 +0\.800–1\.020 +90\.0 MiB +81\.0 MiB/);
  expect(text).toMatch(/the variant +300 µs \(33 %\) +165 µs \(22 %\) +−135 µs/);
  expect(text).toMatch(/on a\s+core that the two jobs of a pair share/);
  expect(text).not.toMatch(/Time per document/);
});

test('so have the other formats', () => {
  for (const text of [renderMarkdown(run), renderHtml(run)]) {
    for (const word of ['Resources', 'by part of the client', 'mongod 6.0.5']) {
      expect(text).toContain(word);
    }
  }
});

test('a run whose figures are times has no section on resources', () => {
  expect(renderMarkdown(explainedRun())).not.toContain('Resources');
});
