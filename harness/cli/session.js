import { resolve } from 'node:path';
import { PROJECT } from '../lib/project.js';
import { openRecorderHost } from '../profiling/recorder-registry.js';
import { makeProgressPrinter } from '../run/progress.js';
import { publishRun } from './publish.js';

/** @import { Io } from './cli.js' */
/** @import { Session } from '../run/run.js' */

/**
 * Opens a session of measuring. The question chooses the recorders.
 * @type {(io: Io) => Omit<Session, 'recorders'>}
 */
export function openSession(io) {
  return {
    environment: io.environment,
    signal: io.signal,
    onProgress: makeProgressPrinter(io.stderr, () => performance.now()),
    host: openRecorderHost(io),
    publish: (run) => publishRun(run, { ...io, stdout: { write: () => undefined } }),
    ...(io.jobTimeoutMs === undefined ? {} : { jobTimeoutMs: io.jobTimeoutMs }),
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
