import { FORMAT_VERSION, IMPORT_RECORD_VERSION } from './format-version.js';

/**
 * A format that Assay reads and writes.
 *
 * @typedef {object} Format
 * @property {string} definition name of its type in `types.ts` and of its schema in `schemas.json`
 * @property {'document' | 'lines' | 'message' | 'part'} stored `document`: a JSON file; `lines`: a file
 *   of one JSON value per line, appended to; `message`: passed between processes; `part`: embedded in
 *   other documents
 * @property {string | null} fileName name of the file; null if files of the format differ in name
 * @property {string} subject how a message names a value of the format
 * @property {number | null} version of its `formatVersion`; null for a format without that field
 */

/** Every format, by the name that `validate` takes. */
export const FORMATS = Object.freeze({
  job: message('Job', 'the job'),
  'worker-report': message('WorkerReport', 'the worker report'),
  observation: lines('Observation', 'observations.ndjson'),
  'memory-observation': lines('MemoryObservation', 'memory.ndjson'),
  'profile-observation': lines('ProfileObservation', 'profiles.ndjson'),
  'layout-observation': lines('LayoutObservation', 'layouts.ndjson'),
  manifest: file('Manifest', 'manifest.json'),
  verdict: file('Verdict', 'verdict.json'),
  claims: file('ClaimsFile', 'claims.json'),
  replay: { ...message('ReplayableRecord', 'the replay record'), stored: 'part' },
  reproduction: file('Reproduction', 'reproduction.json'),
  'replay-result': file('ReplayResult', 'replay.json'),
  bisection: file('Bisection', 'bisection.json'),
  peers: file('PeersComparison', 'peers.json'),
  trial: lines('Trial', 'trials.ndjson'),
  calibration: file('Calibration', 'calibration.json'),
  'calibration-profile': {
    ...file('CalibrationProfile', 'calibration.json'),
    subject: 'the calibration record',
  },
  'remembered-claims': file('RememberedResults', 'claims.json'),
  'fuzz-journal': { ...unnamedFile('FuzzJournal', 'the journal of a fuzz job'), version: null },
  'deopt-log': { ...unnamedFile('DeoptLog', 'a log of deoptimisations'), version: null },
  'build-record': { ...file('BuildRecord', 'build.json'), version: null },
  'package-record': { ...file('PackageRecord', 'package-record.json'), version: null },
  'import-record': {
    ...unnamedFile('ImportRecord', 'the record of an imported corpus'),
    version: IMPORT_RECORD_VERSION,
  },
});

/** @typedef {keyof typeof FORMATS} FormatKind */

/**
 * @param {string} definition
 * @param {string} fileName
 * @returns {Format}
 */
function file(definition, fileName) {
  const version = FORMAT_VERSION;
  return { definition, stored: 'document', fileName, subject: fileName, version };
}

/**
 * @param {string} definition
 * @param {string} subject
 * @returns {Format}
 */
function unnamedFile(definition, subject) {
  return { definition, stored: 'document', fileName: null, subject, version: FORMAT_VERSION };
}

/**
 * @param {string} definition
 * @param {string} fileName
 * @returns {Format}
 */
function lines(definition, fileName) {
  const subject = `a line of ${fileName}`;
  return { definition, stored: 'lines', fileName, subject, version: FORMAT_VERSION };
}

/**
 * @param {string} definition
 * @param {string} subject
 * @returns {Format}
 */
function message(definition, subject) {
  return { definition, stored: 'message', fileName: null, subject, version: FORMAT_VERSION };
}
