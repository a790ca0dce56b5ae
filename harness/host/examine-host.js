import { citeProfile, readProfile, useProfile } from './calibration-record.js';
import { diagnoseHost } from './checks.js';
import { describeEnvironment } from './environment.js';
import { probePriority, watchProcessor } from './counters.js';

/** @import { CalibrationProfile, HostExamination } from '../formats/types.ts' */

/** How long the processor is watched; `diagnose-processor.js` tells of it. */
const WATCH_MS = 500;
const DAY_MS = 86_400_000;

/**
 * Looks at this host as it is now.
 *
 * @param {Record<string, string | undefined>} variables environment of the user
 * @param {CalibrationProfile | null} [profile] of the last calibration
 * @returns {Promise<HostExamination>}
 */
export async function examineHost(variables, profile = readProfile()) {
  const environment = describeEnvironment({ variables });
  const { hostNoise, disturbedShare } = watchProcessor(WATCH_MS);
  const canRaisePriority = await probePriority();
  const calibrated = useProfile(profile, { mode: 'default', environment });
  const diagnoses = diagnoseHost({
    environment,
    hostNoise,
    canRaisePriority,
    disturbedShare,
    ...(calibrated === null ? {} : { thresholds: calibrated.thresholds }),
  });
  return { environment, hostNoise, diagnoses, calibrations: citeEachMode(profile, environment) };
}

/**
 * @param {CalibrationProfile | null} profile
 * @param {HostExamination['environment']} environment
 * @returns {HostExamination['calibrations']}
 */
function citeEachMode(profile, environment) {
  if (profile === null) return [];
  const ageDays = (Date.now() - Date.parse(profile.createdAt)) / DAY_MS;
  return profile.modes.map(({ mode }) => ({
    mode,
    ...citeProfile(profile, { mode, environment, ageDays }),
  }));
}
