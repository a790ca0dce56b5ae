import { explainedRun } from '../../fixtures/explained.js';
import { renderHtml, renderMarkdown, renderTerminal } from '../../fixtures/render.js';
import { recordedRun } from '../../fixtures/runs.js';

/** @import { CellExplanation } from '../../../harness/formats/types.ts' */

const client = recordedRun('client');
/** @type {CellExplanation} */
const explanation = {
  .../** @type {CellExplanation} */ (explainedRun().verdict.explanation?.cells[0]),
  cell: client.verdict.cells[0].cell,
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

test('the report of a client has its parts', () => {
  const verdict = { ...client.verdict, explanation: { cells: [explanation], warnings: [] } };
  const run = { ...client, verdict };
  const text = renderTerminal(run).replaceAll('\u00a0', ' ');
  expect(text).toMatch(/the variant +300 µs \(33 %\) +165 µs \(22 %\) +−135 µs/);
  for (const render of [renderMarkdown, renderHtml]) {
    expect(render(run)).toContain('by part of the client');
  }
});

test('a run whose figures are times has no section on resources', () => {
  expect(renderMarkdown(explainedRun())).not.toContain('Resources');
});
