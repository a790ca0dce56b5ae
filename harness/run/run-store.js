import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../lib/errors.js';
import { appendLines, cutTornLine, readLines } from '../formats/line-files.js';
import { RUN, makeDirectory, writeWhole } from '../lib/files.js';
import { refuseProfile } from './profile-text.js';
import { readDocument } from '../formats/read-document.js';

/** @import { LayoutObservation, Manifest, MemoryObservation, Observation, ProfileObservation, Verdict } from '../formats/types.ts' */

const MANIFEST = 'manifest.json';
const OBSERVATIONS = 'observations.ndjson';
const MEMORY = 'memory.ndjson';
const PROFILES = 'profiles.ndjson';
const LAYOUTS = 'layouts.ndjson';
const VERDICT = 'verdict.json';
const ARTEFACTS = 'artefacts';
/** What else lies beside runs, by the file that shows it. */
const OTHER_KINDS = [
  { file: 'calibration.json', what: 'a calibration', remedy: 'see it with: just report DIR' },
  { file: 'peers.json', what: 'a comparison of tools', remedy: 'see it with: just report DIR' },
  { file: 'reproduction.json', what: 'a reproduction', remedy: 'see it with: just report DIR' },
  { file: 'bisection.json', what: 'a bisection', remedy: 'name the directory of one of its steps' },
];
/** As `writeWhole` names them. */
const TEMPORARY = /\.\d+\.tmp$/;
const FILE_REMEDY = 'restore the file from a copy, or measure again';
const LINE_REMEDY = 'restore the file from a copy, or remove the broken line';

/**
 * @typedef {object} StoredRun
 * @property {string} path
 * @property {Manifest} manifest
 * @property {Observation[]} observations in the order in which they were made
 * @property {MemoryObservation[]} memoryObservations likewise; none where memory was not measured
 * @property {ProfileObservation[]} profileObservations likewise
 * @property {LayoutObservation[]} layoutObservations likewise
 * @property {Verdict | null} verdict of the last session, where one was written
 */

/**
 * Makes the directory of a new run.
 *
 * @param {string} runsPath
 * @param {string} name wanted; a number is added when it is taken
 * @returns {{ runId: string, path: string }}
 * @throws {import('../lib/errors.js').MachineError} when it cannot be made
 */
export function createRunDirectory(runsPath, name) {
  let runId = name;
  for (let again = 2; existsSync(join(runsPath, runId)); again++) runId = `${name}-${again}`;
  const path = join(runsPath, runId);
  makeDirectory(join(path, ARTEFACTS), 'free some space or name another directory with --out');
  return { runId, path };
}

/**
 * Writes the manifest; from here on the run can be resumed.
 *
 * @param {string} path of the run
 * @param {Manifest} manifest
 */
export function writeManifest(path, manifest) {
  writeWhole(join(path, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, RUN);
}

/**
 * Appends one observation. The line is handed to the system before the next job starts, so a run
 * that is killed loses the job under way and nothing else.
 *
 * @param {string} path of the run
 * @param {Observation} observation
 */
export function appendObservation(path, observation) {
  appendLines(join(path, OBSERVATIONS), [observation], RUN);
}

/**
 * The same for what a memory job brought.
 *
 * @param {string} path of the run
 * @param {MemoryObservation} observation
 */
export function appendMemoryObservation(path, observation) {
  appendLines(join(path, MEMORY), [observation], RUN);
}

/**
 * The same for what a profile job brought.
 *
 * @param {string} path of the run
 * @param {ProfileObservation} observation
 */
export function appendProfileObservation(path, observation) {
  appendLines(join(path, PROFILES), [observation], RUN);
}

/**
 * The same for what a job of a layout brought.
 *
 * @param {string} path of the run
 * @param {LayoutObservation} observation
 */
export function appendLayoutObservation(path, observation) {
  appendLines(join(path, LAYOUTS), [observation], RUN);
}

/**
 * Writes a report of the run, whole or not at all.
 *
 * @param {string} path of the run
 * @param {string} fileName
 * @param {string} text
 */
export function writeReport(path, fileName, text) {
  writeWhole(join(path, fileName), text, RUN);
}

/**
 * Reads a run, to go on with it or to render it again.
 *
 * @param {string} path of the run's directory
 * @returns {Promise<StoredRun>}
 * @throws {UsageError} when it is not a run
 * @throws {import('../lib/errors.js').FormatError} when a file is broken or of another format version
 */
export async function readRun(path) {
  if (!existsSync(join(path, MANIFEST))) {
    const other = OTHER_KINDS.find(({ file }) => existsSync(join(path, file)));
    if (other !== undefined) {
      const { what, remedy } = other;
      throw new UsageError(`'${path}' is ${what}, and no run of compare`, { remedy });
    }
    refuseProfile(path, 'no run of compare');
    if (existsSync(join(path, ARTEFACTS))) {
      throw new UsageError(`'${path}' was cut off before anything was timed: no ${MANIFEST}`, {
        remedy: 'remove it, and start the comparison again',
      });
    }
    throw new UsageError(`'${path}' is not a run: it has no ${MANIFEST}`, {
      remedy: 'name a directory under reports/runs/, as printed at the end of a comparison',
    });
  }
  const manifest = /** @type {Manifest} */ (
    await readDocument(join(path, MANIFEST), 'manifest', FILE_REMEDY)
  );
  const verdict = existsSync(join(path, VERDICT))
    ? /** @type {Verdict} */ (await readDocument(join(path, VERDICT), 'verdict', FILE_REMEDY))
    : null;
  return {
    path,
    manifest,
    observations: /** @type {Observation[]} */ (await readAll(path, OBSERVATIONS, 'observation')),
    memoryObservations: await readMemoryObservations(path),
    profileObservations: await readProfileObservations(path),
    layoutObservations: await readLayoutObservations(path),
    verdict,
  };
}

/**
 * What the memory jobs of a run have brought so far.
 *
 * @param {string} path of the run
 * @returns {Promise<MemoryObservation[]>} in the order in which they were made; none where memory
 *   was not measured
 * @throws {import('../lib/errors.js').FormatError} when the file is broken or of another format version
 */
export async function readMemoryObservations(path) {
  const lines = await readAll(path, MEMORY, 'memory-observation');
  return /** @type {MemoryObservation[]} */ (lines);
}

/**
 * What the profile jobs of a run have brought so far.
 *
 * @param {string} path of the run
 * @returns {Promise<ProfileObservation[]>} in the order in which they were made
 * @throws {import('../lib/errors.js').FormatError} when the file is broken or of another format version
 */
async function readProfileObservations(path) {
  const lines = await readAll(path, PROFILES, 'profile-observation');
  return /** @type {ProfileObservation[]} */ (lines);
}

/**
 * What the jobs of layouts of a run have brought so far.
 *
 * @param {string} path of the run
 * @returns {Promise<LayoutObservation[]>} in the order in which they were made
 * @throws {import('../lib/errors.js').FormatError} when the file is broken or of another format version
 */
async function readLayoutObservations(path) {
  const lines = await readAll(path, LAYOUTS, 'layout-observation');
  return /** @type {LayoutObservation[]} */ (lines);
}

/**
 * Cuts off a last line that was being written when the run was killed, so that appending can go on.
 *
 * @param {string} path of the run
 */
export function dropTornLine(path) {
  for (const name of [OBSERVATIONS, MEMORY, PROFILES, LAYOUTS]) cutTornLine(join(path, name));
}

/**
 * Removes files that were being written when the run was killed. Each would have taken the place of
 * one that is still whole.
 *
 * @param {string} path of the run
 */
export function dropTornFiles(path) {
  const torn = readdirSync(path).filter((name) => TEMPORARY.test(name));
  for (const name of torn) rmSync(join(path, name), { force: true });
}

/**
 * @param {string} path of the run
 * @param {string} fileName
 * @param {'observation' | 'memory-observation' | 'profile-observation' | 'layout-observation'} kind of
 *   each line
 */
function readAll(path, fileName, kind) {
  return readLines(join(path, fileName), kind, LINE_REMEDY);
}
