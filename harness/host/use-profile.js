import { citeProfile } from './cite-profile.js';

/** @import { CalibrationCitation, CalibrationProfile, Environment, Question, Thresholds } from '../formats/types.ts' */

/**
 * What a run takes from a calibration.
 *
 * @typedef {object} UsedProfile
 * @property {CalibrationCitation} calibration
 * @property {Thresholds} thresholds
 * @property {number} batchCount in each process
 */

/**
 * What a calibration gives to a run on its host. One that is not cited gives nothing: what is not good
 * enough for a reader decides on no figure and no note either.
 *
 * @param {CalibrationProfile | null} profile
 * @param {object} run
 * @param {Question['mode']} run.mode
 * @param {Environment} run.environment
 * @returns {UsedProfile | null} null where there is none, or it is of another host
 */
export function useProfile(profile, { mode, environment }) {
  if (profile === null) return null;
  const { citation } = citeProfile(profile, { mode, environment, ageDays: 0 });
  if (citation === null) return null;
  const { thresholds, batchCount } = profile;
  return { calibration: citation, thresholds, batchCount };
}
