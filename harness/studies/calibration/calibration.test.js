import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeManifest } from '../../../reports/fixtures/build.js';
import { makeTestDirectory } from '../../testing/support/directories.js';
import { scriptJobs } from '../../testing/support/scripted-jobs.js';
import { runStudy } from '../study.js';
import { makeCalibrationStudy, openMeasuring } from './calibration.js';
import { makeCalibration } from './test-support/make-calibration.js';

/** @import { CalibrationStep, CalibrationTask } from './calibration.js' */
/** @import { StoredCalibration } from './store.js' */

const made = makeCalibration();
const [trial] = made.trials;
const [cost] = made.calibration.costs;
const [cell] = made.calibration.cells;
const NOISE = { stealShare: null, othersShare: null, throttledMs: null };

const path = makeTestDirectory('placements');

/** @type {StoredCalibration} */
const EMPTY = {
  path,
  calibration: { ...made.calibration, cells: [cell], costs: [], wallMs: 0 },
  ...{ trials: [], observations: [], placementObservations: [] },
};

/**
 * Calibrates on scripted results, each of which takes a second.
 *
 * @param {Partial<CalibrationTask>} changes
 * @param {StoredCalibration} [stored]
 * @param {number} [interruptAt] number of the step that is interrupted
 */
async function calibrate(changes, stored = EMPTY, interruptAt = Infinity) {
  /** @type {CalibrationStep[]} */
  const steps = [];
  const interrupts = new AbortController();
  /** @type {CalibrationTask} */
  const task = {
    ...{ parts: ['false-positives', 'power'], modes: ['default'], schedules: ['sequential'] },
    ...{ costs: ['arithmetic'], seed: 1, forMs: 8_000, ...changes },
  };
  const study = makeCalibrationStudy(task, {
    readNoise: () => NOISE,
    async measure(step, { calibration }, elapsedMs) {
      if (steps.length === interruptAt) {
        interrupts.abort();
        return null;
      }
      const startedAtMs = elapsedMs();
      steps.push(step);
      if (step.kind === 'trial') {
        const measured = { ...trial, ...step.trial, startedAtMs, cellId: cell.id };
        return { trial: measured, observations: [] };
      }
      if (step.kind === 'placements') return { placementObservations: [] };
      const { mode } = step.trial;
      expect(calibration.costs).toEqual([]);
      return { costs: [{ ...cost, mode, cellId: cell.id }] };
    },
  });
  const { signal } = interrupts;
  const nowMs = () => 1_000 * steps.length;
  const { state } = await runStudy(study, stored, { signal, save: () => {}, nowMs });
  return { state, steps };
}

/** @type {(steps: CalibrationStep[]) => number[]} numbers of the trials */
function listNumbers(steps) {
  return steps.flatMap((step) => (step.kind === 'trial' ? step.trial.number : []));
}

test('costs are measured once, before the first trial that needs them', async () => {
  const { state, steps } = await calibrate({ forMs: 20_000 });
  const kinds = steps.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'costs')).toHaveLength(1);
  const at = kinds.indexOf('costs');
  expect(steps[at + 1]).toMatchObject({ kind: 'trial', trial: { injected: expect.any(Number) } });
  const before = steps.slice(0, at).map((step) => step.kind === 'trial' && step.trial.injected);
  expect(before.every((injected) => injected === 0)).toBe(true);
  expect(state.calibration.costs).not.toEqual([]);
});

test('nothing begins after its time, and placements have the last tenth', async () => {
  const { state, steps } = await calibrate({ parts: ['false-positives', 'placements'] });
  expect(state.calibration).toMatchObject({ ended: 'complete', wallMs: 9_000 });
  const kinds = steps.map(({ kind }) => kind);
  expect(kinds).toEqual([...Array(8).fill('trial'), 'placements']);
});

test('an interrupted one is resumed with the next trial, on the clock of the calibration', async () => {
  const parts = /** @type {const} */ (['false-positives']);
  const first = await calibrate({ parts }, EMPTY, 3);
  expect(first.state.calibration).toMatchObject({ ended: 'interrupted', wallMs: 3_000 });
  const second = await calibrate({ parts, forMs: 2_000 }, first.state);
  expect(listNumbers([...first.steps, ...second.steps])).toEqual([0, 1, 2, 3, 4, 5]);
  expect(second.state.trials.map(({ startedAtMs }) => startedAtMs)).toEqual(
    [0, 1, 2, 3, 4, 5].map((index) => 1_000 * index),
  );
});

test('a block of placements has each once, and goes on where it was interrupted', async () => {
  const modulePath = join(path, 'main.mjs');
  writeFileSync(modulePath, 'export function serialize() {}\n');
  const manifest = makeManifest();
  Object.assign(manifest.variants.baseline, { kind: 'path', modulePath });

  /** @type {(stored: StoredCalibration, count: number) => Promise<StoredCalibration>} */
  async function place(stored, count) {
    const interrupts = new AbortController();
    let jobs = 0;
    const onJob = () => jobs++ === count && interrupts.abort();
    const context = {
      ...{ manifest, questions: { default: manifest.question }, family: { name: 'js-bson', path } },
      runJob: { default: scriptJobs({ onJob }) },
    };
    const session = { environment: {}, signal: interrupts.signal, onProgress() {} };
    const task = /** @type {any} */ ({ seed: 1, forMs: 1_000 });
    const measure = openMeasuring(task, /** @type {any} */ (context), session);
    return { ...stored, ...(await measure({ kind: 'placements' }, stored, () => 0)) };
  }

  const first = await place(EMPTY, 3);
  const { placementObservations } = await place(first, 7);
  expect(placementObservations.map(({ block, position }) => [block, position])).toEqual([
    ...Array.from({ length: 8 }, (_, position) => [0, position]),
    ...[0, 1].map((position) => [1, position]),
  ]);
  const block = placementObservations.slice(0, 8);
  expect(block.map(({ placement }) => placement).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
