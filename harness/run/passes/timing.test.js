import { makeManifest } from '../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { makeContext } from './test-support/make-context.js';
import { execute } from '../execute.js';
import { openTimingPass } from './timing.js';

/** @import { Measurement, Observation, Progress, Question } from '../../formats/types.ts' */
/** @import { Look } from '../progress.js' */

const FLAT = 'serialize flat';
const DEEP = 'serialize deep';
/** Jobs of a cell up to the early look, of both variants. */
const EARLY_JOBS = 16;

/** @type {(ns: number) => Measurement} */
function makeMeasurement(ns) {
  return {
    batchNsPerDocument: [ns, ns, ns],
    documentsPerBatch: 800,
    warmUp: { ms: 90, calls: 6000, settled: true },
    cpuUserMs: 30,
    cpuSystemMs: 0,
    wallMs: 30,
    gcCount: 6,
    gcMs: 0.7,
    voluntaryContextSwitches: 20,
    involuntaryContextSwitches: 0,
    autogroupRaised: false,
  };
}

/**
 * Times two cells with jobs of 100 ms: the candidate takes twice the time on `flat`, and the same on `deep`.
 *
 * @param {Partial<Question>} [changes]
 * @param {Observation[]} [earlier] of the session before
 */
async function measure(changes = {}, earlier = []) {
  const cells = [FLAT, DEEP].map((id) => ({ id, operation: 'serialize', corpus: id.slice(10) }));
  const manifest = makeManifest({ cells, earlyLook: 8, looks: [16, 32], ...changes });
  /** @type {string[]} */
  const cellIds = [];
  /** Before each job, or pair of jobs. @type {Progress[]} */
  const reported = [];
  /** @type {Look[]} */
  const looks = [];
  const context = makeContext(async ({ id }) => {
    const [cellId, , , arm] = id.split('/');
    cellIds.push(cellId);
    const factor = cellId === FLAT && arm === 'candidate' ? 2 : 1;
    const ns = 10_000 * factor * (1 + 0.03 * Math.sin(2.4 * cellIds.length));
    const outputDigest = manifest.expectedDigests[cellId];
    const report = { formatVersion: FORMAT_VERSION, jobId: id, kind: 'measure' };
    return { workerMs: 100, report: { ...report, outputDigest, measurement: makeMeasurement(ns) } };
  });
  const { observations } = context;
  observations.push(...earlier);
  const pass = openTimingPass({
    manifest,
    familyPath: '/assay/experiments/js-bson',
    onLook: (look) => looks.push(look),
    cores: [0, 1],
    observations,
  });
  const onProgress = (/** @type {() => Progress} */ describe) => reported.push(describe());
  const ended = await execute(pass, { ...context, onProgress });
  return { ended, cellIds, reported, looks, observations };
}

test('the early look takes one cell after the other, and settles large effects', async () => {
  const { ended, cellIds, looks } = await measure();
  expect(ended).toBe('complete');
  expect(cellIds.slice(0, EARLY_JOBS)).toEqual(Array(EARLY_JOBS).fill(FLAT));
  expect(new Set(cellIds.slice(EARLY_JOBS))).toEqual(new Set([DEEP]));
  expect(looks[0].decided).toEqual({ [FLAT]: true, [DEEP]: false });
});

test('a resumed run decides at each look by the jobs up to there, whatever was measured since', async () => {
  const { looks, observations } = await measure();
  const resumed = await measure({}, observations);
  expect(resumed.cellIds).toEqual([]);
  // At the look before, the second cell had no jobs yet.
  expect(resumed.looks.slice(1)).toEqual(looks.slice(1));
});

describe('progress', () => {
  test('names the cell and the look', async () => {
    const { reported } = await measure();
    expect(reported[0].step).toBe('serialize flat · look 1 of 3');
    expect(reported[EARLY_JOBS].step).toBe('serialize deep · look 1 of 3');
    expect(reported[2 * EARLY_JOBS].step).toBe('serialize deep · look 2 of 3');
  });

  test('has the time until the last look of all open cells, where their noise is not known', async () => {
    const { reported } = await measure();
    expect(reported[0]).toMatchObject({ secondsLeft: NaN, isUpperBound: true });
    expect(reported[1].secondsLeft).toBeCloseTo(2 * 6.4 - 0.1);
    expect(reported[EARLY_JOBS].secondsLeft).toBeCloseTo(6.4);
    expect(reported[EARLY_JOBS].isUpperBound).toBe(true);
  });

  test('has the time until the look by which a cell is settled, if its noise is known', async () => {
    const { reported } = await measure();
    expect(reported[2 * EARLY_JOBS].secondsLeft).toBeCloseTo(1.6);
    expect(reported[2 * EARLY_JOBS].isUpperBound).toBe(false);
  });

  test('has half of the time where two jobs run at the same time', async () => {
    const { reported } = await measure({ schedule: 'paired' });
    expect(reported[EARLY_JOBS / 2].secondsLeft).toBeCloseTo(3.2);
  });
});
