import { describe, expect, test } from '@jest/globals';
import { makeCell, makeManifest } from '../../reports/support/fixtures.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { judgeLayouts } from './judge-layouts.js';
import { planLayouts } from './plan-layouts.js';

/** @import { CellComparison, LayoutObservation, Manifest, PlannedLayoutJob, Verdict } from '../formats/types.ts' */

const CELL = 'deserialize deep';
const DIGEST = `sha256:${'e'.repeat(64)}`;
const EARLIER = [{ number: 1, kind: 'other', text: 'Something else.' }];

/** @param {Partial<import('../../reports/support/fixtures.js').CellSketch>} [sketch] */
function makeOwnCell(sketch = {}) {
  const usual = {
    operation: 'deserialize',
    corpus: 'deep',
    verdict: /** @type {const} */ ('faster'),
  };
  return makeCell({ ...usual, strong: true, ratio: [0.91, 0.93, 0.95], ...sketch });
}

/**
 * @param {(job: PlannedLayoutJob) => number | { outputDigest: string } | 'hangs'} timeOf nanoseconds,
 *   other bytes, or a failure
 * @returns {LayoutObservation[]}
 */
function observe(timeOf) {
  const { question } = makeManifest({ layouts: 4 });
  return planLayouts(question, CELL, 4).map((job) => {
    const common = { ...job, formatVersion: FORMAT_VERSION, startedAtMs: 0, workerMs: 1 };
    const brought = timeOf(job);
    if (brought === 'hangs') {
      const failure = { reason: /** @type {const} */ ('timeout'), detail: 'hangs', lastLines: [] };
      return { ...common, outcome: 'failed', failure };
    }
    const ns = typeof brought === 'number' ? brought : 1000;
    const measurement = /** @type {any} */ ({ batchNsPerDocument: [ns], documentsPerBatch: 1 });
    const outputDigest = typeof brought === 'number' ? DIGEST : brought.outputDigest;
    return { ...common, outcome: 'done', outputDigest, measurement };
  });
}

/** Layouts of the candidate are a few per cent faster, each as much as the baseline's. */
const HOLDS = observe(
  ({ arm, layout, block }) => (arm === 'candidate' ? 930 : 1000) + 4 * layout + block,
);
/** Only the unedited one of the candidate is faster. */
const FALLS = observe(({ arm, layout, block }) =>
  arm === 'candidate' && layout === 0 ? 930 : 1000 + 8 * layout + block,
);

/**
 * @param {LayoutObservation[]} layoutObservations
 * @param {{ cell?: CellComparison, manifest?: Manifest, ended?: Verdict['ended'] }} [choice]
 */
function judge(
  layoutObservations,
  {
    cell = makeOwnCell(),
    manifest = makeManifest({ layouts: 4 }),
    ended = /** @type {Verdict['ended']} */ ('complete'),
  } = {},
) {
  const { cells, warnings } = judgeLayouts(
    { cells: [cell], warnings: EARLIER },
    { manifest, observations: [], layoutObservations, ended },
  );
  const [judged] = cells;
  if (judged === undefined) throw new Error('the cell is gone');
  return { cell: judged, notes: warnings.slice(1) };
}

describe('a direction', () => {
  test('stands where other layouts show it, with a note', () => {
    const { cell, notes } = judge(HOLDS);
    expect(cell).toMatchObject({ verdict: 'faster', strong: true, warnings: [2] });
    expect(cell.layout).toMatchObject({ layouts: 5, processes: 12 });
    expect(cell.layout?.ratio.high).toBeLessThan(1);
    expect(notes).toEqual([{ number: 2, kind: 'layout-holds', text: expect.any(String) }]);
    expect(notes[0]?.text).toMatch(/holds .*deserialize deep \(×0\.93\d \[.*5 layouts a side/);
  });

  test('falls where only its own layout shows it', () => {
    const { cell, notes } = judge(FALLS);
    expect(cell).toMatchObject({ verdict: 'inconclusive', strong: false, warnings: [2] });
    expect(notes).toMatchObject([{ number: 2, kind: 'layout' }]);
    expect(notes[0]?.text).toContain('deserialize deep (faster as it is, ×');
  });

  test('falls where other layouts show the opposite', () => {
    const slower = makeOwnCell({ verdict: 'slower', ratio: [1.01, 1.03, 1.05] });
    expect(judge(HOLDS, { cell: slower }).cell.verdict).toBe('inconclusive');
  });

  test('is not strong where the interval over layouts reaches the minimum effect', () => {
    const nearer = observe(
      ({ arm, layout, block }) => (arm === 'candidate' ? 972 : 1000) + 4 * layout + block,
    );
    expect(judge(nearer).cell).toMatchObject({ verdict: 'faster', strong: false });
  });
});

test('a verdict never rises: without a direction it stays so', () => {
  const open = makeOwnCell({ verdict: 'inconclusive', strong: false });
  const { cell, notes } = judge(HOLDS, { cell: open });
  expect(cell.verdict).toBe('inconclusive');
  expect(cell.layout?.ratio.high).toBeLessThan(1);
  expect(notes).toEqual([]);
});

test('layouts that fail or write other bytes do not count, and are named', () => {
  const some = observe(({ arm, layout, block }) => {
    if (arm === 'candidate' && layout === 2) return { outputDigest: 'sha256:other' };
    if (arm === 'baseline' && layout === 3 && block === 0) return 'hangs';
    return (arm === 'candidate' ? 930 : 1000) + 4 * layout + block;
  });
  const { cell, notes } = judge(some);
  expect(cell.layout).toMatchObject({ layouts: 4 });
  const dropped = notes.find(({ kind }) => kind === 'layout-dropped');
  expect(dropped?.text).toContain('candidate 2: other bytes than the reference');
  expect(dropped?.text).toContain('baseline 3: hangs');
});

describe('a cell that is due and was not measured', () => {
  test('says that there was no time', () => {
    const { cell, notes } = judge([]);
    expect(cell.verdict).toBe('faster');
    expect(notes).toMatchObject([{ kind: 'no-layout' }]);
    expect(notes[0]?.text).toContain('there was no time left');
  });

  test.each([
    [/** @type {const} */ ('interrupted'), 'the run was interrupted'],
    [/** @type {const} */ ('failed'), 'a job of the run failed'],
  ])('says that the run ended early: %s', (ended, reason) => {
    expect(judge([], { ended }).notes[0]?.text).toContain(reason);
  });

  test('says that six others come first', () => {
    const cells = [0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92].map((ratio, index) =>
      makeOwnCell({ corpus: `corpus-${index}`, ratio: [ratio, ratio, ratio] }),
    );
    const { warnings } = judgeLayouts(
      { cells, warnings: [] },
      {
        ...{ manifest: makeManifest({ layouts: 4 }), ended: 'complete' },
        ...{ observations: [], layoutObservations: [] },
      },
    );
    expect(warnings[0]?.text).toContain('deserialize corpus-6 (6 others come first)');
    expect(warnings[0]?.text).toContain('deserialize corpus-5 (there was no time left)');
  });

  test('says why no copy could be made, or that a program measures it', () => {
    expect(judge(observe(() => 'hangs')).notes[0]?.text).toContain('(hangs)');
    const others = observe(() => ({ outputDigest: 'sha256:other' }));
    expect(judge(others).notes[0]?.text).toContain('(other bytes than the reference)');
    const manifest = makeManifest({ layouts: 4 });
    manifest.variants.candidate.program = /** @type {any} */ ({ executable: 'x', args: [] });
    expect(judge([], { manifest }).notes[0]?.text).toContain('a program of its own');
  });

  test('says nothing where no layouts were asked for', () => {
    expect(judge([], { manifest: makeManifest() }).notes).toEqual([]);
  });
});
