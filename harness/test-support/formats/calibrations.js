import { citeProfile } from '../../calibration/cite-profile.js';
import { makeProfile } from '../../calibration/make-profile.js';
import { readCalibration } from '../../calibration/calibration-store.js';
import { readProfile } from '../../calibration/profile-file.js';
import { makeCalibration } from '../../calibration/test-support/made-up-calibration.js';

/** @import { FileFormat } from './types.ts' */

const MOST_TRIALS = 5;
const { calibration, trials } = makeCalibration();
const profile = makeProfile(calibration, trials);
const { environment } = calibration;

/** @type {Record<string, Buffer>} by path within the directory of a calibration */
const FILES = {
  'calibration.json': Buffer.from(JSON.stringify(calibration)),
  'trials.ndjson': Buffer.from(
    trials
      .slice(0, MOST_TRIALS)
      .map((trial) => `${JSON.stringify(trial)}\n`)
      .join(''),
  ),
};

/** @type {FileFormat[]} what a calibration leaves, and what is remembered of it */
export const formats = [
  {
    name: 'the profile of this host',
    fileName: 'calibration.json',
    samples: [Buffer.from(JSON.stringify(profile))],
    neverRefuses: true,
    async read(_folder, path) {
      const found = readProfile(path);
      const run = { mode: /** @type {const} */ ('default'), environment, ageDays: 1 };
      return found === null ? null : citeProfile(found, run);
    },
  },
  ...Object.entries(FILES).map(([fileName, bytes]) => ({
    name: `${fileName} of a calibration`,
    fileName,
    samples: [bytes],
    neighbours: FILES,
    isNamedByCaller: true,
    read: readCalibration,
  })),
];
