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
import { seedGenerator } from '../../stats/random.js';
import { simulateObservations } from '../../testing/simulation/runs.js';
import { findKind, writeRecord } from '../study.js';
import { appendTrial, continueCalibration, readCalibration } from './store.js';
import { makeCalibration } from './test-support/make-calibration.js';

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
  writeRecord(findKind('calibration'), path, calibration);
});
afterEach(() => rmSync(path, { recursive: true }));

test('stored trials are read, with their number in each of their observations', async () => {
  for (const trial of trials.slice(0, 2)) appendTrial(path, { trial, observations });
  const stored = await readCalibration(path);
  expect(stored.calibration).toEqual(calibration);
  expect(stored.trials).toEqual(trials.slice(0, 2));
  expect(stored.observations.map(({ id }) => id)).toEqual(
    [0, 1].flatMap((index) => observations.map(({ id }) => `${trials[index]?.number}/${id}`)),
  );
});

test.each(['trials.ndjson', 'observations.ndjson', 'placements.ndjson'])(
  'a partial last line of %s is dropped before the next one',
  async (fileName) => {
    appendTrial(path, { trial: trials[0], observations });
    appendFileSync(join(path, fileName), '{"formatVersion":8,"num');
    expect((await readCalibration(path)).trials).toHaveLength(1);
    await continueCalibration(path);
    appendTrial(path, { trial: trials[1], observations });
    const stored = await readCalibration(path);
    expect(stored.trials).toEqual(trials.slice(0, 2));
    expect(stored.observations).toHaveLength(2 * observations.length);
  },
);

test('observations without their trial are ignored', async () => {
  appendTrial(path, { trial: trials[0], observations });
  rmSync(join(path, 'trials.ndjson'));
  expect(await readCalibration(path)).toMatchObject({ trials: [], observations: [] });
});

test('observations without their trial are removed before it runs again', async () => {
  appendTrial(path, { trial: trials[0], observations });
  const trialsBefore = readFileSync(join(path, 'trials.ndjson'));
  appendTrial(path, { trial: trials[1], observations });
  writeFileSync(join(path, 'trials.ndjson'), trialsBefore);
  await continueCalibration(path);
  appendTrial(path, { trial: trials[1], observations: observations.slice(0, 2) });
  const stored = await readCalibration(path);
  expect(stored.trials).toEqual(trials.slice(0, 2));
  expect(stored.observations).toHaveLength(observations.length + 2);
});

test('no other observations are removed', async () => {
  await continueCalibration(path);
  for (const trial of trials.slice(0, 2)) appendTrial(path, { trial, observations });
  const before = readFileSync(join(path, 'observations.ndjson'), 'utf8');
  await continueCalibration(path);
  expect(readFileSync(join(path, 'observations.ndjson'), 'utf8')).toBe(before);
});

test('a broken line is refused with its place', async () => {
  appendFileSync(join(path, 'trials.ndjson'), '{"formatVersion":8}\n');
  await expect(readCalibration(path)).rejects.toThrow(/trials\.ndjson line 1 of '/);
});

test('a full disk is an error of the calibration, with how to resume it', () => {
  symlinkSync('/dev/full', join(path, 'trials.ndjson'));
  expect(() => appendTrial(path, { trial: trials[0], observations: [] })).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^cannot write 'trials\.ndjson' of the calibration: ENOSPC/),
      remedy: 'free some space, then resume with: just calibrate --resume DIR',
    }),
  );
});

test('a directory without calibration.json is not a calibration', async () => {
  rmSync(join(path, 'calibration.json'));
  await expect(readCalibration(path)).rejects.toThrow(/is not a calibration/);
});
