import { makeCell, makeEmptyCell, makeManifest } from '../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import {
  choosePlacementCell,
  comparePlacements,
  judgePlacements,
  planPlacements,
} from './placement.js';
import { drawPlacements } from '../studies/simulation/noise.js';
import { meanOf } from './means.js';
import { seedGenerator } from './random.js';

/** @import { ArmComparison, CellComparison, PlacementComparison, PlacementObservation, Manifest, PlannedPlacementJob, Verdict, VerdictWord } from '../formats/types.ts' */

const CELL = 'deserialize deep';
const DIGEST = `sha256:${'e'.repeat(64)}`;
const EARLIER = [{ number: 1, kind: 'other', text: 'Something else.' }];

/** @param {Partial<import('../../reports/fixtures/build.js').CellSketch>} [sketch] */
function makeOwnCell(sketch = {}) {
  const usual = {
    operation: 'deserialize',
    corpus: 'deep',
    verdict: /** @type {const} */ ('faster'),
  };
  return makeCell({ ...usual, strong: true, ratio: [0.91, 0.93, 0.95], ...sketch });
}

/**
 * @param {(job: PlannedPlacementJob) => number | { outputDigest: string } | 'hangs'} timeOf nanoseconds,
 *   other bytes, or a failure
 * @param {number} [placements] edited ones of each variant
 * @returns {PlacementObservation[]}
 */
function observe(timeOf, placements = 4) {
  const { question } = makeManifest({ placements });
  return planPlacements(question, CELL, placements)
    .flat()
    .map((job) => {
      const times = { attempt: 1, startedAtMs: 0, workerMs: 1 };
      const common = { ...job, formatVersion: FORMAT_VERSION, ...times };
      const outcome = timeOf(job);
      if (outcome === 'hangs') {
        const failure = {
          reason: /** @type {const} */ ('timeout'),
          detail: 'hangs',
          lastLines: [],
        };
        return { ...common, outcome: 'failed', failure };
      }
      const ns = typeof outcome === 'number' ? outcome : 1000;
      const measurement = /** @type {any} */ ({ batchNsPerDocument: [ns], documentsPerBatch: 1 });
      const outputDigest = typeof outcome === 'number' ? DIGEST : outcome.outputDigest;
      return { ...common, outcome: 'done', outputDigest, measurement };
    });
}

/** Placements of the candidate are a few per cent faster, each as much as the baseline's. */
const HOLDS = observe(
  ({ arm, placement, block }) => (arm === 'candidate' ? 930 : 1000) + 4 * placement + block,
);
/** Only the unedited one of the candidate is faster. */
const FALLS = observe(({ arm, placement, block }) =>
  arm === 'candidate' && placement === 0 ? 930 : 1000 + 8 * placement + block,
);

/**
 * @param {PlacementObservation[]} placementObservations
 * @param {{ cell?: CellComparison, manifest?: Manifest, ended?: Verdict['ended'] }} [choice]
 */
function judge(
  placementObservations,
  {
    cell = makeOwnCell(),
    manifest = makeManifest({ placements: 4 }),
    ended = /** @type {Verdict['ended']} */ ('complete'),
  } = {},
) {
  const { cells, warnings } = judgePlacements(
    { cells: [cell], warnings: EARLIER },
    { manifest, observations: [], placementObservations, ended },
  );
  const [judged] = cells;
  if (judged === undefined) throw new Error('the cell is gone');
  return { cell: judged, notes: warnings.slice(1) };
}

describe('a direction', () => {
  test('stands where other placements confirm it, with a note', () => {
    const { cell, notes } = judge(HOLDS);
    expect(cell).toMatchObject({ verdict: 'faster', strong: true, warnings: [2] });
    expect(cell.placement).toMatchObject({ placements: 5, figures: 4 });
    expect(cell.placement?.ratio.high).toBeLessThan(1);
    expect(notes).toEqual([{ number: 2, kind: 'placement-holds', text: expect.any(String) }]);
    expect(notes[0]?.text).toMatch(/holds .*deserialize deep \(×0\.93\d \[.*5 placements per arm/);
  });

  test('is dropped where only its own placement shows it', () => {
    const { cell, notes } = judge(FALLS);
    expect(cell).toMatchObject({ verdict: 'inconclusive', strong: false, warnings: [2] });
    expect(notes).toMatchObject([{ number: 2, kind: 'placement' }]);
    expect(notes[0]?.text).toContain('deserialize deep (faster as built, ×');
  });

  test('is dropped where other placements show the opposite', () => {
    const slower = makeOwnCell({ verdict: 'slower', ratio: [1.01, 1.03, 1.05] });
    expect(judge(HOLDS, { cell: slower }).cell.verdict).toBe('inconclusive');
  });

  test('is not strong where the interval over placements reaches the minimum effect', () => {
    const nearer = observe(
      ({ arm, placement, block }) => (arm === 'candidate' ? 972 : 1000) + 4 * placement + block,
    );
    expect(judge(nearer).cell).toMatchObject({ verdict: 'faster', strong: false });
  });
});

test('a verdict is never strengthened', () => {
  const open = makeOwnCell({ verdict: 'inconclusive', strong: false });
  const { cell, notes } = judge(HOLDS, { cell: open });
  expect(cell.verdict).toBe('inconclusive');
  expect(cell.placement?.ratio.high).toBeLessThan(1);
  expect(notes).toEqual([]);
});

test('placements that fail or write other bytes do not count, and are named', () => {
  const some = observe(({ arm, placement, block }) => {
    if (arm === 'candidate' && placement === 2) return { outputDigest: 'sha256:other' };
    if (arm === 'baseline' && placement === 3 && block === 0) return 'hangs';
    return (arm === 'candidate' ? 930 : 1000) + 4 * placement + block;
  });
  const { cell, notes } = judge(some);
  expect(cell.placement).toMatchObject({ placements: 4 });
  const dropped = notes.find(({ kind }) => kind === 'placement-dropped');
  expect(dropped?.text).toContain('candidate 2: other bytes than the reference');
  expect(dropped?.text).toContain('baseline 3: hangs');
});

describe('a cell that should have placements and has none', () => {
  const runtime = 'chromium@156.0.8078.108';
  const pinned = { ...makeOwnCell(), cell: { ...makeOwnCell().cell, runtime } };
  /** @param {(manifest: Manifest) => void} change */
  const manifestWith = (change) => {
    const manifest = makeManifest({ placements: 4 });
    change(manifest);
    return manifest;
  };
  const ofPrograms = manifestWith(({ variants: { candidates } }) => {
    candidates[0].program = /** @type {any} */ ({ executable: 'x', args: [] });
  });
  const underChromium = manifestWith((manifest) => {
    manifest.runtimes = /** @type {any} */ ([{ runtime, lacks: ['placements'] }]);
  });
  const ofSixOthers = Array.from({ length: 6 }, (_, index) =>
    HOLDS.map((observation) => ({ ...observation, cellId: `other ${index}` })),
  ).flat();
  const otherBytes = observe(() => ({ outputDigest: 'sha256:other' }));

  test.each(
    /** @type {[string, PlacementObservation[], Parameters<typeof judge>[1]?][]} */ ([
      ['there was no time left', []],
      ['the run was interrupted', [], { ended: 'interrupted' }],
      ['a job of the run failed', [], { ended: 'failed' }],
      ['too few of its processes were undisturbed', observe(() => Infinity)],
      ['a run measures at most 6 cells', ofSixOthers],
      [
        'its part did not measure it',
        [],
        { manifest: manifestWith((manifest) => (manifest.merged = true)) },
      ],
      ['hangs', observe(() => 'hangs')],
      ['other bytes than the reference', otherBytes],
      ['it is measured by an external program', [], { manifest: ofPrograms }],
      ['its runtime has no placements', [], { cell: pinned, manifest: underChromium }],
    ]),
  )('keeps its verdict, and a note says that %s', (reason, observations, choice) => {
    const { cell, notes } = judge(observations, choice);
    expect(cell.verdict).toBe('faster');
    expect(notes).toMatchObject([{ kind: 'no-placement' }]);
    expect(notes[0].text).toContain(`(${reason})`);
  });

  test.each(
    /** @type {[string, Parameters<typeof judge>[1]][]} */ ([
      ['is no direction', { cell: makeOwnCell({ verdict: 'inconclusive', strong: false }) }],
      ['is of a run without placements', { manifest: makeManifest() }],
    ]),
  )('has no note where its verdict %s', (_, choice) => {
    expect(judge([], choice).notes).toEqual([]);
  });

  test('is not chosen under a runtime without placements', () => {
    const run = { manifest: underChromium, observations: [], placementObservations: [] };
    const chosen = [makeOwnCell(), pinned].map((each) => choosePlacementCell([each], [], run));
    expect(chosen).toEqual([CELL, null]);
  });
});

const ALPHA = 0.05;

/** @param {number[]} means each of a placement of four processes that agree */
function exactly(means) {
  return means.map((mean) => [mean, mean, mean, mean]);
}

/**
 * @param {number} count
 * @param {{ shift?: number, placementSpread: number, processSpread: number }} truth
 * @returns {PlacementComparison[]}
 */
function simulate(count, { shift = 0, ...truth }) {
  const random = seedGenerator(20250612);
  return Array.from({ length: count }, () => {
    const baseline = drawPlacements(5, truth, random);
    const candidate = drawPlacements(5, { ...truth, center: shift }, random);
    return /** @type {PlacementComparison} */ (
      comparePlacements({ baseline, candidate, pairs: [] }, { alpha: ALPHA })
    );
  });
}

describe('placements of both variants', () => {
  test("are compared by Welch's interval on their means", () => {
    const compared = comparePlacements(
      {
        baseline: exactly([0, 0.02, 0.04]),
        candidate: exactly([0.05, 0.06, 0.1, 0.11]),
        pairs: [],
      },
      { alpha: ALPHA },
    );
    // Squared standard error 0.00035, 4.9925 degrees of freedom, t of 97.5 % by integration.
    expect(Math.log(compared?.ratio.estimate ?? NaN)).toBeCloseTo(0.06, 12);
    expect(Math.log(compared?.ratio.low ?? NaN)).toBeCloseTo(0.0118869, 6);
    expect(Math.log(compared?.ratio.high ?? NaN)).toBeCloseTo(0.1081131, 6);
    expect(compared).toMatchObject({ placements: 3, figures: 4 });
    expect(compared?.deviations.baseline.map((share) => Math.log(share).toFixed(3))).toEqual([
      '-0.020',
      '0.000',
      '0.020',
    ]);
    // Processes that agree leave all of it to the placements: variances 0.0004 and 0.000867.
    expect(compared?.spread).toBeCloseTo(Math.sqrt((0.0004 + 0.0026 / 3) / 2), 12);
  });

  test('that ran at the same time are compared by their differences', () => {
    const figures = {
      baseline: exactly([0, 0.5, 1]),
      candidate: exactly([0.05, 0.56, 1.07]),
      pairs: exactly([0.05, 0.06, 0.07]),
    };
    const compared = comparePlacements(figures, { alpha: ALPHA, schedule: 'paired' });
    // Standard error 0.01 / √3, two degrees of freedom; 10 % longer for the pull towards 1.
    expect(Math.log(compared?.ratio.estimate ?? NaN)).toBeCloseTo(0.06, 12);
    expect(Math.log(compared?.ratio.high ?? NaN)).toBeCloseTo(1.1 * 0.0848414, 6);
    expect(compared).toMatchObject({ placements: 3, figures: 4 });
  });

  test('have an interval without width where nothing differs', () => {
    const same = exactly([0.1, 0.1]);
    const compared = comparePlacements(
      { baseline: same, candidate: same, pairs: [] },
      { alpha: ALPHA },
    );
    expect(compared?.ratio).toEqual({ estimate: 1, low: 1, high: 1 });
    expect(compared?.spread).toBe(0);
  });

  test('are not compared with fewer than two placements per arm', () => {
    const two = exactly([0, 0.1]);
    expect(
      comparePlacements({ baseline: two, candidate: [[0, 0], []], pairs: [] }, { alpha: ALPHA }),
    ).toBeNull();
    expect(
      comparePlacements({ baseline: [], candidate: two, pairs: [] }, { alpha: ALPHA }),
    ).toBeNull();
  });

  test('one process is enough of a placement, but says nothing of the spread', () => {
    const single = [[0], [0.1], [0.05]];
    expect(
      comparePlacements({ baseline: single, candidate: single, pairs: [] }, { alpha: ALPHA }),
    ).toMatchObject({
      placements: 3,
      figures: 1,
      spread: null,
    });
  });
});

test('the p-value over placements is corrected for both looks at them', () => {
  const nsOf = (/** @type {string} */ arm, /** @type {number} */ placement) =>
    (arm === 'candidate' ? 985 : 1000) + 4 * placement;
  const observations = observe(({ arm, placement }) => nsOf(arm, placement), 7);
  const { cell } = judge(observations, { manifest: makeManifest({ placements: 7 }) });
  const [first, both] = [5, 8].map((count) => {
    const [baseline, candidate] = ['baseline', 'candidate'].map((arm) =>
      exactly(Array.from({ length: count }, (_, placement) => Math.log(nsOf(arm, placement)))),
    );
    return comparePlacements({ baseline, candidate, pairs: [] }, { alpha: ALPHA })?.p ?? NaN;
  });
  expect(cell.placement?.p).toBeCloseTo(Math.min(first / 0.2, both / 0.8), 9);
});

describe('the share of comparisons that find a direction', () => {
  test.each([
    ['near 5 % where only code placement differs', 800, 0, 0.03, [0.03, 0.07]],
    ['no higher where placement has no effect', 800, 0, 0, [0, 0.07]],
    ['high where the difference exceeds that of placements', 200, -0.07, 0.02, [0.9, 1]],
  ])('is %s', (_, count, shift, placementSpread, [least, most]) => {
    const compared = simulate(count, { shift, placementSpread, processSpread: 0.02 });
    const share = compared.filter(({ ratio }) => ratio.low > 1 || ratio.high < 1).length / count;
    expect(share).toBeGreaterThanOrEqual(least);
    expect(share).toBeLessThanOrEqual(most);
  });

  test('does not include the noise of processes in the spread', () => {
    const compared = simulate(400, { placementSpread: 0.03, processSpread: 0.04 });
    const spread = Math.sqrt(meanOf(compared.map(({ spread }) => (spread ?? NaN) ** 2)));
    expect(spread).toBeGreaterThan(0.028);
    expect(spread).toBeLessThan(0.032);
  });
});

/** @param {VerdictWord} verdict @param {number} ratio */
function cell(verdict, ratio) {
  const corpus = `${verdict}-${ratio}`;
  return makeCell({ operation: 'deserialize', corpus, verdict, ratio: [ratio, ratio, ratio] });
}

/**
 * @param {CellComparison[]} cells
 * @param {object} [choice]
 * @param {number} [choice.placements]
 * @param {Record<string, PlacementObservation[]>} [choice.seen] what placements of a cell show
 * @returns {string[]} corpora of the cells to measure, in their order
 */
function choose(cells, { placements = 4, seen = {} } = {}) {
  /** @type {string[]} */
  const chosen = [];
  for (;;) {
    const placementObservations = cells.flatMap(({ cell: { id, corpus } }) =>
      (seen[corpus] ?? []).map((observation) => ({ ...observation, cellId: id })),
    );
    const run = { manifest: makeRunManifest(cells, placements), observations: [] };
    const next = choosePlacementCell(cells, chosen, { ...run, placementObservations });
    if (next === null) return chosen.map((id) => id.replace('deserialize ', ''));
    chosen.push(next);
  }
}

/** @param {CellComparison[]} cells @param {number} placements */
function makeRunManifest(cells, placements) {
  const manifest = makeManifest({ placements, cells: cells.map((each) => each.cell) });
  manifest.expectedDigests = Object.fromEntries(cells.map((each) => [each.cell.id, DIGEST]));
  return manifest;
}

/** Placements of both arms that differ by about 10 %. */
const APART = observe(({ placement, block }) => 1000 + (placement % 2) * 200 + block);

describe('the cells to measure in other placements', () => {
  test('are directions up to the largest difference that placement may cause, the smallest first', () => {
    const cells = [cell('faster', 0.8), cell('slower', 1.02), cell('slower', 1.4)];
    expect(choose(cells)).toEqual(['slower-1.02', 'faster-0.8']);
  });

  test('are larger ones, too, once a spread beyond the usual was measured', () => {
    const cells = [cell('slower', 1.02), cell('slower', 1.4), cell('slower', 2.5)];
    expect(choose(cells, { seen: { 'slower-1.02': HOLDS } })).toEqual(['slower-1.02']);
    expect(choose(cells, { seen: { 'slower-1.02': APART } })).toEqual([
      'slower-1.02',
      'slower-1.4',
    ]);
    // What was measured in a cell that is not chosen yet changes nothing.
    expect(choose(cells, { seen: { 'slower-1.4': APART } })).toEqual(['slower-1.02']);
  });

  test('are then inconclusive ones from the minimum effect', () => {
    const cells = [cell('inconclusive', 1.01), cell('inconclusive', 0.96), cell('faster', 0.92)];
    expect(choose(cells)).toEqual(['faster-0.92', 'inconclusive-0.96']);
  });

  test('are six at most', () => {
    const cells = [0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92].map((ratio) => cell('faster', ratio));
    expect(choose(cells)).toHaveLength(6);
  });

  test('are no others', () => {
    const words = /** @type {const} */ (['equivalent', 'refused', 'untrusted']);
    const empty = makeEmptyCell('deserialize', 'flat', 'inconclusive');
    expect(choose([...words.map((word) => cell(word, 1.05)), empty])).toEqual([]);
    expect(choose([cell('faster', 0.95)], { placements: 0 })).toEqual([]);
  });
});

describe("Holm's adjustment over all cells of the question", () => {
  const falls = cell('faster', 0.95);
  const other = cell('slower', 1.4);
  if (other.effect === null) throw new Error('it has an effect');
  const alike = FALLS.map((observation) => ({ ...observation, cellId: falls.cell.id }));

  /**
   * @param {number} p of the other cell, of its times
   * @param {PlacementObservation[]} placementObservations
   */
  function judgeBoth(p, placementObservations) {
    const effect = { .../** @type {ArmComparison} */ (other.effect), pSequential: p, pAdjusted: p };
    const cells = [falls, { ...other, effect }];
    const manifest = makeRunManifest(cells, 4);
    return judgePlacements(
      { cells, warnings: [] },
      { manifest, observations: [], placementObservations, ended: 'complete' },
    );
  }

  test('counts the larger p-value of times and placements', () => {
    const { cells } = judgeBoth(0.001, alike);
    const placementP = cells[0]?.placement?.p ?? NaN;
    expect(placementP).toBeGreaterThan(0.1);
    expect(cells[0]?.effect?.pAdjusted).toBe(placementP);
    expect(cells[1]).toMatchObject({ verdict: 'slower', effect: { pAdjusted: 0.002 } });
  });

  test('takes a direction from another cell that needs the rank of the one that fell', () => {
    expect(judgeBoth(0.03, []).cells[1]).toMatchObject({ verdict: 'slower' });
    const { cells, warnings } = judgeBoth(0.03, alike);
    expect(cells[1]).toMatchObject({ verdict: 'inconclusive', effect: { pAdjusted: 0.06 } });
    expect(warnings.map(({ kind }) => kind)).toEqual(['placement', 'placement-multiplicity']);
    expect(warnings[1]?.text).toContain('deserialize slower-1.4 (slower as built, p 0.060)');
  });

  test('counts the cells that other parts of a plan measure', () => {
    const cells = Array.from({ length: 100 }, (_, index) => ({
      ...CELLS[0],
      id: `other ${index}`,
    }));
    const { question } = makeManifest();
    const manifest = makeManifest({ placements: 4, cells: [...question.cells, ...cells] });
    const nearer = observe(
      ({ arm, placement, block }) => (arm === 'candidate' ? 960 : 1000) + 8 * placement + block,
    );
    expect(judge(nearer).cell).toMatchObject({ verdict: 'faster' });
    expect(judge(nearer, { manifest }).cell.verdict).toBe('inconclusive');
  });
});

const CELLS = ['flat', 'deep'].map((corpus) => ({
  id: `serialize ${corpus}`,
  operation: 'serialize',
  corpus,
}));

test('every placement of both variants is measured in both directions, twice', () => {
  const jobs = planPlacements({ seed: 1, cells: CELLS }, 'serialize deep', 2).flat();
  const names = jobs.map(({ arm, placement }) => `${arm}-${placement}`);
  expect(names).toHaveLength(24);
  for (const round of [names.slice(0, 12), names.slice(12)]) {
    expect(round.slice(6)).toEqual(round.slice(0, 6).toReversed());
    expect(new Set(round).size).toBe(6);
  }
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
  expect(jobs[0]?.id).toMatch(/^placement\/serialize deep\/000\/0\/(baseline|candidate)-[012]$/);
});

test('in a paired schedule both variants run at the same time, and swap cores on the way back', () => {
  const jobs = planPlacements(
    { seed: 1, cells: CELLS, schedule: 'paired' },
    'serialize deep',
    3,
  ).flat();
  for (let position = 0; position < jobs.length; position += 2) {
    const [one, other] = jobs.slice(position);
    expect([one.arm, other.arm].toSorted()).toEqual(['baseline', 'candidate']);
  }
  const cores = jobs.map(({ arm, placement, position }) => `${arm}-${placement} ${position % 2}`);
  expect(new Set(cores).size).toBe(16);
});

test('the order depends on seed and cell', () => {
  const orderOf = (/** @type {number} */ seed, /** @type {string} */ cellId) =>
    planPlacements({ seed, cells: CELLS }, cellId, 4)
      .flat()
      .map(({ arm, placement }) => `${arm}-${placement}`)
      .join(' ');
  const orders = [1, 2].flatMap((seed) => CELLS.map(({ id }) => orderOf(seed, id)));
  expect(new Set(orders).size).toBe(4);
  expect(orderOf(1, 'serialize flat')).toBe(orders[0]);
});
