/** `--reuse`: an earlier run cited instead of a new one. */

import { countOf } from '../lib/numbers.js';
import { findReusableRun } from '../studies/history/earlier.js';
import { describeExperiment } from '../run/run.js';
import { analyzeRun } from '../run/verdict.js';
import { findExitStatus } from './comparison.js';
import { isForTerminal } from './options.js';
import { comparisonFinding, formatFinding } from './publish.js';
import { showPath } from './terminal.js';
import { writeNote } from '../lib/messages.js';

/** @import { Io } from './cli.js' */
/** @import { StoredRun } from '../run/store.js' */

const MINUTE_MS = 60_000;

/**
 * Finds an earlier run of the same experiment. If there is none, a note on standard error says why.
 *
 * @param {Parameters<typeof describeExperiment>[0]} prepared
 * @param {string} runsPath
 * @param {Io} io
 * @returns {Promise<StoredRun | null>}
 */
export async function findEarlierRun(prepared, runsPath, io) {
  const now = describeExperiment(prepared, io.environment);
  const show = (/** @type {string} */ path) => showPath(path, io.workingPath);
  const { run, notes } = await findReusableRun(now, runsPath, show);
  for (const note of notes) writeNote(io.stderr, note);
  return run;
}

/**
 * Prints an earlier run. Before its report two lines say that it is one: on standard error if the report is
 * data.
 *
 * @param {StoredRun} stored
 * @param {{ check?: boolean | undefined, format: string }} options
 * @param {Io} io
 * @returns {Promise<number>} exit status of the run
 */
export async function citeRun(stored, { check = false, format }, io) {
  const judged = { ...stored, ...(await analyzeRun(stored)) };
  const { createdAt, command } = stored.manifest;
  const sink = isForTerminal(format) ? io.stdout : io.stderr;
  const moment = `${createdAt.slice(0, 16).replace('T', ' ')} UTC`;
  const age = formatAge(Date.now() - Date.parse(createdAt));
  sink.write(`reused, nothing was measured now: ${showPath(stored.path, io.workingPath)}\n`);
  sink.write(`measured ${age} ago (${moment}) by: ${command}\n\n`);
  io.stdout.write(await formatFinding(await comparisonFinding(judged, io), format, io));
  return findExitStatus(judged.verdict, check);
}

/** @param {number} ms @returns {string} `12 minutes`, `3 hours`, `31 days` */
function formatAge(ms) {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes < 120) return countOf(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? countOf(hours, 'hour') : countOf(Math.floor(hours / 24), 'day');
}
