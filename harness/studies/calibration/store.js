import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../../formats/read-document.js';
import { validate } from '../../formats/schemas.js';
import { UsageError } from '../../lib/errors.js';
import { writeAtomic } from '../../lib/files.js';
import { openJournal } from '../../lib/journal.js';
import { REFUSED } from '../../run/identity.js';

/** @import { Calibration, LayoutObservation, Observation, PeersComparison, Trial } from '../../formats/types.ts' */

const CALIBRATION = 'calibration.json';
const OBSERVATIONS = 'observations.ndjson';
/** Journals, by the kind of their lines. */
const JOURNALS = /** @type {const} */ ({
  trial: 'trials.ndjson',
  observation: OBSERVATIONS,
  'layout-observation': 'layouts.ndjson',
});
const KINDS = /** @type {(keyof typeof JOURNALS)[]} */ (Object.keys(JOURNALS));
const REMEDY = 'restore the file from a copy, or calibrate again';
/** Of its files, for messages. @type {Readonly<import('../../lib/files.js').ErrorContext>} */
export const CALIBRATION_OWNER = Object.freeze({
  name: 'the calibration',
  resume: 'go on with: just calibrate --resume DIR',
});

/** @type {Readonly<import('../../run/identity.js').Resumed>} */
export const CALIBRATION_RESUMED = Object.freeze({
  name: 'the calibration',
  again: 'a new calibration',
  refused: REFUSED.resumeStudy,
});

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
  writeAtomic(
    join(path, CALIBRATION),
    `${JSON.stringify(calibration, null, 2)}\n`,
    CALIBRATION_OWNER,
  );
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
  const numbered = observations.map((observation) => ({
    ...observation,
    jobId: `${trial.number}/${observation.jobId}`,
  }));
  journal(path, 'observation').append(...numbered);
  journal(path, 'trial').append(trial);
}

/**
 * @param {string} path
 * @param {LayoutObservation} observation
 */
export function appendLayoutObservation(path, observation) {
  journal(path, 'layout-observation').append(observation);
}

/**
 * Cuts off a last line that was being written when the calibration was killed, so that appending can
 * go on.
 *
 * @param {string} path
 */
export function dropTornLine(path) {
  for (const kind of KINDS) journal(path, kind).truncatePartialLine();
}

/**
 * Cuts off the observations of a trial that was being kept when the calibration was killed: it will run
 * again, under the same number.
 *
 * @param {Pick<StoredCalibration, 'path' | 'trials'>} stored whose files end in whole lines
 */
export function dropUncounted({ path, trials }) {
  const file = join(path, OBSERVATIONS);
  if (!existsSync(file)) return;
  const numbers = new Set(trials.map(({ number }) => String(number)));
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const last = lines.findLastIndex((line) => numbers.has(numberOf(JSON.parse(line))));
  const kept = lines.slice(0, last + 1);
  if (kept.length < lines.length) {
    truncateSync(file, Buffer.byteLength(kept.map((line) => `${line}\n`).join('')));
  }
}

/**
 * @param {Observation} observation
 * @returns {string} of its trial
 */
function numberOf({ jobId }) {
  return jobId.split('/')[0];
}

/**
 * Reads a calibration, to go on with it or to render it again.
 *
 * @param {string} path of its directory
 * @returns {Promise<StoredCalibration>}
 * @throws {UsageError} when it is none
 * @throws {import('../../lib/errors.js').FormatError} when a file is broken or of another format version
 */
export async function readCalibration(path) {
  if (!isCalibration(path)) {
    throw new UsageError(`'${path}' is not a calibration: it has no ${CALIBRATION}`, {
      remedy: 'name a directory under reports/runs/',
    });
  }
  const calibration = await readDocument(join(path, CALIBRATION), 'calibration', REMEDY);
  const trials = await journal(path, 'trial').read();
  const numbers = new Set(trials.map(({ number }) => String(number)));
  const observations = await journal(path, 'observation').read();
  return {
    path,
    calibration: /** @type {Calibration} */ (calibration),
    trials,
    observations: observations.filter((observation) => numbers.has(numberOf(observation))),
    layoutObservations: await journal(path, 'layout-observation').read(),
  };
}

/** @typedef {{ trial: Trial, observation: Observation, 'layout-observation': LayoutObservation }} Lines */

/**
 * @template {keyof Lines} K
 * @param {string} path
 * @param {K} kind
 * @returns {import('../../lib/journal.js').Journal<Lines[K]>}
 */
function journal(path, kind) {
  return openJournal(join(path, JOURNALS[kind]), {
    owner: CALIBRATION_OWNER,
    remedy: REMEDY,
    validate: (value, where) => validate(kind, value, where),
  });
}

const FILE = 'peers.json';
/** Of its files, for messages. @type {Readonly<import('../../lib/files.js').ErrorContext>} */
export const PEERS_OWNER = Object.freeze({
  name: 'the comparison of tools',
  resume: 'go on with: just calibrate --resume DIR',
});
/** @type {Readonly<import('../../run/identity.js').Resumed>} */
export const PEERS_RESUMED = Object.freeze({
  name: 'the comparison of tools',
  again: 'a new one with: just calibrate --peers',
  refused: REFUSED.resumeStudy,
});
const PEERS_REMEDY = 'restore the file from a copy, or hold the tools against each other again';

/**
 * @param {string} path absolute
 * @returns {boolean} whether it is the directory of a comparison of benchmark tools
 */
export function isPeersComparison(path) {
  return existsSync(join(path, FILE));
}

/**
 * @param {string} path of its directory
 * @param {PeersComparison} peers
 * @throws {import('../../lib/errors.js').MachineError} when it cannot be written
 */
export function writePeers(path, peers) {
  writeAtomic(join(path, FILE), `${JSON.stringify(peers)}\n`, PEERS_OWNER);
}

/**
 * @param {string} path directory of a comparison of benchmark tools
 * @returns {Promise<PeersComparison>}
 * @throws {import('../../lib/errors.js').FormatError} when the file is broken or of another format version
 */
export async function readPeers(path) {
  return /** @type {PeersComparison} */ (
    await readDocument(join(path, FILE), 'peers', PEERS_REMEDY)
  );
}
