import { openRecorderHost } from '../profiling/choose-recorders.js';
import { makeProgressPrinter } from '../run/print-progress.js';
import { publishRun } from './publish-run.js';

/** @import { Io } from './cli.js' */
/** @import { Session } from '../run/continue-run.js' */

/**
 * What a session of measuring has of the outside world, but for the recorders, which the question
 * decides.
 *
 * @param {Io} io
 * @returns {Omit<Session, 'recorders'>}
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
