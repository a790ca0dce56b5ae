import {
  READING_NS,
  UNDISTURBED,
  listBatches,
  makeMeasurement,
  makeSlowed,
} from '../testing/simulation/measurements.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { drawNormal } from '../studies/simulation/noise.js';
import {
  correctFigure,
  fastestReading,
  listFigures,
  shareDisturbed,
  shareDisturbedReadings,
  takeFigure,
  takeJitter,
  undisturbedSpeed,
} from './interference.js';
import { seedGenerator } from './random.js';
import { robustDeviation } from './robust.js';

/** @import { Measurement, ObservationDone } from '../formats/types.ts' */
/** @import { UndisturbedSpeed } from './interference.js' */

const QUESTION = { looks: [24], baseline: 'recursive', candidate: 'generator', cores: 1 };

/**
 * @param {number} block
 * @param {Measurement} measurement
 * @param {ObservationDone['arm']} [arm]
 * @returns {ObservationDone}
 */
const observe = (block, measurement, arm = 'baseline') => ({
  formatVersion: FORMAT_VERSION,
  id: `cell/${block}`,
  cellId: 'cell',
  arm,
  block,
  position: 0,
  attempt: 1,
  startedAtMs: 0,
  workerMs: 1,
  outcome: 'done',
  outputDigest: '',
  measurement,
});

/** @param {number} count of undisturbed batches, which come first */
const sharedAfter = (count) => makeSlowed((batch) => (batch < count ? 1 : 1.45));

/**
 * One observation per block, slowed by one factor throughout.
 *
 * @param {number[]} factors
 * @param {ObservationDone['arm']} [arm]
 */
const observeBlocks = (factors, arm) =>
  factors.map((factor, block) => observe(block, makeSlowed(factor), arm));

/** @param {ObservationDone[]} observations @param {Partial<typeof QUESTION>} [changes] */
const figuresOf = (observations, changes) =>
  listFigures(observations, { ...QUESTION, ...changes }).map(({ ns }) => Math.round(ns));

describe('the undisturbed speed', () => {
  test('is a low quantile of the jobs before the first look, whatever follows', () => {
    const early = observeBlocks([1, 1.4, 1.01, 1.02, 1.4, 1.4]);
    const late = observeBlocks(Array(12).fill(0.8)).slice(6);
    expect(undisturbedSpeed(early, [24, 48])?.readingNs).toBeCloseTo(READING_NS * 1.01, 6);
    expect(undisturbedSpeed([...early, ...late], [24, 48])).toEqual(
      undisturbedSpeed(early, [24, 48]),
    );
    expect(figuresOf(early)).toEqual([1010, 1010, 1010]);
  });

  test('is separate for arms that run under different runtimes', () => {
    const arms = [
      ...observeBlocks(Array(6).fill(1)),
      ...observeBlocks(Array(6).fill(1.2), 'candidate'),
    ];
    const pins = { baseline: 'recursive@node=20', candidate: 'recursive@node=24' };
    expect(figuresOf(arms, pins)).toEqual([...Array(6).fill(1000), ...Array(6).fill(1200)]);
    // Converting them to the speed of their arm would hide that all are equally slow.
    const steps = [1, 1.1, 1.2].flatMap((factor) => [factor, factor]);
    const both = [...observeBlocks(steps), ...observeBlocks(steps, 'candidate')];
    expect(figuresOf(both, pins)).toEqual([...steps, ...steps].map((factor) => 1000 * factor));
    expect(figuresOf(arms)).toHaveLength(6);
  });

  test('is unknown under two versions of Node where one arm was always disturbed', () => {
    const arms = [
      ...observeBlocks(Array(6).fill(1)),
      ...observeBlocks(Array(6).fill(1.4), 'candidate'),
    ];
    const pins = { baseline: 'recursive@node=20', candidate: 'recursive@node=24' };
    expect(figuresOf(arms, pins)).toEqual([]);
  });

  test('has a limit that half of the processes meet where the frequency changes in steps', () => {
    expect(figuresOf(observeBlocks([1, 1, 1.12, 1.2, 1.2, 1.2]))).toEqual([1000, 1000, 1000]);
  });

  test('never includes a neighbour on the core, however few processes are undisturbed', () => {
    expect(figuresOf(observeBlocks([1, 1.4, 1.4, 1.4, 1.4, 1.4]))).toEqual([1000]);
  });

  test('has a limit for each core of pairs, one of which is slower all the time', () => {
    const processes = [1, 1.12].flatMap((factor, position) =>
      observeBlocks(Array(6).fill(factor)).map((each) => ({ ...each, position })),
    );
    expect(figuresOf(processes)).toHaveLength(6);
    expect(figuresOf(processes, { cores: 2 })).toEqual(Array(12).fill(1000));
    expect(shareDisturbed(processes, { ...QUESTION, cores: 2 })).toBe(0);
  });

  test('is not that of a cell which was disturbed throughout, if another cell shows it', () => {
    const disturbed = observeBlocks(Array(6).fill(1.5));
    expect(undisturbedSpeed(disturbed, [24])?.fastestNs).toBe(1.5 * READING_NS);
    const elsewhereNs = fastestReading(observeBlocks([1]), [24]);
    const speed = undisturbedSpeed(disturbed, [24], elsewhereNs);
    expect(takeFigure(disturbed[0].measurement, speed)).toBeNull();
    // A step of the frequency is no disturbance.
    const slower = observeBlocks(Array(6).fill(1.2));
    expect(undisturbedSpeed(slower, [24], elsewhereNs)).toEqual(undisturbedSpeed(slower, [24]));
  });

  test('is unknown where workers have no reference loop', () => {
    const bare = observe(0, makeMeasurement());
    expect(undisturbedSpeed([bare], [12])).toBeNull();
    expect(shareDisturbed([bare], QUESTION)).toBeNull();
  });
});

describe('the disturbed share', () => {
  test('counts batches that started or ended slower', () => {
    const undisturbed = observeBlocks([1, 1, 1]);
    const shared = observe(3, sharedAfter(12));
    expect(shareDisturbed(undisturbed, QUESTION)).toBe(0);
    // The batch between a fast reading and a slow one is disturbed, too.
    expect(shareDisturbed([...undisturbed, shared], QUESTION)).toBeCloseTo(13 / 96, 10);
  });

  test('of consecutive readings counts those above their low quantile', () => {
    expect(shareDisturbedReadings([60, 61, 59, 60, 60])).toBe(0);
    expect(shareDisturbedReadings([60, 90, 60, 85, 100])).toBe(0.6);
  });
});

const batchGcMs = listBatches((batch) => (batch % 8 === 0 ? 1 : 0));
const collecting = batchGcMs.map((ms) => 1000 + (ms * 1e6) / 5000);
const NO_TIME = { batchNsPerDocument: Array(24).fill(0) };

describe('the figure of a process', () => {
  /** @type {[string, Measurement, number | null][]} */
  const cases = [
    ['the median without readings', makeMeasurement({ batchNsPerDocument: [5, 1, 9] }), 5],
    ['that of batches without a neighbour', sharedAfter(9), 1000],
    ['that of six batches, if need be', sharedAfter(7), 1000],
    ['missing with fewer undisturbed batches', sharedAfter(5), null],
    ['scaled from a lower frequency', makeSlowed(1.06), 1000],
    ['scaled from a higher frequency', makeSlowed(0.97), 1000],
    [
      'without the time in which the thread waited for a processor',
      makeSlowed(1, { batchNsPerDocument: Array(24).fill(1400), batchWaitMs: Array(24).fill(2) }),
      1000,
    ],
    ['never negative', makeSlowed(1, { batchGcMs: Array(24).fill(9) }), 1800],
    ['missing where batches took no time', makeSlowed(1, NO_TIME), null],
    ['missing where batches without readings took no time', makeMeasurement(NO_TIME), null],
    [
      'increased by the mean of collections, although most batches have none',
      makeSlowed(1, { batchNsPerDocument: collecting, batchGcMs }),
      1000 + 200 / 8,
    ],
  ];
  test.each(cases)('is %s', (_, measurement, expected) => {
    const figure = takeFigure(measurement, UNDISTURBED);
    if (expected === null) expect(figure).toBeNull();
    else expect(figure).toBeCloseTo(expected, 6);
  });

  test('is scaled in the part that is work, since a wait is as long on a slower processor', () => {
    const batchIdleMs = listBatches(() => 2);
    const { documentsPerBatch } = makeMeasurement();
    const idleNs = 2e6 / documentsPerBatch;
    const batchNsPerDocument = listBatches(() => 1000 * 1.05 + idleNs);
    const waiting = makeSlowed(1.05, { batchNsPerDocument, batchIdleMs });
    expect(takeFigure(waiting, UNDISTURBED)).toBeCloseTo(1000 + idleNs, 6);
    const corrected = correctFigure(waiting, UNDISTURBED)?.logFigure ?? NaN;
    const factor = 1.05 ** -1.2;
    expect(Math.exp(corrected)).toBeCloseTo(1050 * factor + idleNs, 6);
  });

  test('is the median where the undisturbed speed is unknown', () => {
    expect(takeFigure(makeSlowed(1.4), null)).toBe(1400);
  });

  test('grows with the cost of the code, whatever the speed', () => {
    const factors = listBatches((batch) => 1 + 0.02 * Math.sin(batch));
    const wide = { ...UNDISTURBED, limitNs: READING_NS * 1.1 };
    const [plain, slower] = [1000, 1100].map((ns) =>
      makeSlowed((batch) => factors[batch], {
        batchNsPerDocument: factors.map((factor) => ns * factor),
      }),
    );
    expect(Number(takeFigure(slower, wide)) / Number(takeFigure(plain, wide))).toBeCloseTo(1.1, 6);
  });

  test('varies far less than the median on a shared processor', () => {
    const random = seedGenerator(7);
    const jitter = () => Math.exp(0.005 * drawNormal(random));
    const processes = Array.from({ length: 200 }, () => {
      let isShared = drawNormal(random) > 0.5;
      const factors = Array.from({ length: 25 }, () => {
        if (drawNormal(random) > 1.6) isShared = !isShared;
        return (isShared ? 1.45 : 1) * jitter();
      });
      return makeMeasurement({
        batchNsPerDocument: listBatches(
          (batch) => 500 * (factors[batch] + factors[batch + 1]) * jitter(),
        ),
        referenceLoopNs: factors.map((factor) => READING_NS * factor),
      });
    });
    /** @param {UndisturbedSpeed | null} speed */
    const spreadOf = (speed) => {
      const figures = processes.flatMap((process) => takeFigure(process, speed) ?? []);
      expect(figures.length).toBeGreaterThan(100);
      return robustDeviation(Float64Array.from(figures, Math.log).sort());
    };
    expect(spreadOf(UNDISTURBED)).toBeLessThan(spreadOf(null) / 5);
  });
});

describe('the jitter of undisturbed batches', () => {
  test('is zero where all take the same time, whatever a neighbour does to the others', () => {
    const shared = sharedAfter(14);
    expect(takeJitter(shared, UNDISTURBED)).toBeCloseTo(0, 10);
  });

  test('is positive for a variant that is slow in every fourth batch', () => {
    const batchNsPerDocument = listBatches((batch) => (batch % 4 === 0 ? 1400 : 1000));
    const uneven = makeSlowed(1, { batchNsPerDocument });
    expect(takeFigure(uneven, UNDISTURBED)).toBeCloseTo(1000, 6);
    expect(takeJitter(uneven, UNDISTURBED)).toBeCloseTo(Math.log(1.1), 10);
  });

  test('includes the time in which the thread waited for a processor', () => {
    const batchWaitMs = listBatches((batch) => (batch % 4 === 0 ? 2 : 0));
    const batchNsPerDocument = batchWaitMs.map((ms) => 1000 + 200 * ms);
    const waiting = makeSlowed(1, { batchNsPerDocument, batchWaitMs });
    expect(takeJitter(waiting, UNDISTURBED)).toBeCloseTo(Math.log(1.1), 10);
  });

  test('is unknown where batches are not selected, or hardly any was undisturbed', () => {
    expect(takeJitter(makeMeasurement(), UNDISTURBED)).toBeNull();
    expect(takeJitter(makeSlowed(1), null)).toBeNull();
    expect(takeJitter(sharedAfter(0), UNDISTURBED)).toBeNull();
  });
});

describe('where collections are unknown', () => {
  const seeing = makeSlowed(1);
  seeing.batchNsPerDocument = listBatches((batch) => (batch % 3 === 0 ? 1300 : 1000));
  const blind = { ...seeing };
  delete blind.gcMs;
  delete blind.gcCount;

  test('the figure is the mean of the undisturbed batches', () => {
    const speed = undisturbedSpeed([observe(0, blind)], [12]);
    expect(takeFigure(blind, speed)).toBeCloseTo(1100, 6);
    expect(takeJitter(blind, speed)).toBeCloseTo(0, 12);
    expect(takeFigure(seeing, undisturbedSpeed([observe(0, seeing)], [12]))).toBeCloseTo(1000, 6);
  });

  test('of one runtime, the figures of the other are means, too', () => {
    const arms = [observe(0, seeing), observe(0, blind, 'candidate')];
    const pins = { baseline: 'recursive@node=24', candidate: 'recursive@bun=1.4' };
    expect(figuresOf(arms, pins)).toEqual([1100, 1100]);
    expect(figuresOf([arms[0], observe(0, seeing, 'candidate')], pins)).toEqual([1000, 1000]);
  });
});

describe('the corrected figure', () => {
  const POWER = 1.2;
  /** Code that a neighbour slows more than the reference loop. @param {(batch: number) => number} factorOf of the loop */
  const slow = (factorOf) =>
    makeSlowed((batch) => factorOf(batch), {
      batchNsPerDocument: listBatches((batch) => 1000 * factorOf(batch) ** POWER),
    });
  const logOf = (/** @type {Measurement} */ measurement) =>
    correctFigure(measurement, UNDISTURBED)?.logFigure ?? NaN;

  test('is that of an undisturbed process, also beside a neighbour, which it tells of', () => {
    const calm = correctFigure(
      slow(() => 1),
      UNDISTURBED,
    );
    const busy = correctFigure(
      slow(() => 1.5),
      UNDISTURBED,
    );
    expect(calm).toEqual({ logFigure: expect.closeTo(Math.log(1000), 9), slowdown: 0 });
    expect(busy).toEqual({
      logFigure: expect.closeTo(Math.log(1000), 9),
      slowdown: expect.closeTo(Math.log(1.5), 9),
    });
    expect(
      takeFigure(
        slow(() => 1.5),
        UNDISTURBED,
      ),
    ).toBeNull();
  });

  test('takes the batches beside the fastest readings, as many whatever was disturbed', () => {
    const few = slow((batch) => (batch < 7 ? 1 : 1.6));
    expect(correctFigure(few, UNDISTURBED)?.slowdown).toBe(0);
    const random = seedGenerator(1);
    const noisy = (/** @type {number} */ disturbedFrom) => {
      const batches = listBatches(() => 1000 * Math.exp(0.05 * drawNormal(random)));
      const factors = listBatches((batch) => (batch < disturbedFrom ? 1 : 1.6));
      return makeSlowed((batch) => factors[batch], {
        batchNsPerDocument: batches.map((ns, batch) => ns * factors[batch] ** POWER),
      });
    };
    const meanOf = (/** @type {number} */ from) => {
      const logs = Array.from({ length: 2000 }, () => logOf(noisy(from)));
      return logs.reduce((sum, log) => sum + log, 0) / logs.length;
    };
    expect(meanOf(24) - meanOf(8)).toBeCloseTo(0, 2);
  });

  test('does not exist without a reference loop, or where arms have speeds of their own', () => {
    expect(correctFigure(makeMeasurement(), UNDISTURBED)).toBeNull();
    expect(
      correctFigure(
        slow(() => 1),
        { ...UNDISTURBED, isShared: false },
      ),
    ).toBeNull();
    expect(
      correctFigure(
        slow(() => 1),
        null,
      ),
    ).toBeNull();
  });
});
