import { resolve } from 'node:path';
import { PROJECT } from '../lib/project.js';
import { omitUndefined } from '../lib/records.js';
import { openRecorderHost } from '../profiling/recorder-registry.js';
import { makeProgressPrinter } from './progress.js';
import { writeReports } from './publish.js';

/** @import { Io } from './cli.js' */
/** @import { Session } from '../run/run.js' */

/**
 * Opens a session of measuring. The question chooses the recorders.
 *
 * @param {Io} io
 * @param {{ quiet?: boolean | undefined, wait?: boolean | undefined }} options as typed
 * @returns {Omit<Session, 'recorders'>}
 */
export function openSession(io, { quiet, wait }) {
  return {
    environment: io.environment,
    signal: io.signal,
    onProgress: makeProgressPrinter(io, quiet),
    host: openRecorderHost(io),
    publish: (run) => writeReports(run, io),
    ...omitUndefined({ waits: wait, runJob: io.runJob }),
  };
}

/**
 * @param {string | undefined} out as typed
 * @param {Io} io
 * @returns {string} absolute path of the directory in which directories of runs are made
 */
export function findRunsPath(out, { workingPath }) {
  return out === undefined ? PROJECT.runsPath : resolve(workingPath, out);
}
