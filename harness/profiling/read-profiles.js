import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProblem } from '../formats/schemas.js';
import { FormatError } from '../lib/errors.js';
import { PROJECT } from '../lib/project.js';
import { collapseNative, focusProfile, scaleProfile } from './profiles/transforms.js';
import { findRecordedProject, matchLoopFrame, shortenFile } from './profiles/frames.js';
import { importCpuProfile } from './formats/import-cpu-profile.js';
import { importHeapProfile } from './formats/import-heap-profile.js';
import { importSpeedscope } from './formats/speedscope.js';
import { readJson } from './formats/read-json.js';

/** @import { Frame, Profile } from '../formats/profile-types.ts' */
/** @import { Cell, DeoptLog, ProfileObservationDone } from '../formats/types.ts' */

/** Wherever it lay in the checkout that recorded. */
const EXERCISE_FILE = /^harness\/.*\/exercise-operation\.js$/;

const REMEDY = 'restore the file from a copy, or make the comparison again';

/** What reads an artefact with stacks, by the end of its name. */
const IMPORTERS = [
  { ending: '.cpuprofile', importProfile: importCpuProfile },
  { ending: '.heapprofile', importProfile: importHeapProfile },
  { ending: '.speedscope.json', importProfile: importSpeedscope },
];

/**
 * What reads a file with stacks in it.
 *
 * @param {string} path whose end tells
 * @returns {((json: unknown, projectPath: string) => Profile) | undefined} takes text or parsed JSON;
 *   undefined where the file is none of these
 */
export function findImporter(path) {
  return IMPORTERS.find(({ ending }) => path.endsWith(ending))?.importProfile;
}

/**
 * Whether a file has stacks in it.
 *
 * @param {string} path
 * @returns {boolean}
 */
export function hasStacks(path) {
  return findImporter(path) !== undefined;
}

/**
 * The profile of one process: what lies below the measured loop, per document.
 *
 * @param {string} runPath
 * @param {ProfileObservationDone} observation whose first artefact has stacks
 * @param {object} measured
 * @param {string} measured.familyPath
 * @param {Cell} measured.cell
 * @param {string[] | null} measured.loop names of the loop of a program of the family's own
 * @returns {{ whole: Profile, collapsed: Profile }} with native frames, and with these merged into
 *   the functions that called them
 * @throws {FormatError} when the file is missing or broken
 */
export function readProfile(runPath, { artefacts, exercise }, { familyPath, cell, loop }) {
  const [path = ''] = artefacts;
  const importProfile = findImporter(path);
  if (importProfile === undefined || exercise === null) {
    throw new FormatError(`'${path}' is no profile that can be read again`);
  }
  const text = readArtefact(runPath, path);
  const profile = importProfile(text, findRecordedProject(text) ?? PROJECT.projectPath);
  const operationPath = join(familyPath, 'operations', `${cell.operation}.js`);
  const isLoop = loop === null ? matchScriptLoop(operationPath) : matchLoopFrame(loop);
  const focused = focusProfile(profile, isLoop).profile;
  const whole = scaleProfile(focused, 1 / Math.max(1, exercise.documents));
  return { whole, collapsed: collapseNative(whole) };
}

/**
 * What calls the measured loop counts as the loop: in some processes V8 makes one function of both.
 *
 * @param {string} path of the module of the operation
 * @returns {(frame: Frame) => boolean}
 */
function matchScriptLoop(path) {
  const operationFile = shortenFile(path, PROJECT.projectPath);
  return function isMeasuredLoop({ name, kind, file }) {
    if (kind !== 'js' || file === null) return false;
    if (file === operationFile) return name === 'run';
    return EXERCISE_FILE.test(file) && (name === 'runFor' || name === 'runPasses');
  };
}

/**
 * What the recorder of V8's log left.
 *
 * @param {string} runPath
 * @param {ProfileObservationDone} observation
 * @returns {DeoptLog}
 * @throws {FormatError} when the file is missing or broken
 */
export function readDeoptLog(runPath, { artefacts: [path = ''] }) {
  const log = readJson(readArtefact(runPath, path), `'${path}' of the run`, REMEDY);
  const problem = findProblem('deopt-log', log);
  if (problem === null) return /** @type {any} */ (log);
  throw new FormatError(`'${path}' of the run is not a log of deoptimisations: ${problem}`, {
    remedy: REMEDY,
  });
}

/**
 * @param {string} runPath
 * @param {string} path relative to it
 * @returns {string}
 * @throws {FormatError}
 */
function readArtefact(runPath, path) {
  try {
    return readFileSync(join(runPath, path), 'utf8');
  } catch (cause) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    const why = code === 'ENOENT' ? 'it is not there any more' : message;
    throw new FormatError(`cannot read '${path}' of the run: ${why}`, { cause, remedy: REMEDY });
  }
}
