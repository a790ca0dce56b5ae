import { FORMAT_VERSION } from './format-version.js';

/**
 * A format that Assay reads and writes.
 *
 * @typedef {object} Format
 * @property {string} subject how a message names a value of it
 * @property {'document' | 'lines' | 'message' | 'part'} stored `document`: a JSON file; `lines`: a file
 *   of one JSON value per line, appended to; `message`: passed between processes; `part`: embedded in
 *   other documents
 * @property {string | null} fileName name of the file, where it has one of its own
 * @property {number} version a reader refuses any other
 */

/**
 * @template {string} Kind
 * @param {Record<Kind, Omit<Format, 'version'>>} formats
 * @returns {Readonly<Record<Kind, Format>>}
 */
function register(formats) {
  const entries = Object.entries(formats).map(([kind, format]) => [
    kind,
    { .../** @type {Format} */ (format), version: FORMAT_VERSION },
  ]);
  return Object.freeze(Object.fromEntries(entries));
}

/** Every format with a published schema, by the name that `validate` takes. */
export const FORMATS = register({
  job: { subject: 'the job', stored: 'message', fileName: null },
  'worker-report': { subject: 'the worker report', stored: 'message', fileName: null },
  observation: linesOf('observations.ndjson'),
  'memory-observation': linesOf('memory.ndjson'),
  'profile-observation': linesOf('profiles.ndjson'),
  'layout-observation': linesOf('layouts.ndjson'),
  manifest: documentOf('manifest.json'),
  verdict: documentOf('verdict.json'),
  claims: documentOf('claims.json'),
  replay: { subject: 'the replay record', stored: 'part', fileName: null },
  reproduction: documentOf('reproduction.json'),
  'replay-result': documentOf('replay.json'),
  bisection: documentOf('bisection.json'),
  peers: documentOf('peers.json'),
  trial: linesOf('trials.ndjson'),
  calibration: documentOf('calibration.json'),
  'calibration-profile': {
    subject: 'the calibration profile',
    stored: 'document',
    fileName: 'calibration.json',
  },
});

/** @typedef {keyof typeof FORMATS} FormatKind */

/**
 * @param {string} fileName
 * @returns {Omit<Format, 'version'>}
 */
function documentOf(fileName) {
  return { subject: fileName, stored: 'document', fileName };
}

/**
 * @param {string} fileName
 * @returns {Omit<Format, 'version'>}
 */
function linesOf(fileName) {
  return { subject: `a line of ${fileName}`, stored: 'lines', fileName };
}
