import { takeProportion } from '../../../harness/stats/calibration/noise.js';
import { omitUndefined } from '../../../harness/lib/records.js';
import { plainText } from '../../document/inline.js';
import { writeSection } from '../../document/markdown.js';
import { renderTerminal } from '../../fixtures/render.js';
import { makeCell, makeEmptyCell, makeManifest, makeVerdict } from '../../fixtures/build.js';
import { makeMemoryReport, makeMemoryRun } from '../../fixtures/memory.js';
import { recordedRun } from '../../fixtures/runs.js';
import {
  calibrationSentence,
  endSentence,
  makeVerdictSection,
  verdictSentences,
} from './verdict.js';

/** @import { CalibrationCitation, Manifest, MemoryVerdict, Verdict, VerdictWord } from '../../../harness/formats/types.ts' */

/** @param {Manifest} manifest @param {Verdict} verdict */
function tell(manifest, verdict) {
  return plainText(verdictSentences(manifest, verdict)).replaceAll('\u00a0', ' ');
}

test.each([
  [[undefined, undefined], ' for every document. '],
  [[undefined, 'it returns nothing'], ' for every document of the cells that were checked. '],
  [['it returns nothing', 'it returns nothing'], null],
])('outputs of cells with %j are said to be the same as far as they were checked', (all, where) => {
  const cells = all.map((unchecked, index) => {
    const made = makeCell({
      ...{ operation: 'encode', corpus: `c${index}` },
      ...{ verdict: 'faster', ratio: [0.4, 0.5, 0.6] },
    });
    return { ...made, cell: { ...made.cell, ...omitUndefined({ unchecked }) } };
  });
  const place = { runPath: 'runs/x', isCut: false };
  const text = writeSection(makeVerdictSection(makeManifest(), makeVerdict(cells), place));
  if (where === null) expect(text).not.toContain('same output');
  else expect(text).toContain(where);
  expect(text).toContain('The control, the baseline against itself,');
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
    const cells = words.map((verdict, index) =>
      makeCell({ operation: 'serialize', corpus: `c${index}`, verdict, ratio: [0.9, 1, 1.1] }),
    );
    expect(tell(makeManifest(), makeVerdict(cells))).toBe(sentence);
  });

  test('leaves more than three operations to the table', () => {
    const cells = ['a', 'b', 'c', 'd'].map((operation) =>
      makeCell({ operation, corpus: 'x', verdict: 'faster', ratio: [0.4, 0.5, 0.6] }),
    );
    const summaries = cells.map(({ cell: { operation } }) => ({
      operation,
      cellCount: 1,
      ratio: { estimate: 0.5, low: 0.4, high: 0.6 },
    }));
    expect(tell(makeManifest(), makeVerdict(cells, { summaries }))).toBe(
      'linked-list is faster than generator on 4 of 4 cells.',
    );
  });

  test('says which variant to leave out if the others can be compared', () => {
    const candidates = ['linked-list', 'indexed', 'packed'];
    const manifest = makeManifest({ candidates });
    const verdict = makeVerdict([makeEmptyCell('serialize', 'flat', 'refused')], {
      ended: 'refused',
      timing: { wallMs: 1000, workerMs: 900, observations: 0 },
    });
    const row = {
      ...{ name: 'cycles', theme: 'limits', promise: 'cycles are refused', detail: null },
      outcome: /** @type {const} */ ('fails'),
    };
    const breach = (/** @type {string[]} */ ...specs) => {
      const contracts = Object.fromEntries(specs.map((spec) => [spec, [row]]));
      return tell({ ...manifest, contracts }, verdict);
    };
    expect(breach('indexed')).toBe(
      'indexed breaks the behaviour contract (cycles); nothing was timed. Leave it out to compare the others.',
    );
    expect(breach('indexed', 'packed')).toMatch(/Leave them out to compare the others\.$/);
    expect(breach('generator')).toMatch(/nothing was timed\.$/);
    expect(breach(...candidates)).toMatch(/nothing was timed\.$/);
  });
});

describe('what a verdict holds for', () => {
  test('names the version of a mean where there are several', () => {
    const { manifest, verdict } = recordedRun('runtimes');
    const [first] = verdict.summaries;
    expect(tell(manifest, { ...verdict, summaries: first === undefined ? [] : [first] })).toContain(
      ': serialize under Node 20.20.2 ×0.430 time (−57 %, throughput ×2.33, 95 % interval 0.421–0.439).',
    );
  });
});

describe('memory', () => {
  /** @param {Parameters<typeof makeMemoryReport>[0]} change */
  function sentenceOnAllocation(change) {
    const { manifest, verdict } = makeMemoryReport(change);
    const memory = /** @type {MemoryVerdict} */ (verdict.memory);
    const only = { ...verdict, cells: [], summaries: [], memory: { ...memory, corpora: [] } };
    return tell(manifest, only);
  }

  test('stands alone where nothing was timed', () => {
    expect(sentenceOnAllocation(undefined)).toBe(
      'Compared with linked-list, packed allocates 2 016 B per document instead of 2 209 B in deserialize comments (×0.913).',
    );
  });

  test('has a sentence where nothing differs', () => {
    const baseline = makeMemoryRun().observations.filter(({ arm }) => arm === 'baseline');
    const sentence = sentenceOnAllocation(({ kind, process }, result) => {
      const same = baseline.find((one) => one.kind === kind && one.process === process);
      return same?.result ?? result;
    });
    expect(sentence).toBe(
      'Memory use of packed and linked-list is equivalent within 3 % in 3 of 4 metrics, inconclusive in 1.',
    );
  });
});

describe('a calibration of the host', () => {
  /** @type {CalibrationCitation} */
  const citation = {
    id: '20260102-030405-calibration',
    createdAt: '2026-01-02T03:04:05.678Z',
    falsePositives: takeProportion(3, 212),
    detectable: [
      { budgetSeconds: 5, effect: 0.034 },
      { budgetSeconds: 20, effect: 0.018 },
      { budgetSeconds: 40, effect: 0.012 },
    ],
  };

  test('gives the rate, its interval, what the usual budget detects, and the day', () => {
    expect(calibrationSentence(citation, { mode: 'default' })?.replaceAll('\u00a0', ' ')).toBe(
      'On this host 3 of 212 A/A comparisons (1.4 %, 0.3–4.1 %) were called different; 20 s per cell detects an effect of 1.8 %. Calibrated 2026-01-02.',
    );
  });

  test('names screen mode, whose rate is another', () => {
    expect(calibrationSentence(citation, { mode: 'screen' })).toMatch(
      /A\/A comparisons in screen mode \(/,
    );
  });

  test('takes the largest budget that detects anything where the usual one was not tried', () => {
    const detectable = [
      { budgetSeconds: 5, effect: 0.034 },
      { budgetSeconds: 10, effect: null },
    ];
    expect(
      calibrationSentence({ ...citation, detectable }, { mode: 'default' })?.replaceAll(
        '\u00a0',
        ' ',
      ),
    ).toMatch(/different; 5 s per cell detects an effect of 3\.4 %\. Cal/);
    expect(calibrationSentence({ ...citation, detectable: [] }, { mode: 'default' })).toMatch(
      /different\. Cal/,
    );
  });

  test('is not there without one or without a comparison in it', () => {
    expect(calibrationSentence(undefined, { mode: 'default' })).toBeNull();
    const falsePositives = takeProportion(0, 0);
    expect(calibrationSentence({ ...citation, falsePositives }, { mode: 'default' })).toBeNull();
  });
});

describe('an end before its time', () => {
  const base = makeCell({
    operation: 'serialize',
    corpus: 'flat',
    verdict: 'faster',
    ratio: [0.8, 0.9, 0.95],
  });
  const open = { ...base, verdict: /** @type {const} */ ('inconclusive') };
  /** @param {Verdict} verdict */
  const end = (verdict) =>
    plainText(endSentence(verdict, 'runs/x') ?? '').replaceAll('\u00a0', ' ');

  test('says why and how to resume', () => {
    const verdict = makeVerdict([open]);
    expect(endSentence(verdict, 'runs/x')).toBeNull();
    expect(end({ ...verdict, ended: 'budget' })).toMatch(/budget ran out after 24/);
    const once = { ...verdict, timing: { ...verdict.timing, observations: 1 } };
    expect(end({ ...once, ended: 'budget' })).toMatch(/after 1 process,/);
    expect(end({ ...verdict, ended: 'failed' })).toMatch(
      /jobs kept failing, so results are missing/,
    );
    expect(end({ ...verdict, ended: 'interrupted' })).toMatch(/--resume runs\/x$/);
    const parts = { ...verdict, ended: /** @type {const} */ ('interrupted'), parts: [] };
    expect(end(parts)).toMatch(/Resume the parts that are not done, and merge again\.$/);
  });

  test('mentions the budget only where it left something open', () => {
    const settled = makeVerdict([base], { ended: 'budget' });
    expect(end(settled)).toBe('');
    const warnings = [{ number: 1, kind: 'memory-incomplete', text: 'Memory was not measured.' }];
    const memory = { cells: [], corpora: [], warnings };
    expect(end({ ...settled, memory })).toMatch(/, before memory was measured/);
    expect(end(makeVerdict([open], { ended: 'budget', memory }))).toMatch(
      /before 1 of 1 cell was settled and memory/,
    );
    expect(end(makeVerdict([open], { ended: 'budget', left: ['placement', 'profiles'] }))).toMatch(
      /after \d+ processes, before differences were measured in other .* and all profiles were recorded\. Measure the rest with: .* --resume runs\/x$/,
    );
  });
});

test('names that are too long for a sentence are left to the table', () => {
  const run = recordedRun('faster');
  run.manifest.question.candidates = ['x'.repeat(20_000)];
  expect(renderTerminal(run)).toMatch(/^The names are too long for a sentence/);
});

describe('cells that are not settled at the end', () => {
  const open = {
    operation: 'serialize',
    corpus: 'deep',
    verdict: /** @type {const} */ ('inconclusive'),
  };
  /** @param {number | null} processesNeeded @param {import('../../fixtures/build.js').CellSketch['verdict']} [verdict] */
  const tell = (processesNeeded, verdict = open.verdict) => {
    const cell = makeCell({ ...open, verdict, ratio: [0.9, 1, 1.1], processesNeeded });
    const { blocks } = makeVerdictSection(makeManifest(), makeVerdict([cell]), {
      runPath: 'runs/x',
      isCut: false,
    });
    const texts = blocks.flatMap((block) =>
      block.kind === 'paragraph' ? [plainText(block.text).replaceAll('\u00a0', ' ')] : [],
    );
    return texts.find((text) => text.startsWith('Not settled'));
  };

  test('are named, with what would settle them', () => {
    expect(tell(208.4)).toBe(
      'Not settled: serialize deep. About 209 processes per variant would settle it, instead of at most 128: --processes 256.',
    );
    expect(tell(1e6)).toMatch(
      /deep\. No number of processes .* is likely to settle it: measure on a quieter host/,
    );
    expect(tell(null, 'untrusted')).toMatch(/deep\. Where the control differs, measure again on a/);
    expect(tell(null, 'equivalent')).toBeUndefined();
  });
});
