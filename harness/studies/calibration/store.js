import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { validate } from '../../formats/schemas.js';
import { identifyEnvironment } from '../../host/environment.js';
import { openJournal } from '../../lib/journal.js';
import { identifyAssay } from '../../lib/project.js';
import { omitUndefined } from '../../lib/records.js';
import { findKind, readStudy } from '../study.js';

/** @import { Calibration, MeasureSettings, PlacementObservation, Observation, Question, Trial } from '../../formats/types.ts' */
/** @import { MeasuredTrial } from './trial.js' */

const OBSERVATIONS = 'observations.ndjson';
/** Journals, by the kind of their lines. */
const JOURNALS = /** @type {const} */ ({
  trial: 'trials.ndjson',
  observation: OBSERVATIONS,
  'placement-observation': 'placements.ndjson',
});
const KINDS = /** @type {(keyof typeof JOURNALS)[]} */ (Object.keys(JOURNALS));
const REMEDY = 'restore the file from a copy, or calibrate again';

/**
 * @typedef {object} StoredCalibration
 * @property {string} path
 * @property {Calibration} calibration as it was when its last session ended
 * @property {Trial[]} trials in the order in which they ran
 * @property {Observation[]} observations of all trials; the ID of a job begins with the number of its trial
 * @property {PlacementObservation[]} placementObservations
 */

/**
 * A new calibration without results.
 *
 * @param {object} asked
 * @param {Question} asked.question
 * @param {string} asked.command
 * @param {number} asked.budgetSeconds
 * @param {MeasureSettings} asked.settings of timed jobs
 * @param {Record<string, string | undefined>} asked.variables
 * @returns {Calibration}
 */
export function beginCalibration({ question, command, budgetSeconds, settings, variables }) {
  const {
    baseline: variant,
    candidates,
    cells,
    minimumEffect,
    alpha,
    looks,
    earlyLook,
    seed,
  } = question;
  return {
    formatVersion: FORMAT_VERSION,
    id: '',
    createdAt: new Date().toISOString(),
    command,
    seed,
    ended: 'interrupted',
    wallMs: 0,
    workerMs: 0,
    assay: identifyAssay(),
    environment: identifyEnvironment({ variables }),
    hostNoise: { stealShare: null, othersShare: null, throttledMs: null },
    settings,
    variant,
    ...(candidates[0] === variant ? {} : { against: candidates[0] }),
    cells,
    minimumEffect,
    alpha,
    looks,
    ...omitUndefined({ earlyLook }),
    budgetSeconds,
    costs: [],
    modes: [],
    splits: [],
    placements: [],
    warnings: [],
  };
}

/**
 * Appends a trial and its observations. The observations come first, because observations without their
 * trial are ignored, and a trial without its observations would count.
 *
 * @param {string} path
 * @param {MeasuredTrial} measured
 */
export function appendTrial(path, measured) {
  journal(path, 'observation').append(...numberJobs(measured));
  journal(path, 'trial').append(measured.trial);
}

/** @type {(measured: MeasuredTrial) => Observation[]} whose ids begin with the number of their trial */
export function numberJobs({ trial: { number }, observations }) {
  return observations.map((observation) => ({ ...observation, id: `${number}/${observation.id}` }));
}

/**
 * @param {string} path
 * @param {PlacementObservation} observation
 */
export function appendPlacementObservation(path, observation) {
  journal(path, 'placement-observation').append(observation);
}

/**
 * Reads a calibration to continue it, without what a killed session was writing.
 *
 * @param {string} path
 * @returns {Promise<StoredCalibration>} whose wall time ends with the last result: a killed session did not store its own
 */
export async function continueCalibration(path) {
  for (const kind of KINDS) journal(path, kind).truncatePartialLine();
  const stored = await readCalibration(path);
  dropOrphans(stored);
  const { calibration, trials, placementObservations } = stored;
  const ends = [
    ...trials.map(({ startedAtMs, wallMs }) => startedAtMs + wallMs),
    ...placementObservations.map(({ startedAtMs, workerMs }) => startedAtMs + workerMs),
  ];
  const wallMs = ends.reduce((last, end) => Math.max(last, end), calibration.wallMs);
  return { ...stored, calibration: { ...calibration, wallMs } };
}

/**
 * Removes the observations of a trial that was being written when the calibration was killed. It will run
 * again under the same number.
 *
 * @param {Pick<StoredCalibration, 'path' | 'trials'>} stored whose files end in whole lines
 */
function dropOrphans({ path, trials }) {
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
function numberOf({ id }) {
  return id.split('/')[0];
}

/**
 * Reads a calibration with its journals.
 *
 * @param {string} path of its directory
 * @returns {Promise<StoredCalibration>}
 * @throws {import('../../lib/errors.js').UsageError} when there is none
 * @throws {import('../../lib/errors.js').FormatError} when a file is broken or of another format version
 */
export async function readCalibration(path) {
  const calibration = readStudy('calibration', path);
  const trials = await journal(path, 'trial').read();
  const numbers = new Set(trials.map(({ number }) => String(number)));
  const observations = await journal(path, 'observation').read();
  return {
    path,
    calibration,
    trials,
    observations: observations.filter((observation) => numbers.has(numberOf(observation))),
    placementObservations: await journal(path, 'placement-observation').read(),
  };
}

/** @typedef {{ trial: Trial, observation: Observation, 'placement-observation': PlacementObservation }} Lines */

/**
 * @template {keyof Lines} K
 * @param {string} path
 * @param {K} kind
 * @returns {import('../../lib/journal.js').Journal<Lines[K]>}
 */
function journal(path, kind) {
  return openJournal(join(path, JOURNALS[kind]), {
    owner: findKind('calibration').owner,
    remedy: REMEDY,
    validate: (value, where) => validate(kind, value, where),
  });
}
