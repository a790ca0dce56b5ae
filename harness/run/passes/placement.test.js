import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { execute } from '../execute.js';
import { openPlacementPass } from './placement.js';
import { makeContext } from './test-support/make-context.js';

/** @import { Job, PlacementObservation, Manifest } from '../../formats/types.ts' */
/** @import { WorkerOutcome } from '../process.js' */

const CELL = 'deserialize deep';
/** Three copies of two arms, there and back, and all of it again. */
const ALL_JOBS = 24;
/** @type {string} */
let path;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'assay-placement-'));
  mkdirSync(join(path, 'source'));
  writeFileSync(join(path, 'source', 'main.mjs'), 'export function serialize() {}\n');
});

afterEach(() => rmSync(path, { recursive: true }));

/** @returns {Manifest} with three copies per arm, of a small module */
function makeOwnManifest() {
  const manifest = makeManifest({ placements: 3 });
  const modulePath = join(path, 'source', 'main.mjs');
  const { variants } = manifest;
  for (const variant of [variants.baseline, variants.candidates[0]])
    Object.assign(variant, { kind: 'path', modulePath });
  return manifest;
}

/**
 * @param {object} [choice]
 * @param {Manifest} [choice.manifest]
 * @param {PlacementObservation[]} [choice.observations] of earlier sessions
 * @param {(job: Job) => string | WorkerOutcome} [choice.work] the output digest, or the whole outcome
 * @param {number} [choice.stopAfter] jobs
 * @param {boolean} [choice.isOverBudget] rather than interrupted
 * @param {(chosen: string[]) => string | null} [choice.chooseCell] by default one cell
 * @param {boolean} [choice.isEnough] whether the first look is
 */
async function measure({
  manifest = makeOwnManifest(),
  observations = [],
  work = () => /** @type {string} */ (manifest.expectedDigests['deserialize deep']),
  stopAfter = Infinity,
  isOverBudget = false,
  chooseCell = ([first]) => (first === undefined ? CELL : null),
  isEnough = false,
} = {}) {
  /** @type {Job[]} */
  const jobs = [];
  const interrupts = new AbortController();
  const setting = { path, manifest, familyPath: '/experiments/js-bson', observations };
  const context = makeContext(async (job) => {
    jobs.push(job);
    if (!isOverBudget && jobs.length > stopAfter) interrupts.abort();
    expect(existsSync(job.variant.modulePath)).toBe(true);
    const outcome = work(job);
    if (typeof outcome !== 'string') return outcome;
    const report = { formatVersion: FORMAT_VERSION, jobId: job.id, kind: 'measure' };
    return { workerMs: 1, report: { ...report, outputDigest: outcome, measurement: {} } };
  });
  const choice = { chooseCell, isEnough: () => isEnough };
  const ended = await execute(openPlacementPass({ ...setting, ...choice }), {
    ...context,
    observations,
    clock: { elapsedMs: () => 0, sessionMs: () => jobs.length },
    untilMs: () => (isOverBudget ? stopAfter : Infinity),
    signal: interrupts.signal,
  });
  return { ended, jobs, observations };
}

test('copies of both arms are measured, and removed afterwards', async () => {
  const { ended, jobs, observations } = await measure();
  expect(ended).toBe('complete');
  expect(jobs).toHaveLength(ALL_JOBS);
  expect(new Set(jobs.map(({ variant }) => variant.modulePath)).size).toBe(6);
  expect(observations.filter(({ outcome }) => outcome === 'done')).toHaveLength(ALL_JOBS);
  expect(existsSync(join(path, 'artefacts', 'placements'))).toBe(false);
});

test('a cell is chosen when those before it are measured', async () => {
  const next = [CELL, 'deserialize flat', null];
  /** @type {PlacementObservation[]} */
  const observations = [];
  /** @type {[string, number][]} */
  const seen = [];
  await measure({
    observations,
    chooseCell(chosen) {
      seen.push([chosen.join(), observations.length]);
      return next[chosen.length] ?? null;
    },
  });
  expect(seen).toEqual([
    ['', 0],
    [CELL, ALL_JOBS],
    [`${CELL},deserialize flat`, 2 * ALL_JOBS],
  ]);
});

test('after a first look that is enough there is no second', async () => {
  const manifest = makeOwnManifest();
  manifest.question.placements = 5;
  expect((await measure({ manifest })).jobs).toHaveLength(40);
  expect((await measure({ manifest, isEnough: true })).jobs).toHaveLength(20);
});

test('a session after an interrupt runs the missing jobs', async () => {
  const first = await measure({ stopAfter: 10 });
  expect(first.ended).toBe('interrupted');
  const second = await measure({ observations: first.observations });
  expect(second.ended).toBe('complete');
  const ids = second.observations.map(({ id }) => id);
  expect(ids).toHaveLength(ALL_JOBS);
  expect(new Set(ids).size).toBe(ALL_JOBS);
});

test('copies of a killed session are removed when nothing is left to measure', async () => {
  const { observations } = await measure();
  const copies = join(path, 'artefacts', 'placements');
  mkdirSync(copies, { recursive: true });
  expect((await measure({ observations })).jobs).toEqual([]);
  expect(existsSync(copies)).toBe(false);
});

test('no placement is measured after the budget', async () => {
  const { ended, jobs } = await measure({ stopAfter: 10, isOverBudget: true });
  expect(ended).toBe('budget');
  expect(jobs).toHaveLength(10);
});

test.each([
  ['with wrong output', 'sha256:other'],
  [
    'that fails',
    {
      workerMs: 1,
      failure: { reason: /** @type {const} */ ('timeout'), detail: '', lastLines: [] },
    },
  ],
])('a copy %s is given up, and the others are measured', async (_, outcome) => {
  const { jobs } = await measure({
    work: ({ id }) => (id.endsWith('candidate-1') ? outcome : `sha256:${'e'.repeat(64)}`),
  });
  expect(jobs.filter(({ id }) => id.endsWith('candidate-1'))).toHaveLength(1);
  expect(jobs.length).toBeGreaterThan(ALL_JOBS / 2);
});

test('if an arm cannot be copied, that is recorded and nothing is measured', async () => {
  const manifest = makeOwnManifest();
  manifest.variants.candidates[0].modulePath = join(path, 'native.node');
  const { ended, jobs, observations } = await measure({ manifest });
  expect(ended).toBe('failed');
  expect(jobs).toHaveLength(0);
  expect(observations[0]).toMatchObject({ outcome: 'failed', failure: { reason: 'no-copy' } });
  expect(observations.length).toBeLessThanOrEqual(ALL_JOBS / 2);
});

test('variants that a program of the family measures are not copied', async () => {
  const manifest = makeOwnManifest();
  const program = { executable: 'x', args: [], loop: '', settings: {} };
  manifest.variants.baseline.program = /** @type {any} */ (program);
  expect((await measure({ manifest })).jobs).toHaveLength(0);
});
