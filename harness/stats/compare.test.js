import { makeManifest } from '../../reports/fixtures/build.js';
import { FormatError } from '../lib/errors.js';
import { simulateObservations, simulateQuestion } from '../testing/simulation/runs.js';
import { averageEffects, compareRun } from './compare.js';
import { seedGenerator, shuffle } from './random.js';

/** @import { Arm, Cell, CellComparison, Measurement, Observation, ObservationDone, Question, RatioBand } from '../formats/types.ts' */

const DIGEST = 'sha256:right';

/** @param {string} corpus @param {string} [operation] */
const cellOf = (corpus, operation = 'serialize') => ({
  id: `${operation} ${corpus}`,
  operation,
  corpus,
});

/** @param {Cell[]} cells @param {Partial<Question>} [changes] */
const questionOf = (cells, changes) => makeManifest({ cells, ...changes }).question;

const FLAT = cellOf('flat');

/** @typedef {{ ratio?: number, controlRatio?: number, processes?: number, spread?: number, seed?: number, cell?: Cell }} World */

/**
 * Observations of one cell. The default seed and spread cause no note.
 * @type {(world?: World) => ObservationDone[]}
 */
function observe({
  ratio = 1,
  controlRatio = 1,
  processes = 16,
  spread = 0.01,
  seed = 1,
  cell = FLAT,
} = {}) {
  const cells = [{ cell, baselineNs: 12_000, ratio, controlRatio, processes }];
  const settings = { noise: /** @type {const} */ ('normal'), spread, outputDigest: DIGEST };
  return simulateObservations(cells, settings, seedGenerator(seed)).filter(
    (observation) => observation.outcome === 'done',
  );
}

/** As in a run that was interrupted between two jobs of a block. @param {ObservationDone[]} observations */
function dropLastBaseline(observations) {
  return observations.toSpliced(
    observations.findLastIndex(({ arm }) => arm === 'baseline'),
    1,
  );
}

/**
 * The comparison of the one cell of a run.
 * @param {Observation[]} observations @param {Partial<Parameters<typeof compareRun>[0]>} [more]
 */
function compareOne(observations, more = {}) {
  const result = compareRun({ question: questionOf([FLAT]), observations, ...more });
  return { ...result, cell: result.cells[0], decided: result.decided[FLAT.id] };
}

/** @type {(cell: CellComparison) => NonNullable<CellComparison['effect']>} */
function effectOf({ effect }) {
  if (effect === null) throw new Error('the cell has no effect');
  return effect;
}

/** @type {(observation: ObservationDone, attempt?: number) => Observation} */
function failed(observation, attempt = 1) {
  const { formatVersion, id, cellId, arm, block, position, startedAtMs, workerMs } = observation;
  const common = { formatVersion, id, cellId, arm, block, position, startedAtMs, workerMs };
  const failure = { reason: /** @type {const} */ ('timeout'), detail: '30 s', lastLines: [] };
  return { ...common, attempt, outcome: 'failed', failure };
}

/** @param {Arm} arm */
const isArm = (arm) => (/** @type {Observation} */ observation) => observation.arm === arm;

/** @param {{ warnings: { kind: string }[] }} result */
const kindsOf = ({ warnings }) => warnings.map(({ kind }) => kind);

describe('verdicts', () => {
  /** @type {[string, World, Partial<CellComparison>, boolean, string[]][]} */
  const cases = [
    ['equal code is equivalent', {}, { verdict: 'equivalent', processesNeeded: null }, true, []],
    ['10 % more time is slower', { ratio: 1.1 }, { verdict: 'slower', strong: true }, true, []],
    ['10 % less time is faster', { ratio: 0.9 }, { verdict: 'faster', strong: true }, true, []],
    [
      'an interval that ends within the minimum effect is not strong',
      { ratio: 1.04, spread: 0.015 },
      { verdict: 'slower', strong: false },
      true,
      [],
    ],
    [
      'too much noise is inconclusive',
      { ratio: 1.02, spread: 0.06 },
      { verdict: 'inconclusive' },
      false,
      [],
    ],
    [
      'the last look decides a cell even without a verdict',
      { spread: 0.5, processes: 128 },
      { verdict: 'inconclusive' },
      true,
      ['heavy-spread'],
    ],
    [
      'a control that deviates as much as the effect makes the cell untrusted',
      { ratio: 0.9, controlRatio: 0.9 },
      { verdict: 'untrusted', strong: false },
      false,
      ['control-differs', 'mann-whitney-disagrees'],
    ],
    [
      'a control that deviates far less than the effect is noted',
      { ratio: 2, controlRatio: 1.06 },
      { verdict: 'slower', strong: true },
      true,
      ['control-differs'],
    ],
  ];
  test.each(cases)('%s', (_, world, expected, isDecided, kinds) => {
    const result = compareOne(observe(world));
    const { candidateNs, baselineNs } = result.cell;
    const { estimate } = effectOf(result.cell).ratio;
    expect(result.cell).toMatchObject(expected);
    expect(result.decided).toBe(isDecided);
    expect(kindsOf(result)).toEqual(kinds);
    expect(Number(candidateNs) / Number(baselineNs)).toBeCloseTo(estimate, 12);
  });

  test('a cell is not decided while its interval contains an edge of one of its bands', () => {
    const observations = observe({ ratio: 1.5 });
    const isDecided = (/** @type {RatioBand[]} */ bands, cellId = FLAT.id) =>
      compareOne(observations, { question: questionOf([FLAT], { bands: { [cellId]: bands } }) })
        .decided;
    const [inside, outside] = [
      { low: 1.4, high: 1.6 },
      { low: 1.6, high: null },
    ];
    const across = { low: 1.03, high: 1.5 };
    expect(isDecided([inside, outside])).toBe(true);
    expect(isDecided([inside, across])).toBe(false);
    expect(isDecided([across], 'another cell')).toBe(true);
  });

  test('the interval of a cell contains its ratio, and its noise forecasts the effort', () => {
    expect(effectOf(compareOne(observe({ ratio: 1.1 })).cell).ratio.estimate).toBeCloseTo(1.1, 1);
    const near = effectOf(compareOne(observe({ ratio: 1.04, spread: 0.015 })).cell).ratio;
    expect([near.low > 1, near.low < 1.03]).toEqual([true, true]);
    const { cell } = compareOne(observe({ ratio: 1.02, spread: 0.06 }));
    expect(cell.processesNeeded).toBeGreaterThan(16);
    expect(cell.detectableEffect).toBeGreaterThan(0.03);
  });

  test('the note on a control says whether the verdict stands', () => {
    const [note] = compareOne(observe({ ratio: 2, controlRatio: 1.06 })).warnings;
    expect(note.text).toMatch(/\+\d\.\d %, verdict stands/);
  });

  test('a cell with too few figures has neither a ratio nor a verdict, and a note with the reason', () => {
    const { cell, warnings } = compareOne(
      dropLastBaseline(observe({ processes: 4, ratio: 9, spread: 0.002 })),
    );
    expect(cell).toMatchObject({ verdict: 'inconclusive', effect: null, warnings: [1] });
    expect(warnings[0].text).toBe(
      'Too few processes gave a usable figure: serialize flat (3 figures of 3 processes). A ratio needs 4 figures per variant, or 4 complete pairs where processes run in pairs.',
    );
  });

  test('nor has a cell whose figures are equal, as with a coarse clock', () => {
    const equal = observe().map((observation) => {
      const { arm, measurement } = observation;
      const ns = arm === 'candidate' ? 1100 : 1000;
      const batchNsPerDocument = measurement.batchNsPerDocument.map(() => ns);
      return { ...observation, measurement: { ...measurement, batchNsPerDocument } };
    });
    const { cell, warnings } = compareOne(equal);
    expect(cell).toMatchObject({
      ...{ verdict: 'inconclusive', effect: null, detectableEffect: null, warnings: [1] },
    });
    expect(warnings[0].text).toMatch(
      /^The processes of each variant gave the same figure.*: serialize flat \(\d+ figures of \d+ processes\)/,
    );
  });

  test('an inconclusive cell needs more processes than were started', () => {
    const lonely = observe({ processes: 20, ratio: 1.02, spread: 0.02 }).filter(isArm('candidate'));
    const { cell } = compareOne([
      ...observe({ processes: 16, ratio: 1.02, spread: 0.02 }),
      ...lonely.slice(16),
    ]);
    expect(cell).toMatchObject({ verdict: 'inconclusive', processes: { candidate: 20 } });
    expect(cell.processesNeeded).toBeGreaterThan(20);
  });

  test('an output with another digest is refused and decides the cell', () => {
    const observations = observe({ ratio: 0.5 });
    const wrong = observations.find(isArm('candidate'));
    if (wrong) wrong.outputDigest = 'sha256:wrong';
    const result = compareOne(observations, { expectedDigests: { [FLAT.id]: DIGEST } });
    expect(result.cell.verdict).toBe('refused');
    expect(result.decided).toBe(true);
    expect(result.summaries).toEqual([]);
    expect(kindsOf(result)).toEqual(['wrong-output']);
    expect(result.warnings[0].text).toContain('serialize flat (candidate)');
  });
});

describe('looks', () => {
  test('only the first n processes of an arm count at a look, in the order of the plan', () => {
    const observations = observe({ ratio: 1.1, processes: 16 });
    const alone = compareOne(observations).cell;
    // One more job of one arm does not make a look.
    const extra = observe({ processes: 20, seed: 2 }).filter(isArm('baseline')).at(-1);
    if (extra === undefined) throw new Error('no job');
    extra.measurement.batchNsPerDocument = [1, 1, 1, 1];
    const more = compareOne([extra, ...observations]).cell;
    expect(more.effect).toEqual(alone.effect);
    expect([more.processes.baseline, more.figures.baseline]).toEqual([9, 8]);
  });

  test('data between two looks are used, and count as one more look', () => {
    const full = observe({ ratio: 1.03, processes: 32, spread: 0.04 });
    const planned = compareOne(full, { question: questionOf([FLAT]) }).cell;
    const extra = compareOne(full, { question: questionOf([FLAT], { looks: [16, 64, 128] }) }).cell;
    const without = compareOne(full, { question: questionOf([FLAT], { looks: [16, 32] }) }).cell;
    expect(extra.effect?.pNominal).toBe(planned.effect?.pNominal);
    // An unplanned look spends a part of what the next planned one has.
    expect(effectOf(extra).pSequential).toBeGreaterThan(effectOf(extra).pNominal);
    expect(effectOf(without).pSequential).toBeLessThan(effectOf(planned).pSequential);
  });

  test('the smallest p of the looks so far counts', () => {
    const early = observe({ ratio: 1.2, processes: 16 });
    const late = observe({ ratio: 0.85, processes: 32, seed: 3 }).filter(({ block }) => block >= 4);
    const first = effectOf(compareOne(early).cell);
    const both = compareOne([...early, ...late]).cell;
    expect(effectOf(both).pSequential).toBe(first.pSequential);
    expect(effectOf(both).pNominal).toBeGreaterThan(first.pNominal);
    expect(both.verdict).toBe('inconclusive');
  });

  test('a job that failed in every attempt counts towards a look', () => {
    const observations = observe({ ratio: 2, processes: 128, spread: 0.3 });
    const [victim] = observations.filter(isArm('candidate'));
    const rest = observations.filter(({ id }) => id !== victim.id);
    const { cell, decided } = compareOne([...rest, failed(victim)]);
    expect(decided).toBe(true);
    expect([cell.processes.candidate, cell.figures.candidate]).toEqual([128, 127]);
    expect(cell.failedJobs).toBe(1);
  });
});

describe('several cells', () => {
  const cells = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => cellOf(name));

  test('a difference that six cells can have by chance gets no verdict, with a note', () => {
    const question = questionOf(cells);
    const seen = observe({ cell: cells[0], ratio: 1.03, spread: 0.04, seed: 9, processes: 32 });
    const alone = compareRun({ question: questionOf([cells[0]]), observations: seen });
    const among = compareRun({ question, observations: seen });
    expect(alone.cells[0].verdict).toBe('slower');
    expect(among.cells[0].verdict).toBe('inconclusive');
    expect(effectOf(among.cells[0]).ratio).toEqual(effectOf(alone.cells[0]).ratio);
    expect(effectOf(among.cells[0]).pAdjusted).toBeCloseTo(
      6 * effectOf(alone.cells[0]).pSequential,
      12,
    );
    expect(kindsOf(among)).toContain('multiplicity');
    const note = among.warnings.find(({ kind }) => kind === 'multiplicity');
    expect(among.cells[0].warnings).toEqual([note?.number]);
    expect(among.cells[1].warnings).not.toContain(note?.number);
  });

  test('a verdict is not withdrawn when the data of other cells arrive', () => {
    const first = observe({ cell: cells[0], ratio: 1.2 });
    const others = cells.slice(1).flatMap((cell, index) => observe({ cell, seed: index + 5 }));
    const before = compareRun({ question: questionOf(cells), observations: first });
    const after = compareRun({ question: questionOf(cells), observations: [...first, ...others] });
    expect(before.cells[0].verdict).toBe('slower');
    expect(after.cells[0]).toEqual(before.cells[0]);
  });

  test('cells of one operation are summarized as a geometric mean', () => {
    const mixed = [cellOf('flat'), cellOf('deep'), cellOf('flat', 'deserialize')];
    const observations = [1.1, 0.8, 1].flatMap((ratio, index) =>
      observe({ cell: mixed[index], ratio, seed: index + 1 }),
    );
    const { summaries } = compareRun({ question: questionOf(mixed), observations });
    expect(summaries.map(({ operation, cellCount }) => [operation, cellCount])).toEqual([
      ['serialize', 2],
      ['deserialize', 1],
    ]);
    expect(summaries[0].ratio.estimate).toBeCloseTo(Math.sqrt(1.1 * 0.8), 1);
    expect(summaries[0].ratio.high).toBeLessThan(1);
  });
});

describe('any input', () => {
  test('the order of the observations does not matter', () => {
    const cells = [FLAT, cellOf('deep')];
    const observations = cells.flatMap((cell, index) => observe({ cell, ratio: 1 + index / 10 }));
    const question = questionOf(cells);
    const shuffled = shuffle(observations, seedGenerator(1));
    expect(shuffled).not.toEqual(observations);
    expect(compareRun({ question, observations: shuffled })).toEqual(
      compareRun({ question, observations }),
    );
  });

  test.each([0, 4, 8])(
    '%i processes per variant give a result that JSON can represent',
    (processes) => {
      const result = compareOne(observe({ processes, ratio: 1.5, spread: 0.002 }));
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      expect(result.cell.processes).toEqual({
        baseline: processes / 2,
        candidate: processes,
        control: processes / 2,
      });
      expect(result.cell.verdict).toBe(processes === 0 ? 'inconclusive' : 'slower');
      expect(result.cell.effect === null).toBe(processes === 0);
      expect(result.decided).toBe(processes > 0);
      expect(kindsOf(result)).toEqual(['few-processes']);
    },
  );

  test('a retried job counts once, with its successful attempt', () => {
    const observations = observe();
    const [victim] = observations;
    const retried = [...observations.slice(1), failed(victim), { ...victim, attempt: 2 }];
    const result = compareOne(retried);
    expect(result.cell.effect).toEqual(compareOne(observations).cell.effect);
    expect(result.cell.failedJobs).toBe(0);
    expect(result.warnings[0]).toMatchObject({ kind: 'failed-jobs' });
    expect(result.warnings[0].text).toContain('serialize flat (1 of 33 processes failed: timeout)');
  });

  test('a job whose figure is not a time has no measurement', () => {
    const observations = observe();
    observations[0].measurement.batchNsPerDocument = [0, 0, 0, 0];
    const { cell } = compareOne(observations);
    expect(cell.failedJobs).toBe(1);
    expect(cell.verdict).toBe('equivalent');
  });

  test('failures alone give no figures and end after the last look', () => {
    const result = compareOne(
      observe({ processes: 128 }).map((observation) => failed(observation)),
    );
    expect(result.cell).toMatchObject({ verdict: 'inconclusive', effect: null, failedJobs: 256 });
    expect(result.decided).toBe(true);
  });

  test('an observation of another run is refused, and its cell named', () => {
    const observations = observe({ cell: cellOf('tweet') });
    expect(() => compareOne(observations)).toThrow(FormatError);
    expect(() => compareOne(observations)).toThrow(/'serialize tweet'/);
  });
});

/** @param {Measurement} measurement @param {number} factor */
function scale(measurement, factor) {
  measurement.batchNsPerDocument = measurement.batchNsPerDocument.map((ns) => ns * factor);
}

describe('notes', () => {
  /** @type {[string, RegExp, (observation: ObservationDone, index: number) => void][]} */
  const disturbances = [
    [
      'unsettled-warm-up',
      /20 % of the jobs/,
      ({ measurement }, index) => (measurement.warmUp.settled = index % 5 > 0),
    ],
    ['cpu-wall-gap', /10 %/, ({ measurement }) => (measurement.cpuUserMs *= 0.9)],
    [
      'mostly-waiting',
      /60 %/,
      ({ measurement }) => {
        const { batchNsPerDocument, wallMs } = measurement;
        const { length } = batchNsPerDocument;
        measurement.batchIdleMs = new Array(length).fill((0.6 * wallMs) / length);
      },
    ],
    [
      'other-threads',
      /baseline 100 % of the wall time, candidate 150 %/,
      ({ arm, measurement }) => (measurement.cpuUserMs *= arm === 'candidate' ? 1.5 : 1),
    ],
    ['coarse-clock', /steps of 5.00 µs/, ({ measurement }) => (measurement.clockStepNs = 5_000)],
    ['gc-dominates', /40 %/, ({ measurement }) => (measurement.gcMs = 0.4 * measurement.wallMs)],
    ['drift', /\d % over/, ({ measurement, block }) => scale(measurement, 1 + block / 100)],
    [
      'bimodal',
      /\d %/,
      ({ measurement, arm, block }) =>
        scale(measurement, arm !== 'candidate' && block % 3 === 0 ? 1.1 : 1),
    ],
    ['heavy-spread', /\d %/, ({ measurement }, index) => scale(measurement, 1 + (index % 7) / 15)],
    [
      'shared-core',
      /\(50 % of the batches\)/,
      ({ measurement }) => (measurement.referenceLoopNs = [60_000, 60_000, 60_000, 90_000, 90_000]),
    ],
    [
      'uneven-batches',
      /would change the ratio by \+3\.0 %/,
      ({ arm, measurement }) => {
        const [ns] = measurement.batchNsPerDocument;
        const slow = arm === 'candidate' ? 1.12 : 1;
        measurement.batchNsPerDocument = [ns, ns, ns * slow, ns];
        measurement.referenceLoopNs = Array(5).fill(60_000);
      },
    ],
  ];

  test.each(disturbances)('%s', (kind, figure, disturb) => {
    const disturbed = observe({ processes: 32 });
    disturbed.forEach(disturb);
    expect(kindsOf(compareOne(observe({ processes: 32 })))).toEqual([]);
    const result = compareOne(disturbed);
    expect(kindsOf(result)).toEqual([kind]);
    expect(result.warnings[0].text).toMatch(
      kind === 'coarse-clock' ? /serialize flat \(.*\d/ : /serialize flat \(.*\d.* %/,
    );
    expect(result.warnings[0].text).toMatch(figure);
    expect(result.cell.warnings).toEqual([1]);
  });

  test('heavy-spread depends on the threshold of a calibration', () => {
    const thresholds = { othersShare: 0.05, stealShare: 0.01, processSpread: 0.2 };
    const disturbed = observe({ spread: 0.12, processes: 24 });
    expect(kindsOf(compareOne(disturbed))).toContain('heavy-spread');
    expect(kindsOf(compareOne(disturbed, { thresholds }))).not.toContain('heavy-spread');
  });

  test('mann-whitney-disagrees, when outliers of one arm hide a clear shift of the rest', () => {
    const world = { processes: 48, ratio: 1.02, spread: 0.005 };
    const hidden = observe(world);
    hidden
      .filter(({ arm }) => arm !== 'candidate')
      .forEach(({ measurement }, index) => {
        if (index % 4 === 0) scale(measurement, 1.5);
      });
    const { cell, warnings } = compareOne(hidden);
    expect(cell.verdict).toBe('inconclusive');
    expect(cell.mannWhitneyP).toBeLessThan(0.001);
    expect(kindsOf({ warnings })).toContain('mann-whitney-disagrees');
    expect(kindsOf(compareOne(observe(world)))).not.toContain('mann-whitney-disagrees');
  });

  test('no-control, without which there is no verdict, however large the difference', () => {
    const withoutControl = observe({ ratio: 2 }).filter(({ arm }) => arm !== 'control');
    const result = compareOne(withoutControl);
    expect(result.cell).toMatchObject({ control: null, verdict: 'inconclusive', strong: false });
    expect(kindsOf(result)).toEqual(['few-processes', 'no-control']);
  });

  test('the run: screen mode and the host come first, in a fixed order', () => {
    const hostNoise = { stealShare: 0.05, othersShare: 0.2, throttledMs: 12 };
    const environment = {
      ...makeManifest().environment,
      loadAverage: 3,
      cpuCount: 2,
      governor: 'powersave',
      clockSource: 'hpet',
    };
    const result = compareRun({
      question: questionOf([FLAT], { mode: 'screen', budgetSeconds: 30 }),
      observations: observe({ spread: 0.12, ratio: 1.02 }),
      ended: 'budget',
      environment,
      hostNoise,
    });
    expect(kindsOf(result)).toEqual([
      'screen-mode',
      'governor',
      'clock-source',
      'busy-host',
      'steal',
      'other-processes',
      'throttled',
      'heavy-spread',
    ]);
    expect(result.warnings.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(result.cells[0].warnings).toEqual([8]);
  });
});

describe('what pairs do not show', () => {
  const question = questionOf([FLAT], { schedule: 'paired', looks: [32] });

  /** Pairs without a difference. @param {(each: ObservationDone) => void} change */
  function compareChanged(change) {
    const settings = { noise: /** @type {const} */ ('normal'), spread: 0.01, outputDigest: DIGEST };
    const observations = simulateQuestion(
      question,
      { from: 0, to: 32, cells: [FLAT] },
      () => 12_000,
      settings,
      seedGenerator(3),
    );
    for (const each of observations) {
      each.startedAtMs = 1000 * (8 * each.block + (each.position >> 1));
      if (each.outcome === 'done') change(each);
    }
    return effectOf(compareOne(observations, { question }).cell).ratio;
  }
  const plain = compareChanged(() => {});

  test('garbage moves out the end of the interval on its side', () => {
    const ratio = compareChanged(({ arm, measurement }) => {
      measurement.gcMs = (arm === 'candidate' ? 0.06 : 0.02) * measurement.wallMs;
    });
    expect(ratio.low).toBe(plain.low);
    expect(ratio.high / plain.high - 1).toBeCloseTo(0.4 * 0.04, 3);
  });

  test('a candidate that slows the reference loop moves out both ends', () => {
    const ratio = compareChanged(({ arm, measurement }) => {
      const readings = measurement.batchNsPerDocument.length + 1;
      const slow = arm === 'candidate' ? 1.03 : 1;
      measurement.referenceLoopNs = Array(readings).fill(60_000 * slow);
      measurement.batchNsPerDocument = measurement.batchNsPerDocument.map((ns) => ns * slow);
    });
    expect(Math.log(ratio.high / plain.high)).toBeCloseTo(Math.log(1.03), 2);
    expect(Math.log(plain.low / ratio.low)).toBeCloseTo(Math.log(1.03), 2);
  });
});

describe('the mean over cells', () => {
  /** @type {(difference: number, standardError: number, degreesOfFreedom: number, level?: number) => any} */
  const effectOf = (difference, standardError, degreesOfFreedom, level = 0.02) => ({
    level,
    test: { difference, standardError, degreesOfFreedom },
    allowance: { low: 0, high: 0 },
    interval: { estimate: difference, low: -1, high: 1 },
  });

  test('has the interval of independent cells at the level of the run', () => {
    const { estimate, low, high } = averageEffects(
      [effectOf(0.1, 0.03, 20), effectOf(0.3, 0.04, 20)],
      {},
    );
    expect(estimate).toBeCloseTo(0.2, 12);
    // Satterthwaite: (9 + 16)² / (9² / 20 + 16² / 20) = 37.1 degrees of freedom, whose t is 2.43.
    expect(high - estimate).toBeCloseTo(2.431 * 0.025, 4);
    expect(estimate - low).toBeCloseTo(high - estimate, 12);
  });

  test('of a single cell is that cell', () => {
    expect(averageEffects([effectOf(0.1, 0.03, 20)], {})).toEqual({
      estimate: 0.1,
      low: -1,
      high: 1,
    });
  });

  test('has the strictest level of them, which an unplanned look may have', () => {
    const [usual, strict] = [0.02, 0.005].map((level) =>
      averageEffects([effectOf(0.1, 0.03, 20), effectOf(0.3, 0.04, 20, level)], {}),
    );
    expect(strict.high).toBeGreaterThan(usual.high);
  });

  test('reaches further from zero in pairs, by the largest pull towards it', () => {
    const effects = [effectOf(0.1, 0.03, 20), effectOf(0.3, 0.04, 20)];
    const [sequential, paired] = [undefined, /** @type {const} */ ('paired')].map((schedule) =>
      averageEffects(effects, { ...(schedule && { schedule }) }),
    );
    expect(paired.high).toBeCloseTo(1.1 * sequential.high, 12);
    expect(paired.low).toBe(sequential.low);
  });

  test('allows in pairs for a pull of each cell, also where their mean is 0', () => {
    const effects = [effectOf(-0.4, 0.001, 20), effectOf(0.4, 0.001, 20)];
    const { low, high } = averageEffects(effects, { schedule: 'paired' });
    expect([low, high].map((end) => Number(end.toFixed(2)))).toEqual([-0.02, 0.02]);
  });
});

describe('in pairs', () => {
  const question = questionOf([FLAT], { schedule: 'paired' });

  /** @param {number} ratio */
  function observePairs(ratio) {
    const settings = { noise: /** @type {const} */ ('normal'), spread: 0.01, outputDigest: DIGEST };
    const observations = simulateQuestion(
      question,
      { from: 0, to: 16, cells: [FLAT] },
      ({ arm }) => 12_000 * (arm === 'candidate' ? ratio : 1),
      settings,
      seedGenerator(1),
    );
    // Both of a pair start at the same time.
    for (const each of observations)
      each.startedAtMs = 1000 * (8 * each.block + (each.position >> 1));
    return observations;
  }

  test.each([
    [1.1, 'slower'],
    [0.9, 'faster'],
  ])('the candidate is compared with the baseline: ×%d is %s', (ratio, verdict) => {
    const { cell } = compareOne(observePairs(ratio), { question });
    expect(cell).toMatchObject({ verdict, strong: true, pairs: 16 });
    expect(effectOf(cell).ratio.estimate).toBeCloseTo(ratio, 1);
  });

  test('two pairs, one in each order of the cores, give neither an interval nor a certain difference', () => {
    const observations = observePairs(3);
    const isOfTwo = (/** @type {Observation} */ { block, position }) =>
      block === 0 && (position >> 1 === 0 || position >> 1 === 3);
    for (const each of observations) if (!isOfTwo(each)) each.startedAtMs += 100 * each.position;
    const result = compareOne(observations, { question });
    const { cell } = result;
    expect(cell).toMatchObject({ verdict: 'inconclusive', effect: null, pairs: 2 });
    expect([cell.processes.candidate, cell.figures.candidate]).toEqual([16, 16]);
    expect(result.warnings[0]).toMatchObject({ kind: 'too-few-figures' });
    expect(result.warnings[0].text).toContain('serialize flat (2 pairs of 16 processes)');
  });
});

describe('beside neighbours', () => {
  const question = questionOf([FLAT], { schedule: 'paired', earlyLook: 8, looks: [16, 32] });

  const pairOf = (/** @type {{ position: number }} */ { position }) => position >> 1;
  /** @type {(job: Pick<Observation, 'arm' | 'block' | 'position'>) => boolean} */
  const slowsOneOfPair = (job) => (job.arm === 'candidate') === (pairOf(job) % 2 === 0);
  /** @type {typeof slowsOneOfPair} */
  const slowsAllButFirst = (job) => job.block + pairOf(job) > 0;

  /**
   * Pairs beside a neighbour.
   *
   * @param {number} ratio
   * @param {{ processes?: number, powers?: Partial<Record<Arm, number>>, slows?: typeof slowsOneOfPair }} [world] by
   *   which power of the slowdown of the reference loop it slows each arm, all alike by default, and which processes; by
   *   default one of each pair, each arm in turn, so that no pair is undisturbed
   */
  function observeDisturbed(ratio, { processes = 8, powers = {}, slows = slowsOneOfPair } = {}) {
    const settings = { noise: /** @type {const} */ ('normal'), spread: 0.03, outputDigest: DIGEST };
    const random = seedGenerator(2);
    const observations = simulateQuestion(
      question,
      { from: 0, to: processes, cells: [FLAT] },
      ({ arm }) => 12_000 * (arm === 'candidate' ? ratio : 1),
      settings,
      random,
    );
    for (const each of observations) {
      each.startedAtMs = 1000 * (8 * each.block + pairOf(each));
      if (each.outcome !== 'done') continue;
      const slowdown = slows(each) ? 1.4 : 1;
      const batches = each.measurement.batchNsPerDocument;
      const factor = slowdown ** (powers[each.arm] ?? 1.2);
      each.measurement.batchNsPerDocument = batches.map((ns) => ns * factor);
      each.measurement.referenceLoopNs = Array(batches.length + 1).fill(60_000 * slowdown);
    }
    return observations;
  }

  test.each([
    [2, 'slower'],
    [0.5, 'faster'],
  ])('a large effect is settled by all processes: ×%d is %s', (ratio, verdict) => {
    const { cell, decided, warnings } = compareOne(
      observeDisturbed(ratio, { slows: slowsAllButFirst }),
      {
        question,
      },
    );
    expect(cell).toMatchObject({ verdict, strong: true });
    expect(decided).toBe(true);
    expect(effectOf(cell).ratio.estimate / ratio).toBeCloseTo(1, 1);
    expect(cell.figures).toEqual(cell.processes);
    expect(warnings.map(({ kind }) => kind)).toContain('all-processes');
  });

  test('the undisturbed processes are compared at the early look, too', () => {
    const { cell } = compareOne(observeDisturbed(1.5), { question });
    expect(cell).toMatchObject({ verdict: 'slower', figures: { candidate: 4 } });
  });

  test('a run that ends before the early look compares independent samples, whatever cores they ran on', () => {
    const never = () => false;
    const observations = observeDisturbed(1.25, { slows: never }).filter(
      ({ block, position }) => block === 0 || position < 6,
    );
    for (const each of observations) {
      if (each.outcome !== 'done' || each.position % 2 === 0) continue;
      const { measurement } = each;
      measurement.batchNsPerDocument = measurement.batchNsPerDocument.map((ns) => 1.1 * ns);
    }
    const { cell } = compareOne(observations, { question });
    expect(cell.processes.candidate).toBeLessThan(8);
    expect(cell.pairs).toBeUndefined();
    expect(cell).toMatchObject({ verdict: 'slower', strong: true });
    expect(effectOf(cell).ratio.estimate).toBeCloseTo(1.25, 1);
  });

  test('all processes are compared where no undisturbed ones show whether the control agrees', () => {
    const slows = (/** @type {{ arm: Arm }} */ { arm }) => arm === 'control';
    const { cell } = compareOne(observeDisturbed(2, { slows }), { question });
    expect(cell).toMatchObject({ verdict: 'slower', figures: { control: 4 } });
  });

  test('a small one is settled by the undisturbed processes, whose partners are missing', () => {
    const [none, small] = [1, 1.1].map((ratio) =>
      compareOne(observeDisturbed(ratio, { processes: 16 }), { question }),
    );
    expect(none.cell.verdict).toBe('inconclusive');
    expect(small.cell).toMatchObject({ verdict: 'slower', figures: { candidate: 8 } });
    expect(small.cell.pairs).toBeUndefined();
    expect(effectOf(small.cell).ratio.estimate).toBeCloseTo(1.1, 1);
  });

  test('an effect that the neighbours may have made is none', () => {
    const powers = { candidate: 1.6, baseline: 0.8, control: 0.8 };
    const { cell } = compareOne(observeDisturbed(1, { processes: 16, powers }), { question });
    expect(effectOf(cell).ratio.low).toBeLessThan(1);
    expect(cell.verdict).toBe('inconclusive');
  });
});

describe('cold cells', () => {
  const COLD = [1, 10].map((calls) => ({
    ...FLAT,
    id: `${FLAT.id} cold ${calls}`,
    cold: { calls, withLoad: false },
  }));
  const question = questionOf(COLD);

  test('have a mean of their own for each figure', () => {
    const observations = COLD.flatMap((cell, index) => observe({ cell, ratio: 1 + index }));
    const { summaries } = compareRun({ question, observations });
    expect(summaries.map(({ cold, cellCount }) => [cold?.calls, cellCount])).toEqual([
      [1, 1],
      [10, 1],
    ]);
    expect(summaries.map(({ ratio }) => ratio.estimate.toFixed(1))).toEqual(['1.0', '2.0']);
  });

  test('have no note on a spread that first calls always have', () => {
    const observations = COLD.flatMap((cell) => observe({ cell, spread: 0.12, processes: 24 }));
    const kinds = kindsOf(compareRun({ question, observations }));
    expect(kinds).not.toContain('heavy-spread');
  });

  test('have a note where one arm waits for a processor more, which its figure leaves out', () => {
    const observations = COLD.flatMap((cell) => observe({ cell, processes: 32 }));
    for (const { arm, measurement } of observations) {
      const [ns] = measurement.batchNsPerDocument;
      const waitNs = arm === 'candidate' ? ns / 10 : 0;
      measurement.batchNsPerDocument = [ns + waitNs];
      measurement.documentsPerBatch = 1;
      measurement.batchWaitMs = [waitNs / 1e6];
      measurement.referenceLoopNs = [60_000, 60_000];
    }
    const { cells, warnings } = compareRun({ question, observations });
    expect(cells.map(({ verdict }) => verdict)).toEqual(['equivalent', 'equivalent']);
    expect(kindsOf({ warnings })).toEqual(['uneven-batches']);
    expect(warnings[0].text).toMatch(
      /serialize flat cold 1 \(waiting for a processor would change the ratio by \+10 %\), serialize flat cold 10 \(/,
    );
  });
});
