import { describe, expect, test } from '@jest/globals';

import { recordedRun } from '../../reports/support/recorded-runs.js';
import { citeProfile, makeProfile } from '../host/calibration-record.js';
import { makeCalibration } from '../studies/calibration/test-support/made-up-calibration.js';
import { validate } from './schemas.js';

const { calibration, trials } = makeCalibration();
const profile = makeProfile(calibration, trials);

/**
 * @template T
 * @param {T} value
 * @returns {T} as a reader gets it from a file
 */
function write(value) {
  return JSON.parse(JSON.stringify(value));
}

describe('documents of a calibration as Assay writes them are accepted', () => {
  test('every trial', async () => {
    expect(trials.length).toBeGreaterThan(0);
    for (const trial of trials) {
      await expect(validate('trial', write(trial))).resolves.toBeUndefined();
    }
  });

  test('calibration and profile', async () => {
    await expect(validate('calibration', write(calibration))).resolves.toBeUndefined();
    await expect(validate('calibration-profile', write(profile))).resolves.toBeUndefined();
  });

  test('a verdict that cites it', async () => {
    const { environment } = profile;
    const { citation } = citeProfile(profile, { mode: 'default', environment, ageDays: 0 });
    const { verdict } = recordedRun('faster');
    const citing = write({ ...verdict, calibration: citation });
    await expect(validate('verdict', citing)).resolves.toBeUndefined();
  });
});

describe('broken documents of a calibration are refused in plain words', () => {
  test('a process without its figure', async () => {
    const [trial] = write(trials);
    trial.processed[0].ns = 0;
    await expect(validate('trial', trial)).rejects.toThrow(/processed\[0\].ns is 0/);
  });

  test('a share above one', async () => {
    const broken = write(calibration);
    broken.modes[0].falsePositives.high = 1.2;
    await expect(validate('calibration', broken)).rejects.toThrow(/falsePositives.high is 1.2/);
  });

  test('a profile that names no processor', async () => {
    const environment = { ...profile.environment, cpuModel: undefined };
    const broken = write({ ...profile, environment });
    await expect(validate('calibration-profile', broken)).rejects.toThrow(
      /environment.cpuModel is missing/,
    );
  });
});
