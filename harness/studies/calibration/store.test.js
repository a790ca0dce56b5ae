import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { seedGenerator } from '../../stats/random.js';
import { simulateObservations } from '../../testing/simulation/runs.js';
import { appendTrial, dropTornLine, dropUncounted, readCalibration } from './store.js';
import { CALIBRATION, isStudy, writeState } from '../study.js';
import { makeCalibration } from './test-support/made-up-calibration.js';

const { calibration, trials } = makeCalibration();
const cell = { id: 'serialize flat', operation: 'serialize', corpus: 'flat' };
const observations = simulateObservations(
  [{ cell, baselineNs: 12_000, ratio: 1, processes: 2 }],
  { noise: 'normal', spread: 0.01, outputDigest: `sha256:${'a'.repeat(64)}` },
  seedGenerator(1),
).slice(0, 3);
/** @type {string} */
let path;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'assay-calibration-'));
  writeState(CALIBRATION, path, calibration);
});
afterEach(() => rmSync(path, { recursive: true }));

test('what trials brought is read again, each observation with the number of its trial', async () => {
  for (const trial of trials.slice(0, 2)) appendTrial(path, trial, observations);
  const stored = await readCalibration(path);
  expect(stored.calibration).toEqual(calibration);
  expect(stored.trials).toEqual(trials.slice(0, 2));
  expect(stored.observations.map(({ jobId }) => jobId)).toEqual(
    [0, 1].flatMap((index) => observations.map(({ jobId }) => `${trials[index]?.number}/${jobId}`)),
  );
});

test.each(['trials.ndjson', 'observations.ndjson', 'placements.ndjson'])(
  'a line of %s that was being written when it was killed does not spoil the next',
  async (fileName) => {
    appendTrial(path, trials[0], observations);
    appendFileSync(join(path, fileName), '{"formatVersion":7,"num');
    expect((await readCalibration(path)).trials).toHaveLength(1);
    dropTornLine(path);
    appendTrial(path, trials[1], observations);
    const stored = await readCalibration(path);
    expect(stored.trials).toEqual(trials.slice(0, 2));
    expect(stored.observations).toHaveLength(2 * observations.length);
  },
);

test('observations of a trial that was not kept do not count', async () => {
  appendTrial(path, trials[0], observations);
  rmSync(join(path, 'trials.ndjson'));
  expect(await readCalibration(path)).toMatchObject({ trials: [], observations: [] });
});

test('they are cut off before the trial runs again under the same number', async () => {
  appendTrial(path, trials[0], observations);
  const trialsBefore = readFileSync(join(path, 'trials.ndjson'));
  appendTrial(path, trials[1], observations);
  writeFileSync(join(path, 'trials.ndjson'), trialsBefore);
  dropUncounted(await readCalibration(path));
  appendTrial(path, trials[1], observations.slice(0, 2));
  const stored = await readCalibration(path);
  expect(stored.trials).toEqual(trials.slice(0, 2));
  expect(stored.observations).toHaveLength(observations.length + 2);
});

test('nothing else is cut off', async () => {
  dropUncounted(await readCalibration(path));
  for (const trial of trials.slice(0, 2)) appendTrial(path, trial, observations);
  const before = readFileSync(join(path, 'observations.ndjson'), 'utf8');
  dropUncounted(await readCalibration(path));
  expect(readFileSync(join(path, 'observations.ndjson'), 'utf8')).toBe(before);
});

test('a broken line is named', async () => {
  appendFileSync(join(path, 'trials.ndjson'), '{"formatVersion":7}\n');
  await expect(readCalibration(path)).rejects.toThrow(/trials\.ndjson line 1 of '/);
});

test('on a full disk the message is of the calibration', () => {
  symlinkSync('/dev/full', join(path, 'trials.ndjson'));
  expect(() => appendTrial(path, trials[0], [])).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^cannot write 'trials\.ndjson' of the calibration: ENOSPC/),
      remedy: 'free some space, then resume with: just calibrate --resume DIR',
    }),
  );
});

test('a directory without one is none', async () => {
  rmSync(join(path, 'calibration.json'));
  expect(isStudy(CALIBRATION, path)).toBe(false);
  await expect(readCalibration(path)).rejects.toThrow(/is not a calibration/);
});
