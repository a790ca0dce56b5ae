import { withCandidates } from '../../../harness/stats/plan.js';
import { plainText } from '../../document/inline.js';
import { makeCell, makeManifest, makeVerdict } from '../../fixtures/build.js';
import { findUnseen, POISON } from '../../fixtures/hostile.js';
import { renderHtml, renderMarkdown, renderTerminal } from '../../fixtures/render.js';
import { verdictSentences } from './verdict.js';

/** @import { CellComparison, Compression, SizeComparison } from '../../../harness/formats/types.ts' */

/** @typedef {[word: SizeComparison['verdict'], baseline: number, candidate: number]} Sketch */

/**
 * @param {Partial<Record<Compression, Sketch>>[]} sketches of each candidate
 * @param {{ rank?: boolean, specs?: string[] }} [choice]
 */
function makeRun(sketches, { rank = false, specs = ['bson', 'json', 'avsc'] } = {}) {
  const candidates = specs.slice(rank ? 0 : 1, sketches.length + (rank ? 0 : 1));
  const workload = { id: 'encode flat', operation: 'encode', corpus: 'flat' };
  const asked = withCandidates([workload], candidates);
  const cells = asked.map((cell, index) => {
    const sizes = Object.entries(sketches[index]).map(
      ([compression, [verdict, baseline, candidate]]) => ({
        compression,
        verdict,
        bytes: { baseline, candidate },
        ratio: candidate / baseline,
      }),
    );
    const made = makeCell({
      operation: 'encode',
      corpus: 'flat',
      verdict: 'faster',
      ratio: [0.5, 0.6, 0.7],
    });
    return /** @type {CellComparison} */ ({ ...made, cell, sizes });
  });
  const question = { cells: asked, baseline: specs[0], candidates, ...(rank ? { rank } : {}) };
  const manifest = makeManifest(question);
  const [variant] = manifest.variants.candidates;
  const variants = {
    ...manifest.variants,
    candidates: candidates.map((spec) => ({ ...variant, spec })),
  };
  return { manifest: { ...manifest, variants }, verdict: makeVerdict(cells) };
}

/** @param {ReturnType<typeof makeRun>} run */
const tell = ({ manifest, verdict }) =>
  verdictSentences(manifest, verdict)
    .map((sentence) => plainText(sentence))
    .join(' ');

/** @type {Record<'raw' | 'gzip', Sketch>} */
const SMALLER = { raw: ['smaller', 200, 150], gzip: ['larger', 100, 110] };

describe('a comparison', () => {
  test('says on how many cells messages are smaller, by compression', () => {
    expect(tell(makeRun([SMALLER]))).toContain(
      'Messages: raw smaller on 1 of 1; gzip larger on 1 of 1.',
    );
  });

  test('has a row for the baseline and one for each candidate', () => {
    const text = renderMarkdown(
      makeRun([SMALLER, { raw: ['equivalent', 200, 201], gzip: ['smaller', 100, 50] }]),
    ).replaceAll('\u00a0', ' ');
    expect(text).toMatch(/`bson` \| 200 B \| – \| 100 B \| –/);
    expect(text).toMatch(/`json` \| 150 B \| ▼ 0\.750 \| 110 B \| ▲ 1\.100/);
    expect(text).toMatch(/`avsc` \| 201 B \| \\= 1\.005 \| 50 B \| ▼ 0\.500/);
  });
});

describe('a ranking', () => {
  const run = makeRun(
    [
      { raw: ['larger', 150, 200] },
      { raw: ['equivalent', 150, 152] },
      { raw: ['equivalent', 152, 150] },
    ],
    { rank: true },
  );

  test('names the smallest', () => {
    expect(tell(run)).toContain('Smallest messages: raw json, avsc.');
  });

  test('has the smallest first', () => {
    const text = renderTerminal(run);
    const sizes = text.slice(text.indexOf('Sizes'));
    expect([...sizes.matchAll(/^ (\w+) +\d+ B/gm)].map(([, name]) => name)).toEqual([
      'avsc',
      'json',
      'bson',
    ]);
  });
});

test('a Node without zstd is named, and one with it is not', () => {
  expect(renderMarkdown(makeRun([SMALLER]))).toContain('has no zstd');
  /** @type {Sketch} */
  const same = ['equivalent', 100, 100];
  const all = makeRun([{ raw: same, gzip: same, brotli: same, zstd: same }]);
  expect(renderMarkdown(all)).not.toContain('has no zstd');
});

test('a run without messages has neither section nor sentence', () => {
  const cell = makeCell({
    operation: 'serialize',
    corpus: 'flat',
    verdict: 'faster',
    ratio: [0.5, 0.6, 0.7],
  });
  const run = { manifest: makeManifest(), verdict: makeVerdict([cell]) };
  expect(renderMarkdown(run)).not.toContain('Sizes');
  expect(tell(run)).not.toContain('Messages');
});

test('names from outside are escaped', () => {
  const run = makeRun([SMALLER, SMALLER], { rank: true, specs: [POISON, 'json'] });
  expect(findUnseen(renderHtml(run))).toBeNull();
});
