import { makeCell, makeEmptyCell, makeManifest } from '../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { choosePlacementCell, isPlaced, judgePlacements } from './placement.js';
import { comparePlacements } from './placement-figures.js';
import { planPlacements } from './placement-plan.js';

/** @import { ArmComparison, CellComparison, PlacementObservation, Manifest, PlannedPlacementJob, Verdict, VerdictWord } from '../formats/types.ts' */

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
/** No copy of the candidate is faster. */
const FALLS = observe(
  ({ arm, placement, block }) => (arm === 'candidate' ? 1002 : 1000) + 8 * placement + block,
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
    expect(cell.placement).toMatchObject({ placements: 4, figures: 4, confidence: 0.94 });
    expect(cell.placement?.ratio.high).toBeLessThan(1);
    expect(notes).toEqual([{ number: 2, kind: 'placement-holds', text: expect.any(String) }]);
    expect(notes[0]?.text).toMatch(
      /holds .*deserialize deep \(×0\.93\d \[.*\], 94.% interval over 4 placements per arm/,
    );
  });

  test('is dropped where other placements do not show it', () => {
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
      ({ arm, placement, block }) => (arm === 'candidate' ? 972 : 1000) + placement + block,
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
  }, 5);
  const { cell, notes } = judge(some, { manifest: makeManifest({ placements: 5 }) });
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

  test('is inconclusive where more time would have measured it and the difference is one that placements usually have', () => {
    const small = makeOwnCell({ ratio: [0.965, 0.975, 0.985] });
    const { cell, notes } = judge([], { cell: small });
    expect(cell).toMatchObject({ verdict: 'inconclusive', strong: false });
    expect(notes).toMatchObject([{ kind: 'placement-missing' }]);
    expect(notes[0]?.text).toContain('(faster as built; there was no time left)');
    // No time helps this one.
    expect(judge([], { cell: small, manifest: ofPrograms }).cell.verdict).toBe('faster');
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

/** Of the figures of one process of each placement. @param {number[]} logs */
const once = (logs) => logs.map((log) => [log]);
const SLOWER = { level: 0.05, isSlower: true };

describe('placements of both variants', () => {
  test('are compared by trimmed means, which one slow process does not change', () => {
    const baseline = [0, 0.01, 0.02, 0.03, 0.04, 0.05];
    const compare = (/** @type {number} */ slowest) =>
      comparePlacements(
        {
          baseline: once([...baseline.slice(0, 5), slowest]),
          candidate: once(baseline.map((log) => log + 0.1)),
          pairs: [],
        },
        {},
        SLOWER,
      );
    const [usual, disturbed] = [compare(0.05), compare(0.5)];
    expect(Math.log(usual?.ratio.estimate ?? NaN)).toBeCloseTo(0.1, 12);
    // Four kept values, winsorized to a variance of 0.00019: Yuen's error, twice.
    expect(usual?.standardError).toBeCloseTo(Math.sqrt(2 * ((5 * 0.00019) / 12)), 12);
    expect(usual).toMatchObject({ placements: 6, figures: 1, confidence: 0.95, spread: null });
    expect(disturbed?.ratio).toEqual(usual?.ratio);
  });

  test('that ran at the same time are compared by their differences', () => {
    const pairs = [0.05, 0.06, 0.07, 0.06];
    const figures = { baseline: once([0, 0.5, 1, 2]), candidate: once([0.05, 0.56, 1.07, 2.06]) };
    const compared = comparePlacements(
      { ...figures, pairs: once(pairs) },
      { schedule: 'paired' },
      SLOWER,
    );
    // Two degrees of freedom; 10 % longer for the pull towards 1.
    const half = 4.302653 * Math.sqrt(0.0002 / 3 / 4);
    expect(Math.log(compared?.ratio.estimate ?? NaN)).toBeCloseTo(0.06, 12);
    expect(Math.log(compared?.ratio.low ?? NaN)).toBeCloseTo(0.06 - half, 6);
    expect(Math.log(compared?.ratio.high ?? NaN)).toBeCloseTo(1.1 * (0.06 + half), 6);
  });

  test('count as one sample each, however many processes they have', () => {
    const levels = [0, 0.02, 0.04, 0.06];
    const compare = (/** @type {number} */ processes) => {
      const alike = levels.map((level) => Array(processes).fill(level));
      return comparePlacements({ baseline: alike, candidate: alike, pairs: [] }, {}, SLOWER);
    };
    expect(compare(3)?.standardError).toBeGreaterThanOrEqual(compare(1)?.standardError ?? NaN);
    // Processes that agree leave all of it to the placements.
    expect(compare(3)?.spread).toBeCloseTo(Math.sqrt(0.002 / 3), 12);
  });

  test('have a p-value of the side that the times show', () => {
    const [fast, slow] = [once([0, 0.01, 0.02, 0.03]), once([0.05, 0.06, 0.07, 0.08])];
    const [same, other] = [true, false].map(
      (isSlower) =>
        comparePlacements(
          { baseline: fast, candidate: slow, pairs: [] },
          {},
          { level: 0.05, isSlower },
        )?.p ?? NaN,
    );
    expect(same).toBeLessThan(0.01);
    expect(other).toBeCloseTo(1 - same, 12);
  });

  test('are not compared with fewer than four, or pairs of one order of the cores alone', () => {
    const four = once([0, 0.1, 0, 0.1]);
    const figures = { baseline: four, candidate: four, pairs: four };
    expect(comparePlacements({ ...figures, candidate: four.slice(1) }, {}, SLOWER)).toBeNull();
    const alone = { ...figures, imbalance: Infinity };
    expect(comparePlacements(alone, { schedule: 'paired' }, SLOWER)).toBeNull();
  });

  test('allow for what the correction of figures may miss', () => {
    const figures = { baseline: once([0, 0.01, 0, 0.01]), candidate: once([0.1, 0.11, 0.1, 0.11]) };
    const [exact, corrected] = [0, 0.2].map((allowance) =>
      comparePlacements({ ...figures, pairs: [], allowance }, {}, SLOWER),
    );
    expect(exact?.ratio.low).toBeGreaterThan(1);
    expect(corrected?.ratio.low).toBeLessThan(1);
    expect(corrected?.p).toBeGreaterThan(0.5);
  });
});

/** @param {number} alpha @param {(job: PlannedPlacementJob) => number} timeOf @param {number} placements */
function judgeLooks(alpha, timeOf, placements) {
  const manifest = makeManifest({ placements });
  manifest.question.alpha = alpha;
  const observations = observe(timeOf, placements);
  return [0, 1, 2].map((look) => {
    const seen = observations.filter(({ block }) => block <= look);
    const run = { manifest, observations: [], placementObservations: seen };
    return { isEnough: isPlaced([makeOwnCell()], CELL, run), ...judge(seen, { manifest }) };
  });
}

describe('looks at placements', () => {
  test('end once the direction stands, also after Bonferroni’s correction', () => {
    const looks = judgeLooks(
      0.05,
      ({ arm, placement }) => (arm === 'candidate' ? 900 : 1000) + placement,
      12,
    );
    expect(looks.map(({ isEnough }) => isEnough)).toEqual([true, true, true]);
    expect(looks.map(({ cell }) => cell.placement?.confidence)).toEqual([0.99, 0.97, 0.94]);
    expect(looks.map(({ cell }) => cell.placement?.placements)).toEqual([8, 12, 12]);
  });

  test('continue while the last one may still show it', () => {
    const noisy = judgeLooks(
      0.05,
      ({ arm, placement }) =>
        (arm === 'candidate' ? 970 : 1000) + 60 * (placement % 2) * (arm === 'candidate' ? 1 : 0),
      12,
    );
    expect(noisy[0]?.isEnough).toBe(false);
  });

  test('end where the last one would not show it either', () => {
    const [first] = judgeLooks(
      0.05,
      ({ arm, placement }) => (arm === 'candidate' ? 1020 : 1000) + placement,
      12,
    );
    expect(first?.isEnough).toBe(true);
    expect(first?.cell.verdict).toBe('inconclusive');
  });

  test('are not taken before all of their jobs are done', () => {
    const seen = HOLDS.slice(0, -1);
    const run = { manifest: makeManifest({ placements: 4 }), observations: [] };
    const [whole, cut] = [HOLDS, seen].map(
      (placementObservations) => judge(placementObservations).cell,
    );
    expect(whole?.placement?.figures).toBe(4);
    expect(cut?.placement?.figures).toBe(2);
    expect(run.observations).toEqual([]);
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
 * @param {boolean} [choice.placesAll]
 * @param {Record<string, PlacementObservation[]>} [choice.seen] what placements of a cell show
 * @returns {string[]} corpora of the cells to measure, in their order
 */
function choose(cells, { placements = 4, seen = {}, placesAll = false } = {}) {
  /** @type {string[]} */
  const chosen = [];
  for (;;) {
    const placementObservations = cells.flatMap(({ cell: { id, corpus } }) =>
      (seen[corpus] ?? []).map((observation) => ({ ...observation, cellId: id })),
    );
    const run = { manifest: makeRunManifest(cells, placements), observations: [] };
    run.manifest.question.placesAll = placesAll;
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
    const cells = [cell('faster', 0.88), cell('slower', 1.02), cell('slower', 1.4)];
    expect(choose(cells)).toEqual(['slower-1.02', 'faster-0.88']);
    // What its noise and placements may do together reaches this one.
    const noisy = {
      ...cell('slower', 1.4),
      effect: {
        .../** @type {ArmComparison} */ (cell('slower', 1.4).effect),
        ratio: { estimate: 1.4, low: 1.01, high: 1.9 },
      },
    };
    expect(choose([noisy])).toEqual(['slower-1.4']);
  });

  test('are larger ones, too, once a larger spread was measured than ever before', () => {
    const cells = [cell('slower', 1.02), cell('slower', 1.4), cell('slower', 2.5)];
    expect(choose(cells, { seen: { 'slower-1.02': HOLDS } })).toEqual(['slower-1.02']);
    expect(choose(cells, { seen: { 'slower-1.02': APART } })).toEqual([
      'slower-1.02',
      'slower-1.4',
    ]);
    // What was measured in a cell that is not chosen yet changes nothing.
    expect(choose(cells, { seen: { 'slower-1.4': APART } })).toEqual(['slower-1.02']);
  });

  test('are all directions where a comparison repeats another', () => {
    const cells = [cell('slower', 1.4), cell('equivalent', 1), cell('faster', 0.5)];
    expect(choose(cells)).toEqual([]);
    expect(choose(cells, { placesAll: true })).toEqual(['slower-1.4', 'faster-0.5']);
  });

  test('are six at most', () => {
    const cells = [0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92].map((ratio) => cell('faster', ratio));
    expect(choose(cells)).toHaveLength(6);
  });

  test('are no others', () => {
    const words = /** @type {const} */ (['equivalent', 'refused', 'untrusted']);
    const empty = makeEmptyCell('deserialize', 'flat', 'inconclusive');
    expect(
      choose(
        [...words, 'inconclusive']
          .map((word) => cell(/** @type {VerdictWord} */ (word), 1.05))
          .concat(empty),
      ),
    ).toEqual([]);
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
    const manifest = makeManifest({ placements: 8, cells: [...question.cells, ...cells] });
    const nearer = observe(
      ({ arm, placement, block }) => (arm === 'candidate' ? 980 : 1000) + 3 * placement + block,
      8,
    );
    expect(judge(nearer, { manifest: makeManifest({ placements: 8 }) }).cell).toMatchObject({
      verdict: 'faster',
    });
    expect(judge(nearer, { manifest }).cell.verdict).toBe('inconclusive');
  });
});

const CELLS = ['flat', 'deep'].map((corpus) => ({
  id: `serialize ${corpus}`,
  operation: 'serialize',
  corpus,
}));

test('one after the other, every copy of both variants is measured there and back, and all of them again', () => {
  const looks = planPlacements({ seed: 1, cells: CELLS }, 'serialize deep', 10);
  const names = looks.map((jobs) => jobs.map(({ arm, placement }) => `${arm}-${placement}`));
  expect(names.map(({ length }) => length)).toEqual([32, 8, 40]);
  for (const round of names) {
    const half = round.length / 2;
    expect(round.slice(half)).toEqual(round.slice(0, half).toReversed());
    expect(new Set(round).size).toBe(half);
  }
  expect(new Set(names.slice(0, 2).flat())).toEqual(new Set(names[2]));
  const ids = looks.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toMatch(/^placement\/serialize deep\/000\/0\/(baseline|candidate)-\d$/);
});

test('in a paired schedule copies of one number run at the same time, as many in either order of the cores', () => {
  const looks = planPlacements({ seed: 1, cells: CELLS, schedule: 'paired' }, 'serialize deep', 10);
  expect(looks.map(({ length }) => length)).toEqual([16, 4, 40]);
  for (const jobs of looks) {
    const firsts = jobs.filter(({ position }) => position % 2 === 0);
    for (const { position, placement, arm } of firsts) {
      expect(jobs[position + 1]).toMatchObject({ placement });
      expect(jobs[position + 1]?.arm).not.toBe(arm);
    }
    expect(firsts.filter(({ arm }) => arm === 'candidate')).toHaveLength(firsts.length / 2);
  }
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
