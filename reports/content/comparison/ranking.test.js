import { plainText } from '../../document/inline.js';
import { findUnseen, POISON } from '../../fixtures/hostile.js';
import { renderHtml, renderMarkdown, renderTerminal } from '../../fixtures/render.js';
import { recordedRun } from '../../fixtures/runs.js';
import { describeSettled, drawProgress } from '../progress.js';
import { verdictSentences } from './verdict.js';

/** @import { RenderInput } from '../../types.ts' */

/** @param {RenderInput} run */
const tell = ({ manifest, verdict }) =>
  verdictSentences(manifest, verdict).map((sentence) =>
    plainText(sentence).replaceAll('\u00a0', ' '),
  );

test('says so where the best are not known to be within the minimum effect', () => {
  const run = recordedRun('ranking');
  for (const cell of run.verdict.cells.slice(2, 4)) cell.verdict = 'inconclusive';
  expect(tell(run)[0]).toMatch(/not settled: the best of .* \(within 1.2 % of each other\)/);
});

test('claims nothing without data', () => {
  const run = recordedRun('ranking-sizes');
  const cells = run.verdict.cells.slice(-3);
  expect(tell({ ...run, verdict: { ...run.verdict, cells } })).toEqual([
    'Screen mode: encode tweet: nothing was measured.',
  ]);
});

test.each([
  ['terminal', renderTerminal],
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
])('speaks of no baseline in %s', (_, render) => {
  const text = render(recordedRun('ranking')).replace(/<(script|style)[^]*?<\/\1>|<[^>]*>/g, '');
  expect(text.replaceAll(/^.*just compare.*$/gm, '')).not.toMatch(
    /baseline|candidate|faster, strong/,
  );
});

test('names cannot control the terminal', () => {
  const run = recordedRun('ranking');
  run.manifest.question.candidates[0] = POISON;
  expect(findUnseen(renderTerminal(run))).toBeNull();
});

test('the live table of a ranking has a row for each variant', () => {
  const { manifest, verdict } = recordedRun('ranking');
  const rows = verdict.cells.map((comparison) => ({
    ...{ cell: comparison.cell, comparison, processes: 16, lastJob: 0 },
    state: /** @type {const} */ ('settled'),
  }));
  const progress = { step: 'x', comparison: { question: manifest.question, rows } };
  const [header, first, second, third] = drawProgress(progress, {
    width: 119,
    height: 24,
    color: false,
  });
  expect(header).toMatch(/^time per document +time +to fastest +interval /);
  expect(first).toMatch(/^serialize {2}flat {2}linked-list .* = 0\.996/);
  expect(second).toMatch(/^ +indexed .* = 1\.004/);
  expect(third).toMatch(/^ +generator .* ▲ 1\.360/);
  expect(describeSettled(progress.comparison)[0].line).toBe(
    'serialize flat · recursive · not the best · to fastest 2.180 (95 % interval 2.100–2.270) · 16 processes',
  );
});
