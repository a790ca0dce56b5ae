import { showInvisible } from '../lib/escape.js';
import { openRecorderHost } from '../profiling/recorders-found.js';
import { makeProgressPrinter } from '../run/print-progress.js';
import { publishRun } from './publish.js';

/** @import { Io, TextSink } from './cli.js' */
/** @import { Session } from '../run/run.js' */

// What Assay itself sends to a terminal: line ends and tabs, its colours (`reports/support/paint.js`),
// and the erasing of a line of progress from its beginning on.
// eslint-disable-next-line no-control-regex
const OWN = /(^\r|[\n\t]|\u001b\[(?:[012]|3[123])?m|\u001b\[K)/;

/**
 * A sink that lets nothing steer a terminal but what Assay means to: messages and progress quote file
 * names, packages and workers of strangers, and this is the one place that all of them pass.
 *
 * @param {TextSink} sink
 * @returns {TextSink} shows other control, bidirectional and invisible characters as escapes
 */
export function guardSink(sink) {
  return {
    get isTTY() {
      return sink.isTTY === true;
    },
    get columns() {
      return sink.columns ?? 80;
    },
    write: (text) => sink.write(showForeign(text)),
  };
}

/** @param {string} text */
function showForeign(text) {
  // The capturing group puts every separator, which is Assay's own, at an odd place.
  const pieces = text.split(OWN);
  return pieces.map((piece, index) => (index % 2 === 0 ? showInvisible(piece) : piece)).join('');
}

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
