import { describe, expect, test } from '@jest/globals';
import { makeCell, makeManifest, makeVerdict } from './fixtures.js';
import { makeMemoryReport, makeMemoryRun } from './memory-fixtures.js';
import { recordedRun } from './recorded-runs.js';
import { verdictSentence } from './verdict-sentence.js';

/** @import { MemoryVerdict, VerdictWord } from '../../harness/formats/types.ts' */

/**
 * @param {VerdictWord[]} words a cell each
 * @returns {string}
 */
function sentenceFor(...words) {
  const cells = words.map((verdict, index) =>
    makeCell({ operation: 'serialize', corpus: `c${index}`, verdict, ratio: [0.9, 1, 1.1] }),
  );
  return verdictSentence(makeManifest(), makeVerdict(cells)).replaceAll('\u00a0', ' ');
}

describe('memory', () => {
  test('follows the times', () => {
    const { manifest, verdict } = makeMemoryReport();
    const sentence = verdictSentence(manifest, verdict).replaceAll('\u00a0', ' ');
    expect(sentence).toMatch(
      /\. Compared with linked-list, packed retains 569 B per document instead of 745 B on comments \(×0\.764\) and allocates .* in deserialize comments \(×0\.913\)\.$/,
    );
  });

  test('stands alone where nothing was timed', () => {
    const { manifest, verdict } = makeMemoryReport();
    const sentence = verdictSentence(manifest, { ...verdict, cells: [], summaries: [] });
    expect(sentence).toMatch(/^Compared with linked-list, packed retains/);
  });

  /**
   * @param {Parameters<typeof makeMemoryReport>[0]} change
   */
  function tellAllocation(change) {
    const { manifest, verdict } = makeMemoryReport(change);
    const memory = /** @type {MemoryVerdict} */ (verdict.memory);
    const only = { ...verdict, cells: [], summaries: [], memory: { ...memory, corpora: [] } };
    return verdictSentence(manifest, only).replaceAll('\u00a0', ' ');
  }

  test('is told where only operations were measured', () => {
    expect(tellAllocation(undefined)).toBe(
      'Compared with linked-list, packed allocates 2 016 B per document instead of 2 209 B in deserialize comments (×0.913).',
    );
  });

  test('is told where nothing differs', () => {
    const baseline = makeMemoryRun().observations.filter(({ arm }) => arm === 'baseline');
    const sentence = tellAllocation(({ kind, process }, result) => {
      const same = baseline.find((one) => one.kind === kind && one.process === process);
      return same?.result ?? result;
    });
    expect(sentence).toBe(
      'Memory of packed and linked-list is equivalent within 3 % in 3 of 4 figures, inconclusive in 1.',
    );
  });
});

test('more than three operations are left to the table', () => {
  const cells = ['a', 'b', 'c', 'd'].map((operation) =>
    makeCell({ operation, corpus: 'x', verdict: 'faster', ratio: [0.4, 0.5, 0.6] }),
  );
  const summaries = cells.map(({ cell: { operation } }) => ({
    operation,
    cellCount: 1,
    ratio: { estimate: 0.5, low: 0.4, high: 0.6 },
  }));
  expect(verdictSentence(makeManifest(), makeVerdict(cells, { summaries }))).toBe(
    'linked-list is faster than generator on 4 of 4 cells.',
  );
});

describe('outcome', () => {
  test.each(
    /** @type {[VerdictWord[], string][]} */ ([
      [['faster'], 'linked-list is faster than generator on 1 of 1 cell.'],
      [['slower', 'slower'], 'linked-list is slower than generator on 2 of 2 cells.'],
      [
        ['faster', 'slower', 'faster'],
        'linked-list is faster than generator on 2 of 3 cells, slower on 1.',
      ],
      [['faster', 'slower'], 'linked-list is slower than generator on 1 of 2 cells, faster on 1.'],
      [
        ['equivalent', 'inconclusive'],
        'linked-list and generator are equivalent within 3 % on 1 of 2 cells, inconclusive on 1.',
      ],
      [
        ['untrusted', 'inconclusive'],
        'linked-list against generator is inconclusive on 1 of 2 cells, untrusted on 1.',
      ],
      [
        ['refused', 'faster'],
        "linked-list does not produce the reference's output on 1 of 2 cells.",
      ],
    ]),
  )('%j', (words, sentence) => {
    expect(sentenceFor(...words)).toBe(sentence);
  });
});

test('tells size as ratio of time, change of time and factor of throughput', () => {
  const { manifest, verdict } = recordedRun('faster');
  expect(verdictSentence(manifest, verdict).replaceAll('\u00a0', ' ')).toBe(
    'linked-list is faster than generator on 6 of 6 cells: serialize ×0.422 time (−58 %, throughput ×2.37), deserialize ×0.882 time (−12 %, throughput ×1.13).',
  );
});

test('names the variants whose output is wrong, and that nothing was timed', () => {
  const { manifest, verdict } = recordedRun('refused');
  const [difference] = verdict.differences;
  if (difference === undefined) throw new Error('the fixture has differences');
  verdict.differences.push({ ...difference, variant: 'generator' });
  expect(verdictSentence(manifest, verdict, (name) => `<${name}>`)).toBe(
    "<linked-list> and <generator> do not produce the reference's output on 3 of 6 cells; nothing was timed.",
  );
});

test('gives no verdict without data', () => {
  const { manifest, verdict } = recordedRun('no-data');
  expect(verdictSentence(manifest, verdict)).toBe(
    'No verdict on linked-list against generator: no cell has data.',
  );
});

test('begins by naming screen mode', () => {
  const { manifest, verdict } = recordedRun('screen');
  expect(verdictSentence(manifest, verdict)).toMatch(/^Screen mode: linked-list is faster/);
});
