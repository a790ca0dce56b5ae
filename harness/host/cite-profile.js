import { countOf } from '../lib/numbers.js';

/** @import { CalibrationCitation, CalibrationProfile, Environment, Question } from '../formats/types.ts' */

/** A host is taken for the same for so long without a word. */
const MAX_AGE_DAYS = 30;
const REMEDY = 'Calibrate anew with: just calibrate.';

/**
 * What a comparison can say of its instrument.
 *
 * @typedef {object} ProfileUse
 * @property {CalibrationCitation | null} citation
 * @property {string | null} note why there is none, or what a reader should know of the one there
 *   is: a sentence
 */

/**
 * Takes from a profile what it says of comparisons in one mode, as long as it is of the host that
 * compared.
 *
 * @param {CalibrationProfile} profile
 * @param {object} run
 * @param {Question['mode']} run.mode
 * @param {Pick<Environment, 'node' | 'cpuModel' | 'cpuCount' | 'kernel'>} run.environment
 * @param {number} run.ageDays of the profile when the run was made
 * @returns {ProfileUse}
 */
export function citeProfile(profile, { mode, environment, ageDays }) {
  const changed = listChanges(profile.environment, environment);
  if (changed.length > 0) return refuse(profile, `is of another host: ${changed.join(', ')}`);
  const found = profile.modes.find((each) => each.mode === mode);
  if (found === undefined || found.falsePositives.of === 0) {
    return refuse(profile, `says nothing of the ${mode} mode`);
  }
  const { id, createdAt } = profile;
  const { falsePositives, detectable } = found;
  return { citation: { id, createdAt, falsePositives, detectable }, note: tellAge(id, ageDays) };
}

/**
 * @param {CalibrationProfile} profile
 * @param {string} reason
 * @returns {ProfileUse}
 */
function refuse({ id }, reason) {
  return { citation: null, note: `Calibration ${id} is not cited, it ${reason}. ${REMEDY}` };
}

/**
 * @param {string} id
 * @param {number} ageDays
 * @returns {string | null}
 */
function tellAge(id, ageDays) {
  if (ageDays <= MAX_AGE_DAYS) return null;
  return `Calibration ${id} was ${countOf(Math.floor(ageDays), 'day')} old. ${REMEDY}`;
}

/**
 * @param {CalibrationProfile['environment']} then
 * @param {CalibrationProfile['environment']} now
 * @returns {string[]} what differs, in words
 */
function listChanges(then, now) {
  const parts = [
    { name: 'Node', then: takeMajor(then.node), now: takeMajor(now.node) },
    { name: 'processor', then: then.cpuModel, now: now.cpuModel },
    { name: 'number of processors', then: String(then.cpuCount), now: String(now.cpuCount) },
    { name: 'kernel', then: then.kernel, now: now.kernel },
  ];
  return parts
    .filter((part) => part.then !== part.now)
    .map((part) => `${part.name} ${part.now} instead of ${part.then}`);
}

/** @param {string} version `20.20.2`, with or without a `v` before it */
function takeMajor(version) {
  return version.replace(/^v/, '').split('.')[0];
}
