import { makeCell, makeManifest } from '../../reports/fixtures/build.js';
import { withCandidates } from './plan.js';
import { addSizes } from './sizes.js';

/** @import { CellComparison, MessageSizes, VerdictWord } from '../formats/types.ts' */

const WORKLOAD = { id: 'encode flat', operation: 'encode', corpus: 'flat' };

/** @type {(raw: number, others?: Partial<MessageSizes>) => MessageSizes} */
function sizesOf(raw, others) {
  return { messages: 10, raw, gzip: raw / 2, brotli: raw / 4, ...others };
}

/**
 * @param {Record<string, MessageSizes>} bySpec of the baseline, unless ranked, and the candidates
 * @param {{ rank?: boolean, refused?: string }} [choice]
 * @returns {(string | null)[][]} by candidate `raw smaller 0.5`
 */
function compare(bySpec, { rank = false, refused } = {}) {
  const specs = Object.keys(bySpec);
  const candidates = rank ? specs : specs.slice(1);
  const cells = withCandidates([WORKLOAD], candidates).map((cell, index) => {
    /** @type {VerdictWord} */
    const verdict = candidates[index] === refused ? 'refused' : 'inconclusive';
    const made = makeCell({ operation: 'encode', corpus: 'flat', verdict, ratio: [1, 1, 1] });
    return /** @type {CellComparison} */ ({ ...made, cell });
  });
  const { question } = makeManifest({ baseline: specs[0], candidates, ...(rank ? { rank } : {}) });
  const sizes = { [WORKLOAD.id]: bySpec };
  return addSizes(cells, { question, sizes }).map((comparison) =>
    (comparison.sizes ?? []).map(
      ({ compression, verdict, ratio }) => `${compression} ${verdict} ${ratio}`,
    ),
  );
}

describe('in a comparison', () => {
  test('each candidate is compared with the baseline, under every compression', () => {
    const found = compare({ a: sizesOf(1000), b: sizesOf(500, { gzip: 600 }), c: sizesOf(1001) });
    expect(found).toEqual([
      ['raw smaller 0.5', 'gzip larger 1.2', 'brotli smaller 0.5'],
      ['raw equivalent 1.001', 'gzip equivalent 1.001', 'brotli equivalent 1.001'],
    ]);
  });

  test('sizes are means over their own messages', () => {
    expect(compare({ a: sizesOf(1000), b: sizesOf(1000, { messages: 20 }) })[0][0]).toBe(
      'raw smaller 0.5',
    );
  });

  test('a compression that one side lacks is left out', () => {
    const found = compare({ a: sizesOf(1000, { zstd: 400 }), b: sizesOf(1000) });
    expect(found[0]).toHaveLength(3);
    const both = compare({ a: sizesOf(1000, { zstd: 400 }), b: sizesOf(1000, { zstd: 200 }) });
    expect(both[0][3]).toBe('zstd smaller 0.5');
  });

  test('a refused cell has none', () => {
    expect(compare({ a: sizesOf(1000), b: sizesOf(500) }, { refused: 'b' })).toEqual([[]]);
  });
});

describe('in a ranking', () => {
  test('each variant is compared with the smallest of the others', () => {
    const found = compare({ a: sizesOf(1000), b: sizesOf(500), c: sizesOf(800) }, { rank: true });
    expect(found.map(([raw]) => raw)).toEqual([
      'raw larger 2',
      'raw smaller 0.625',
      'raw larger 1.6',
    ]);
  });

  test('not with one whose messages are wrong', () => {
    const found = compare(
      { a: sizesOf(1000), b: sizesOf(500), c: sizesOf(800) },
      { rank: true, refused: 'b' },
    );
    expect(found.map(([raw]) => raw)).toEqual(['raw larger 1.25', undefined, 'raw smaller 0.8']);
  });
});

test('cells without messages stay as they are', () => {
  const cell = makeCell({ operation: 'x', corpus: 'y', verdict: 'faster', ratio: [1, 1, 1] });
  const { question } = makeManifest();
  expect(addSizes([cell], { question })).toEqual([cell]);
  expect(addSizes([cell], { question, sizes: { other: {} } })).toEqual([cell]);
});
