import { appendFileSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MachineError, UsageError } from '../errors.js';
import { parseJson, readDocument, readText } from '../read-document.js';
import { writeReport } from '../run-store.js';
import { validate } from '../schemas.js';

/** @import { Calibration, LayoutObservation, Observation, Trial } from '../types.ts' */

const CALIBRATION = 'calibration.json';
const TRIALS = 'trials.ndjson';
const OBSERVATIONS = 'observations.ndjson';
const LAYOUTS = 'layouts.ndjson';
const REMEDY = 'restore the file from a copy, or calibrate again';

/**
 * @typedef {object} StoredCalibration
 * @property {string} path
 * @property {Calibration} calibration as it was when its last session ended
 * @property {Trial[]} trials in the order in which they ran
 * @property {Observation[]} observations of all trials; the id of a job begins with the trial's number
 * @property {LayoutObservation[]} layoutObservations
 */

/**
 * @param {string} path of its directory
 * @returns {boolean}
 */
export function isCalibration(path) {
  return existsSync(join(path, CALIBRATION));
}

/**
 * @param {string} path of its directory
 * @param {Calibration} calibration
 */
export function writeCalibration(path, calibration) {
  writeReport(path, CALIBRATION, `${JSON.stringify(calibration, null, 2)}\n`);
}

/**
 * Appends what a trial brought. The observations come first: a trial without its observations would
 * be counted, observations without their trial are not.
 *
 * @param {string} path
 * @param {Trial} trial
 * @param {Observation[]} observations
 */
export function appendTrial(path, trial, observations) {
  const lines = observations.map((observation) =>
    JSON.stringify({ ...observation, jobId: `${trial.number}/${observation.jobId}` }),
  );
  append(join(path, OBSERVATIONS), lines);
  append(join(path, TRIALS), [JSON.stringify(trial)]);
}

/**
 * @param {string} path
 * @param {LayoutObservation} observation
 */
export function appendLayoutObservation(path, observation) {
  append(join(path, LAYOUTS), [JSON.stringify(observation)]);
}

/**
 * Reads a calibration, to go on with it or to render it again.
 *
 * @param {string} path of its directory
 * @returns {Promise<StoredCalibration>}
 * @throws {UsageError} when it is none
 * @throws {import('../errors.js').FormatError} when a file is broken or of another format version
 */
export async function readCalibration(path) {
  if (!isCalibration(path)) {
    throw new UsageError(`'${path}' is not a calibration: it has no ${CALIBRATION}`, {
      remedy: 'name a directory under reports/runs/',
    });
  }
  const calibration = await readDocument(join(path, CALIBRATION), 'calibration', REMEDY);
  const trials = /** @type {Trial[]} */ (await readLines(path, TRIALS, 'trial'));
  const numbers = new Set(trials.map(({ number }) => String(number)));
  const observations = /** @type {Observation[]} */ (
    await readLines(path, OBSERVATIONS, 'observation')
  );
  return {
    path,
    calibration: /** @type {Calibration} */ (calibration),
    trials,
    observations: observations.filter(({ jobId }) => numbers.has(jobId.split('/')[0])),
    layoutObservations: /** @type {LayoutObservation[]} */ (
      await readLines(path, LAYOUTS, 'layout-observation')
    ),
  };
}

/**
 * A last line that was being written when the calibration was killed is passed over.
 *
 * @param {string} path
 * @param {string} fileName
 * @param {'trial' | 'observation' | 'layout-observation'} kind of each line
 * @returns {Promise<unknown[]>}
 */
async function readLines(path, fileName, kind) {
  const file = join(path, fileName);
  if (!existsSync(file)) return [];
  const text = readText(file, `'${file}'`, REMEDY);
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const values = [];
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const value = parseJson(line, `${fileName} line ${index + 1} of '${path}'`, REMEDY);
    await validate(kind, value);
    values.push(value);
  }
  return values;
}

/**
 * @param {string} file
 * @param {string[]} lines
 */
function append(file, lines) {
  try {
    appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
  } catch (cause) {
    const reason = /** @type {Error} */ (cause).message;
    throw new MachineError(`cannot write '${basename(file)}' of the calibration: ${reason}`, {
      cause,
      remedy:
        'free some space or mend the permissions, then go on with: just calibrate --resume DIR',
    });
  }
}
