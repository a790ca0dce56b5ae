import { expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/support/fixtures.js';
import { makeProfile, useProfile } from './calibration-record.js';
import { makeCalibration } from '../studies/calibration/test-support/made-up-calibration.js';

const { calibration, trials } = makeCalibration();
const profile = makeProfile(calibration, trials);
const environment = { ...makeManifest().environment, ...profile.environment };

test('a calibration of the host is cited, says what is unusual there and how long to measure', () => {
  const used = useProfile(profile, { mode: 'default', environment });
  expect(used?.calibration.falsePositives).toEqual(profile.modes[0].falsePositives);
  expect(used?.thresholds).toEqual(profile.thresholds);
  expect(used?.batchCount).toBe(profile.batchCount);
});

test('one that is not cited gives nothing', () => {
  expect(useProfile(null, { mode: 'default', environment })).toBeNull();
  expect(useProfile(profile, { mode: 'screen', environment })).toBeNull();
  const elsewhere = { ...environment, cpuModel: 'Other CPU' };
  expect(useProfile(profile, { mode: 'default', environment: elsewhere })).toBeNull();
});
