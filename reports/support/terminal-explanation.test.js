import { expect, test } from '@jest/globals';
import { makePainter } from './paint.js';
import { recordedRun } from './recorded-runs.js';
import { layOutExplanation } from './terminal-explanation.js';

/** @param {Parameters<typeof recordedRun>[0]} name */
function tellPlace(name) {
  const { verdict, ...run } = recordedRun(name);
  const explanation = { cells: [], warnings: [] };
  const input = { ...run, verdict: { ...verdict, explanation } };
  return layOutExplanation({ input, width: 120, paint: makePainter(false) }).join('\n');
}

test('the page is said to hold what was recorded of a program, and of Node', () => {
  expect(tellPlace('rust')).toMatch(/^Functions and flamegraphs: just open /);
  expect(tellPlace('faster')).toMatch(
    /^Functions, flamegraphs, allocations and deoptimisations:\s/,
  );
});
