import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { FORMAT_VERSION } from '../../formats/format-version.js';
import { STUDIES } from '../../formats/registry.js';
import { REPLAY_END, REPLAY_START } from '../../formats/replay-marks.js';
import { validate } from '../../formats/schemas.js';
import { showValue } from '../../formats/describe-problems.js';
import { FormatError, UsageError } from '../../lib/errors.js';
import { formatCommand } from '../../lib/program.js';
import { findStudy } from '../../run/store.js';
import { quoteText, requirePlainText } from './question.js';

/** @import { ReplayRecord } from '../../formats/types.ts' */

/** Bytes; reports are kept below 2 MB, and a verdict is smaller than its report. */
const MAX_HTML_BYTES = 64 * 2 ** 20;
const MAX_JSON_BYTES = 16 * 2 ** 20;

/**
 * Reads the replay record of a report and validates its format. What it asks for is not checked yet.
 *
 * @param {string} path absolute: directory of a run, its verdict.json, or its report.html
 * @param {string} typed the same, as a message names it
 * @returns {Promise<ReplayRecord>}
 * @throws {UsageError} when there is no report, or it is too large
 * @throws {FormatError} when it is broken or of another format version
 */
export async function readReport(path, typed) {
  const file = chooseFile(path, typed);
  const isPage = /^\.html?$/i.test(extname(file));
  requireSize(file, isPage ? MAX_HTML_BYTES : MAX_JSON_BYTES);
  const subject = `'${file === path ? typed : join(typed, 'verdict.json')}'`;
  const text = readText(file, subject);
  const record = isPage
    ? parseJson(
        requireJsonSize(findRecord(text, subject), subject),
        `the replay record of ${subject}`,
      )
    : takeRecord(parseJson(text, subject), subject);
  requirePlainText(record);
  validate('replay', record, `the replay record of ${subject}`);
  return /** @type {ReplayRecord} */ (record);
}

/**
 * @param {string} path
 * @param {string} typed
 * @returns {string} the file that holds the record
 */
function chooseFile(path, typed) {
  if (!existsSync(path)) {
    throw new UsageError(`there is no '${typed}'`, {
      remedy: 'name the directory of a run, its verdict.json or its report.html',
    });
  }
  if (isFile(path) && /^\.(html?|json)$/i.test(extname(path))) return path;
  if (isFile(join(path, 'verdict.json'))) return join(path, 'verdict.json');
  if (isFile(join(path, 'manifest.json'))) {
    throw new UsageError(`the run '${typed}' has no verdict.json: it was interrupted`, {
      remedy: `resume it first: ${formatCommand(['compare', '--resume', typed])}`,
    });
  }
  const study = findStudy(path);
  if (study !== null) {
    throw new UsageError(`'${typed}' is a ${STUDIES[study].name}, which is made of several runs`, {
      remedy: 'name the directory of one of its runs',
    });
  }
  throw new UsageError(
    `'${typed}' is neither a run's directory, nor a verdict.json or report.html`,
    { remedy: 'name one of these; a file must end in .json or .html' },
  );
}

/** @param {string} path */
function isFile(path) {
  return existsSync(path) && statSync(path).isFile();
}

/** @param {string} file @param {number} mostBytes */
function requireSize(file, mostBytes) {
  const { size } = statSync(file);
  if (size > mostBytes) refuseSize(`'${file}'`, size, mostBytes);
}

/**
 * @param {string} json
 * @param {string} subject
 * @returns {string} the same
 */
function requireJsonSize(json, subject) {
  if (json.length > MAX_JSON_BYTES) {
    refuseSize(`the replay record of ${subject}`, json.length, MAX_JSON_BYTES);
  }
  return json;
}

/** @type {(subject: string, sizeBytes: number, mostBytes: number) => never} */
function refuseSize(subject, sizeBytes, mostBytes) {
  const [size, most] = [sizeBytes, mostBytes].map((bytes) => Math.ceil(bytes / 2 ** 20));
  throw new UsageError(`${subject} has ${size} MiB, more than ${most} MiB`, {
    remedy: 'name the original report',
  });
}

/** @param {string} file @param {string} subject */
function readText(file, subject) {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`cannot read ${subject}: ${/** @type {Error} */ (cause).message}`, {
      cause,
    });
  }
}

/** @type {(text: string, subject: string) => unknown} */
function parseJson(text, subject) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // What the parser says quotes the file, which may hold anything.
    throw new FormatError(`${subject} is not valid JSON`, {
      cause,
      remedy: 'name the original report',
    });
  }
}

/**
 * @param {unknown} verdict
 * @param {string} subject
 * @returns {unknown} its record
 */
function takeRecord(verdict, subject) {
  if (typeof verdict === 'object' && verdict !== null && Object.hasOwn(verdict, 'replay')) {
    return /** @type {{ replay: unknown }} */ (verdict).replay;
  }
  const version =
    typeof verdict === 'object' && verdict !== null && 'formatVersion' in verdict
      ? `it has format ${quoteText(showValue(verdict.formatVersion))}`
      : 'it names no format version';
  throw new FormatError(
    `${subject} has no replay record: ${version}, this Assay reads format ${FORMAT_VERSION}`,
    { remedy: 'name the verdict.json of a comparison, or use the Assay that wrote it' },
  );
}

/**
 * Extracts the replay record of a page by searching for text: the page is neither parsed nor run.
 *
 * @param {string} html
 * @param {string} subject how a message names the file
 * @returns {string} JSON, not looked at yet
 * @throws {UsageError} when the page has no record, or more than one
 */
function findRecord(html, subject) {
  const start = html.indexOf(REPLAY_START);
  const end = start < 0 ? -1 : html.indexOf(REPLAY_END, start);
  if (end < 0) {
    throw new UsageError(`${subject} has no replay record`, {
      remedy: 'name the complete report.html of a comparison by Assay of format 4 or later',
    });
  }
  if (html.indexOf(REPLAY_START, end) >= 0) {
    throw new UsageError(`${subject} has more than one replay record`, {
      remedy: 'ask for the original report; nothing of it was run',
    });
  }
  return html.slice(start + REPLAY_START.length, end);
}
