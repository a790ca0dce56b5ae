import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PROJECT } from '../../lib/project.js';
import { readRun, writeManifest, writeObservations } from '../../run/store.js';
import { writeFiles } from '../support/directories.js';

/** @import { StoredRun } from '../../run/store.js' */

/**
 * A run as one value, without what can be computed from it (verdict and reports).
 *
 * @typedef {Omit<StoredRun, 'path'> & { files: Record<string, string> }} RecordedRun
 * @property files profile files by path relative to the run
 */

const RECORDINGS_PATH = fileURLToPath(new URL('recordings', import.meta.url));
const ENDING = '.json.gz';
const PROFILES_FOLDER = 'artefacts/profiles';
/** Replace the paths of the checkout and of the home directory. */
const PROJECT_PATH = '/assay';
const HOME_PATH = '/home/user';

/** @returns {string[]} families that have a recording */
export function listRecordings() {
  return readdirSync(RECORDINGS_PATH).map((name) => name.slice(0, -ENDING.length));
}

/** @type {(family: string) => RecordedRun} */
export function readRecording(family) {
  const packed = readFileSync(join(RECORDINGS_PATH, `${family}${ENDING}`));
  // Recordings do not say which files jobs loaded.
  return { loadedFiles: [], ...JSON.parse(gunzipSync(packed).toString('utf8')) };
}

/**
 * Stores a run of this checkout as the recording of its family, without paths of this machine and with the profiles of the
 * first cell only, since profiles are large.
 *
 * @param {RecordedRun} recording
 */
export function keepRecording(recording) {
  const { question } = recording.manifest;
  const { family } = question;
  const [cell] = question.cells;
  const profileObservations = recording.profileObservations.filter(
    ({ cellId }) => cellId === cell?.id,
  );
  const kept = new Set(
    profileObservations.flatMap((line) => (line.outcome === 'done' ? line.artefacts : [])),
  );
  const files = Object.fromEntries(
    Object.entries(recording.files).filter(([path]) => kept.has(path)),
  );
  const json = JSON.stringify({ ...recording, profileObservations, files })
    .replaceAll(PROJECT.projectPath, PROJECT_PATH)
    .replaceAll(homedir(), HOME_PATH);
  writeFileSync(join(RECORDINGS_PATH, `${family}${ENDING}`), gzipSync(json, { level: 9 }));
}

/**
 * @param {string} path directory of a run
 * @returns {Promise<RecordedRun>}
 */
export async function loadRecording(path) {
  const stored = await readRun(path);
  // A recording has other lines than the run: fewer of them, and without paths.
  for (const line of stored.sessions) if (line.event === 'ended') delete line.journals;
  /** @type {RecordedRun['files']} */
  const files = {};
  for (const name of listFolder(join(path, PROFILES_FOLDER))) {
    files[`${PROFILES_FOLDER}/${name}`] = readFileSync(join(path, PROFILES_FOLDER, name), 'utf8');
  }
  const recording = { ...stored, files };
  delete (/** @type {Partial<StoredRun>} */ (recording).path);
  recording.loadedFiles = [];
  return recording;
}

/** @param {string} path */
function listFolder(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/**
 * Writes the directory of a run without verdict and reports.
 *
 * @param {RecordedRun} recording
 * @param {string} path of the directory, which is created
 * @returns {StoredRun}
 */
export function placeRecording({ files, ...run }, path) {
  mkdirSync(join(path, 'artefacts'), { recursive: true });
  writeManifest({ ...run, path });
  writeObservations(path, run);
  writeFiles(path, files);
  return { ...run, path };
}
