import { expect, test } from '@jest/globals';
import { makeManifest } from '../../reports/support/fixtures.js';
import { validate } from '../formats/schemas.js';
import { buildVerdict } from './verdict.js';

test('the record of a run tells what disturbed it', async () => {
  const hostNoise = { stealShare: 0.04, othersShare: 0.2, throttledMs: 0 };
  const { replay } = buildVerdict({
    manifest: makeManifest(),
    observations: [],
    memoryObservations: [],
    profileObservations: [],
    layoutObservations: [],
    ended: 'budget',
    hostNoise,
    differences: [],
    wallMs: 0,
    checkMs: 0,
  });
  expect(replay.hostNoise).toEqual(hostNoise);
  expect(() => validate('replay', replay)).not.toThrow();
});
