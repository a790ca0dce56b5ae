import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CACHE_REMEDY } from '../lib/explain-file-error.js';
import { FORMAT_VERSION } from '../formats/format-version.js';
import { makeDirectory } from '../lib/make-directory.js';
import { PROJECT } from '../lib/project.js';
import { writeWhole } from '../lib/write-whole.js';

/** @import { CalibrationProfile } from '../formats/types.ts' */

const REMEDY = `${CACHE_REMEDY}; the calibration itself is kept`;
const OWNER = { name: 'the profile of this host', resume: 'just calibrate --resume DIR --for 1s' };

/**
 * What the last calibration found of this host. A file that is broken, or of another version, is as
 * good as none: it can be measured again, and no comparison should fail for it.
 *
 * @param {string} [file] absolute path
 * @returns {CalibrationProfile | null}
 */
export function readProfile(file = PROJECT.profilePath) {
  if (!existsSync(file)) return null;
  try {
    const profile = JSON.parse(readFileSync(file, 'utf8'));
    return profile.formatVersion === FORMAT_VERSION && isComplete(profile) ? profile : null;
  } catch {
    return null;
  }
}

/**
 * @param {CalibrationProfile} profile
 * @param {string} [file] absolute path
 */
export function writeProfile(profile, file = PROJECT.profilePath) {
  makeDirectory(dirname(file), REMEDY);
  writeWhole(file, `${JSON.stringify(profile, null, 2)}\n`, OWNER);
}

/**
 * What reading relies on. Every command reads the profile, so this is plain code; the published
 * schema says more.
 *
 * @param {CalibrationProfile} profile
 */
function isComplete({ id, createdAt, environment, batchCount, modes, layoutSpread, thresholds }) {
  return (
    typeof id === 'string' &&
    !Number.isNaN(Date.parse(createdAt)) &&
    [environment?.cpuModel, environment?.node, environment?.kernel].every(isText) &&
    Number.isFinite(environment.cpuCount) &&
    Number.isInteger(batchCount) &&
    batchCount >= 1 &&
    batchCount <= 1000 &&
    Array.isArray(modes) &&
    modes.every(
      ({ falsePositives, detectable }) => falsePositives.of >= 0 && detectable.length >= 0,
    ) &&
    typeof layoutSpread === 'object' &&
    Object.values(thresholds).every((share) => share > 0 && share < 1)
  );
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string';
}
