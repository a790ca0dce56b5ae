import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { makeManifest, makeVerdict } from '../../../reports/fixtures/build.js';
import { PROJECT } from '../../lib/project.js';
import { prepareComparison } from '../../run/prepare.js';
import { describeExperiment } from '../../run/run.js';
import { makeReplayRecord } from '../../run/verdict.js';
import { findFamily, listFamilies } from '../../variants/families.js';
import { addRecord, makeRecord } from '../history/store.js';
import { measureStep, recallSteps } from './measure.js';
import { openTrend } from './test-support/fixtures.js';
import { makeTestDirectory, writeFiles } from '../../testing/support/directories.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';

/** @import { ComparisonRecord, Question, Trend } from '../../formats/types.ts' */

const REFERENCE = 'generator';
const POINTS = ['generator', 'linked-list', 'indexed', 'path:/absent'];
const CELL = { id: 'serialize flat', operation: 'serialize', corpus: 'flat' };
const OTHER_CELL = { id: 'serialize deep', operation: 'serialize', corpus: 'deep' };

const directory = makeTestDirectory('measure');

const families = await listFamilies(PROJECT.experimentsPath);
const family = findFamily(families, 'js-bson');
const ignored = { write: () => true };

/** @param {AbortSignal} [signal] */
function openContext(signal = new AbortController().signal) {
  const storePath = mkdtempSync(join(directory, 'store-'));
  const outside = { environment: process.env, workingPath: directory, signal };
  const io = { stdout: ignored, stderr: ignored, ...outside, runJob: scriptJobs() };
  return { families, family, storePath, io };
}

/** @type {Trend} */
const trend = (() => {
  const opened = openTrend(
    POINTS.map((spec) => ({ spec, name: spec })),
    1,
  );
  return { ...opened, question: { ...opened.question, baseline: REFERENCE } };
})();

/** @type {Map<string, ReturnType<typeof describeExperiment>>} */
const experiments = new Map();

/**
 * @param {Question} question
 * @returns {Promise<ReturnType<typeof describeExperiment>>} of these variants, whatever else is asked
 */
async function describeOnce(question) {
  const key = JSON.stringify([question.baseline, question.candidates]);
  const context = openContext();
  const known =
    experiments.get(key) ??
    describeExperiment(await prepareComparison(question, context), context.io.environment);
  experiments.set(key, known);
  return { ...known, question };
}

/**
 * The record of a comparison on two cells, as this host would make it now.
 *
 * @param {string} baseline
 * @param {string[]} candidates
 * @param {Partial<Question>} [asked]
 * @param {Partial<ComparisonRecord>} [more]
 * @returns {Promise<ComparisonRecord>}
 */
async function recordNow(baseline, candidates, asked = {}, more = {}) {
  const cells = [CELL, OTHER_CELL];
  const question = { ...trend.question, baseline, candidates, cells, ...asked };
  const experiment = await describeOnce(question);
  // One record for each run.
  const runId = JSON.stringify([baseline, candidates, asked, more]);
  const manifest = { ...makeManifest(), ...experiment, runId };
  const replay = makeReplayRecord(manifest, [], {
    stealShare: null,
    othersShare: null,
    throttledMs: null,
  });
  const record = makeRecord({ manifest, observations: [], verdict: makeVerdict([], { replay }) });
  return {
    ...record,
    seconds: 60,
    cells: candidates.flatMap((candidate) =>
      cells.map(({ id, operation, corpus }) => ({
        ...{
          cellId: id,
          operation,
          corpus,
          baseline,
          candidate,
          verdict: /** @type {const} */ ('faster'),
        },
        ...{ ratio: { estimate: 0.9, low: 0.88, high: 0.92 }, logRatio: Math.log(0.9) },
        ...{ standardError: 0.01, degreesOfFreedom: 20, controlRatio: null, processes: 24 },
        ...{ baselineNs: 1000, candidateNs: 900 },
      })),
    ),
    ...more,
  };
}

/** @param {ComparisonRecord[]} records @param {AbortSignal} [signal] */
async function recall(records, signal) {
  const context = openContext(signal);
  for (const record of records) addRecord(context.storePath, record);
  return (await recallSteps(trend, context)).steps;
}

describe('a recorded comparison', () => {
  test('is recalled, and charged by the share that is used', async () => {
    const [step] = await recall([
      await recordNow(REFERENCE, ['linked-list', 'string-backed'], { looks: [24] }),
    ]);
    expect(step).toMatchObject({
      purpose: 'first',
      baseline: REFERENCE,
      candidates: ['linked-list'],
      cellIds: [CELL.id],
      isStored: true,
    });
    // Two of three variants, on one of two cells.
    expect(step.seconds).toBeCloseTo(60 / 3, 6);
  });

  test.each([
    ['of several hosts', { severalHosts: /** @type {const} */ (true) }],
    ['by other sources', { instrument: `sha256:${'0'.repeat(64)}` }],
  ])('%s is not recalled', async (_, changes) => {
    expect(await recall([await recordNow(REFERENCE, ['linked-list'], {}, changes)])).toEqual([]);
  });

  test('of neighbours is recalled if it decides by the same rule', async () => {
    const baseline = 'linked-list';
    const candidates = ['indexed'];
    const records = [
      await recordNow(baseline, candidates),
      await recordNow(baseline, candidates, { minimumEffect: 0.1 }),
      await recordNow(baseline, candidates, { alpha: 0.1 }),
      await recordNow(baseline, candidates, { looks: [24] }),
      await recordNow(baseline, candidates, {}, { ended: 'budget' }),
    ];
    expect(await recall(records)).toMatchObject([{ purpose: 'neighbours', candidates }]);
  });

  test('with the reference, which is a point, is one of neighbours by the same rule only', async () => {
    const records = [
      await recordNow(REFERENCE, ['indexed']),
      await recordNow(REFERENCE, ['indexed'], { looks: [24] }),
    ];
    const purposes = (await recall(records)).map(({ purpose }) => purpose);
    expect(purposes.sort()).toEqual(['first', 'neighbours']);
  });

  test('of a version that is not here is prepared only if its sources and host are those of now', async () => {
    const [absent] = POINTS.slice(-1);
    const own = await recordNow(REFERENCE, ['indexed']);
    const cells = own.cells.map((cell) => ({ ...cell, candidate: absent }));
    // An interruption is what tells that something was prepared, and failed.
    const interrupted = AbortSignal.abort();
    const other = { ...own, cells, instrument: `sha256:${'0'.repeat(64)}` };
    expect(await recall([other], interrupted)).toEqual([]);
    await expect(recall([{ ...own, cells }], interrupted)).rejects.toThrow('does not exist');
    expect(await recall([{ ...own, cells }])).toEqual([]);
  });
});

/**
 * Begins to measure points; none of these tests comes as far as a process.
 *
 * @param {string[]} candidates
 * @param {{ runsPath?: string, signal?: AbortSignal }} [changes]
 */
function measure(candidates, { runsPath = directory, signal } = {}) {
  const context = { ...openContext(signal), runsPath, session: /** @type {any} */ (null) };
  const task = { purpose: /** @type {const} */ ('first'), baseline: REFERENCE, candidates };
  return measureStep({ ...task, cellIds: [CELL.id], seed: 1, budgetSeconds: null }, trend, context);
}

test('a step is not measured where the code of a point has changed since another step', async () => {
  const question = { ...trend.question, baseline: REFERENCE, candidates: ['indexed'] };
  const { variants, ...experiment } = await describeOnce(question);
  const [candidate] = variants.candidates;
  const before = { ...candidate, digest: `sha256:${'0'.repeat(64)}` };
  const manifest = {
    ...{ ...makeManifest(), ...experiment },
    variants: { ...variants, candidates: [before] },
  };
  const runsPath = mkdtempSync(join(directory, 'trend-'));
  writeFiles(runsPath, { 'run/manifest.json': manifest });
  await expect(measure(['linked-list', 'indexed'], { runsPath })).rejects.toThrow(
    "cannot resume the trend: code of 'indexed' changed",
  );
});

describe('a version that cannot be prepared', () => {
  test.each([[['path:/absent']], [['path:/absent', 'indexed']]])(
    'is skipped: %j',
    async (candidates) => {
      const { skipped, results } = await measure(candidates);
      expect({ skipped, results }).toEqual({
        skipped: [{ spec: 'path:/absent', reason: expect.stringContaining('does not exist') }],
        results: [],
      });
    },
  );

  test('is not skipped where an interruption may be the reason', async () => {
    const signal = AbortSignal.abort();
    await expect(measure(['path:/absent', 'indexed'], { signal })).rejects.toThrow(
      'does not exist',
    );
  });
});
