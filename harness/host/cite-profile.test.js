import { describe, expect, test } from '@jest/globals';

import { citeProfile, makeProfile } from './calibration-record.js';
import { makeCalibration } from '../studies/calibration/test-support/made-up-calibration.js';

const { calibration, trials } = makeCalibration();
const profile = makeProfile(calibration, trials);
const { environment } = profile;
const run = { mode: /** @type {const} */ ('default'), environment, ageDays: 2 };

test('a comparison on the same host cites the errors of its mode', () => {
  const [mode] = profile.modes;
  expect(citeProfile(profile, run)).toEqual({
    citation: {
      id: 'calibration-1',
      createdAt: '2026-02-03T04:05:06.000Z',
      falsePositives: mode.falsePositives,
      detectable: mode.detectable,
    },
    note: null,
  });
});

test('an old calibration is cited with its age', () => {
  expect(citeProfile(profile, { ...run, ageDays: 30 }).note).toBeNull();
  const { citation, note } = citeProfile(profile, { ...run, ageDays: 41.7 });
  expect(citation?.id).toBe('calibration-1');
  expect(note).toBe(
    'Calibration calibration-1 was 41 days old. Calibrate anew with: just calibrate.',
  );
});

describe('a comparison cites nothing', () => {
  test.each([
    ['another major version of Node', { node: '22.11.0' }, 'Node 22 instead of 20'],
    ['another processor', { cpuModel: 'Other' }, 'processor Other instead of Example CPU'],
    ['more processors', { cpuCount: 8 }, 'number of processors 8 instead of 2'],
    ['another kernel', { kernel: '6.8.0' }, 'kernel 6.8.0 instead of 6.1.0-13-amd64'],
  ])('under %s', (_, change, words) => {
    const changed = { ...run, environment: { ...environment, ...change } };
    const { citation, note } = citeProfile(profile, changed);
    expect(citation).toBeNull();
    expect(note).toContain(`is not cited, it is of another host: ${words}`);
  });

  test('in a mode that was not calibrated', () => {
    const { citation, note } = citeProfile(profile, { ...run, mode: 'screen' });
    expect(citation).toBeNull();
    expect(note).toContain('says nothing of the screen mode');
  });

  test('where no trial of the mode was finished', () => {
    const [mode] = profile.modes;
    const falsePositives = { count: 0, of: 0, low: 0, high: 1 };
    const untried = { ...profile, modes: [{ ...mode, falsePositives }] };
    expect(citeProfile(untried, run).citation).toBeNull();
  });
});

test('a patch of the same Node is the same host', () => {
  const patched = { ...run, environment: { ...environment, node: '20.21.0' } };
  expect(citeProfile(profile, patched).citation?.id).toBe('calibration-1');
});
