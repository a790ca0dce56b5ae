import { PROGRAM } from '../lib/program.js';
import { FORMAT_VERSION, IMPORT_RECORD_VERSION } from './format-version.js';

/** @import { FormatKind } from './types.ts' */

/**
 * How a format is stored.
 *
 * @typedef {object} Format
 * @property {'document' | 'lines' | 'message' | 'part'} stored `document`: a JSON file; `lines`: a file
 *   of one JSON value per line, appended to; `message`: passed between processes; `part`: embedded in
 *   other documents
 * @property {string | null} fileName name of the file; null if files of the format differ in name
 * @property {string} subject how a message names a value of the format
 * @property {number | null} version of its `formatVersion`; null for a format without that field
 */

/**
 * Every format of `Formats`.
 *
 * @type {Readonly<Record<FormatKind, Format>>}
 */
export const FORMATS = Object.freeze({
  job: describe('message', 'the job'),
  'worker-report': describe('message', 'the worker report'),
  observation: lines('observations.ndjson'),
  'memory-observation': lines('memory.ndjson'),
  'profile-observation': lines('profiles.ndjson'),
  'placement-observation': lines('placements.ndjson'),
  manifest: file('manifest.json'),
  gate: file('gate.json'),
  session: lines('sessions.ndjson'),
  verdict: file('verdict.json'),
  claims: file('claims.json'),
  replay: describe('part', 'the replay record'),
  reproduction: file('reproduction.json'),
  'replay-result': file('replay.json'),
  bisection: file('bisection.json'),
  trend: file('trend.json'),
  'comparison-record': describe('document', 'the record of a comparison'),
  following: describe('document', 'what the records of a branch say'),
  peers: file('peers.json'),
  trial: lines('trials.ndjson'),
  calibration: file('calibration.json'),
  'calibration-profile': { ...file('calibration.json'), subject: 'the calibration record' },
  'remembered-claim': { ...describe('part', 'the last result of a claim'), version: null },
  'fuzz-journal': { ...describe('document', 'the journal of a fuzz job'), version: null },
  'deopt-log': { ...describe('document', 'a log of deoptimisations'), version: null },
  'build-record': { ...file('build.json'), version: null },
  'package-record': { ...file('package-record.json'), version: null },
  'package-manifest': { ...file('package.json'), version: null },
  'fleet-run': describe('message', 'the description of a run'),
  'fleet-block': describe('message', 'the block'),
  'fleet-message': describe('message', 'the answer of a host'),
  'fleet-sign': { ...describe('message', 'a sign of life'), version: null },
  host: lines('hosts.ndjson'),
  'loaded-file': lines('code.ndjson'),
  'watch-line': lines('watch.ndjson'),
  'kept-files': file('files.json'),
  'import-record': {
    ...describe('document', 'the record of an imported corpus'),
    version: IMPORT_RECORD_VERSION,
  },
});

/**
 * The studies that keep a record in a directory of their own, `NAME.json`, and can be resumed. Whatever recognises,
 * renders or resumes such a directory reads this table. `name`: what messages call it; `command` makes one; `again`: how
 * messages call a new one; `id`: the field of its record that has the name of the directory.
 */
export const STUDIES = Object.freeze({
  bisection: study('bisection', 'bisect', 'bisectionId'),
  trend: study('trend', 'trend', 'trendId'),
  reproduction: study('reproduction', 'reproduce', 'id'),
  calibration: study('calibration', 'calibrate', 'id'),
  peers: {
    ...study('comparison of tools', 'calibrate', 'id'),
    again: `a new one with: ${PROGRAM} calibrate --peers`,
  },
});

/** @type {(name: string, command: string, id: 'bisectionId' | 'trendId' | 'id') => Study} */
function study(name, command, id) {
  return { name, command, again: `a new ${name}`, id };
}

/** @typedef {{ name: string, command: string, again: string, id: 'bisectionId' | 'trendId' | 'id' }} Study */

/** @type {(stored: Format['stored'], subject: string) => Format} */
function describe(stored, subject) {
  return { stored, fileName: null, subject, version: FORMAT_VERSION };
}

/** @type {(fileName: string) => Format} */
function file(fileName) {
  return { ...describe('document', fileName), fileName };
}

/** @type {(fileName: string) => Format} */
function lines(fileName) {
  return { ...describe('lines', `a line of ${fileName}`), fileName };
}
