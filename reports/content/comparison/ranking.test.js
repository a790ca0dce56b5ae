import { withCandidates } from '../../../harness/stats/plan.js';
import { plainText } from '../../document/inline.js';
import { makeCell, makeEmptyCell, makeManifest, makeVerdict } from '../../fixtures/build.js';
import { findUnseen, POISON } from '../../fixtures/hostile.js';
import { renderHtml, renderMarkdown, renderTerminal } from '../../fixtures/render.js';
import { describeSettled, drawProgress } from '../progress.js';
import { verdictSentences } from './verdict.js';

/** @import { CellComparison, StandingClass, VerdictWord } from '../../../harness/formats/types.ts' */

const SPECS = ['recursive', 'generator', 'indexed', 'linked-list'];

/** @typedef {[number, StandingClass, VerdictWord, [number, number, number]]} Sketch time, place, interval */

/** @type {Sketch[]} */
const SKETCHES = [
  [24_000, 'not-the-best', 'slower', [2.1, 2.18, 2.27]],
  [15_000, 'not-the-best', 'slower', [1.31, 1.36, 1.41]],
  [11_040, 'among-the-best', 'equivalent', [0.992, 1.004, 1.012]],
  [11_000, 'among-the-best', 'equivalent', [0.988, 0.996, 1.008]],
];

/** @param {string[]} corpora @param {Sketch[]} [sketches] @param {string[]} [specs] */
function makeRun(corpora, sketches = SKETCHES, specs = SPECS) {
  const workloads = corpora.map((corpus) => ({
    id: `serialize ${corpus}`,
    operation: 'serialize',
    corpus,
  }));
  const asked = withCandidates(workloads, specs);
  const cells = asked.map((cell, index) => {
    const [candidateNs, place, verdict, [low, estimate, high]] = sketches[index % specs.length];
    const { operation, corpus } = cell;
    const made = makeCell({ operation, corpus, verdict, ratio: [1, 1, 1], processes: 16 });
    const standing = { class: place, ratio: { low, estimate, high } };
    return /** @type {CellComparison} */ ({ ...made, cell, candidateNs, effect: null, standing });
  });
  const question = { cells: asked, baseline: specs[0], candidates: specs, rank: true };
  const manifest = makeManifest(/** @type {{ rank: true }} */ (question));
  const [variant] = manifest.variants.candidates;
  const candidates = specs.map((spec) => ({ ...variant, spec }));
  return {
    manifest: { ...manifest, variants: { ...manifest.variants, candidates } },
    verdict: makeVerdict(cells),
  };
}

/** @param {ReturnType<typeof makeRun>} run */
const tell = ({ manifest, verdict }) =>
  verdictSentences(manifest, verdict).map((sentence) =>
    plainText(sentence).replaceAll('\u00a0', ' '),
  );

describe('the lead of a ranking', () => {
  test('names the best, how far they are apart, and by how much the others are slower', () => {
    expect(tell(makeRun(['flat']))).toEqual([
      'serialize flat: linked-list and indexed are the best (indistinguishable: within 1.2 % of each other); slower: generator (by at least 31 %), recursive (110 %).',
    ]);
  });

  test('has a single best', () => {
    const [, ...others] = SKETCHES.slice(0, 3);
    const best = /** @type {Sketch} */ ([9_000, 'best', 'faster', [0.8, 0.82, 0.84]]);
    expect(tell(makeRun(['flat'], [best, ...others.slice(0, 1)], SPECS.slice(0, 2)))).toEqual([
      'serialize flat: recursive is the best; slower: generator (by at least 31 %).',
    ]);
  });

  test('says so where the best are not known to be within the minimum effect', () => {
    const open = SKETCHES.map(
      ([ns, place, word, ratio]) =>
        /** @type {Sketch} */ ([ns, place, word === 'equivalent' ? 'inconclusive' : word, ratio]),
    );
    expect(tell(makeRun(['flat'], open))[0]).toContain('(indistinguishable so far: within 1.2 %');
  });

  test('names variants that are not to be trusted or wrong', () => {
    const { manifest, verdict } = makeRun(['flat']);
    verdict.cells[0].verdict = 'untrusted';
    verdict.cells[1].verdict = 'refused';
    expect(tell({ manifest, verdict })[0]).toMatch(
      /each other\); recursive untrusted; generator refused for wrong output\.$/,
    );
  });

  test('counts among many workloads', () => {
    expect(tell(makeRun(['flat', 'deep', 'full', 'tweet']))).toEqual([
      'Best or among the best: indexed on 4 of 4 workloads, linked-list on 4.',
    ]);
  });

  test('claims nothing without data', () => {
    const { manifest, verdict } = makeRun(['flat']);
    const cells = verdict.cells.map(({ cell }) => ({
      ...makeEmptyCell('serialize', 'flat', 'inconclusive'),
      cell,
    }));
    expect(tell({ manifest, verdict: makeVerdict(cells) })).toEqual([
      'serialize flat: no variant is known to be the best.',
    ]);
  });
});

describe('the report of a ranking', () => {
  const run = makeRun(['flat', 'deep']);

  test('has the variants of each workload, the fastest first', () => {
    const [, table] = renderTerminal(run, { width: 140 }).split('fastest first.');
    const rows = table
      .split('\n')
      .filter((line) => /best/.test(line))
      .slice(0, 8);
    const names = rows.map((line) => line.trim().split(/ {2,}/).slice(0, 2));
    expect(names.slice(0, 4)).toEqual([
      ['linked-list', 'among the best'],
      ['indexed', 'among the best'],
      ['generator', 'not the best'],
      ['recursive', 'not the best'],
    ]);
    expect(names.slice(4)).toEqual(names.slice(0, 4));
  });

  test.each([
    ['terminal', renderTerminal(run)],
    ['Markdown', renderMarkdown(run)],
    ['HTML', renderHtml(run).replace(/<(script|style)[^]*?<\/\1>|<[^>]*>/g, '')],
  ])('speaks of no baseline in %s', (_, text) => {
    expect(text.replaceAll(/^.*just compare.*$/gm, '')).not.toMatch(
      /baseline|candidate|faster, strong/,
    );
    expect(text).toContain('among the best');
  });

  test('names cannot control the terminal', () => {
    const text = renderTerminal(makeRun(['flat'], SKETCHES.slice(0, 2), [POISON, 'b']));
    expect(findUnseen(text)).toBeNull();
  });
});

test('the live table of a ranking has a row for each variant', () => {
  const { manifest, verdict } = makeRun(['flat']);
  const rows = verdict.cells.map((comparison) => ({
    ...{ cell: comparison.cell, comparison, processes: 16, lastJob: 0 },
    state: /** @type {const} */ ('settled'),
  }));
  const progress = { step: 'x', comparison: { question: manifest.question, rows } };
  const [header, first, , third] = drawProgress(progress, { width: 119, height: 24, color: false });
  expect(header).toMatch(/^cell +variant +to fastest .*verdict/);
  expect(first).toMatch(/^serialize flat +recursive +2\.18.* 16 {2}not the best/);
  expect(third).toMatch(/^serialize flat +indexed +1\.004.* 16 {2}among the best/);
  expect(describeSettled(progress.comparison)[0].line).toBe(
    'serialize flat · recursive · not the best · to fastest 2.180 (2.100–2.270) · 16 processes',
  );
});
