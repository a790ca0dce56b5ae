import { relative } from 'node:path';
import { displayWidth } from '../lib/columns.js';
import { escapeControl } from '../lib/escape.js';

/** @import { Io, TextSink } from './cli.js' */

/** What messages may contain: line ends and tabs. */
const LAYOUT = /([\n\t])/;
// What documents and progress may contain, too: the colours of `reports/document/terminal.js`.
// eslint-disable-next-line no-control-regex
const OWN = /([\n\t]|\u001b\[(?:[012]|3[123])?m)/;
const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;
/** Narrower lines hardly hold a figure; longer ones are hard to read. */
const MIN_COLUMNS = 40;
const MAX_COLUMNS = 120;

/**
 * The streams of the program. On a terminal, `showStatus` of standard error shows lines below everything
 * else; the next text on either stream replaces them. An interrupt leaves them in place.
 *
 * No control sequence but Assay's own reaches a terminal from what messages and progress quote from files,
 * packages and workers: control, bidirectional and invisible characters are shown as escapes. Results in a
 * pipe or a file are data and are not changed.
 *
 * @param {Pick<Io, 'stdout' | 'stderr' | 'signal'>} io
 * @returns {Pick<Io, 'stdout' | 'stderr'>}
 */
export function guardStreams({ stdout, stderr, signal }) {
  const status = stderr.isTTY === true ? openStatus(stderr, signal) : null;
  return {
    stdout: stdout.isTTY === true ? guardSink(stdout, status) : stdout,
    stderr: guardSink(stderr, status, { isBelow: true }),
  };
}

/**
 * @param {TextSink} sink
 * @param {Status | null} status below the texts
 * @param {{ isBelow?: boolean }} [place] `isBelow`: the sink shows the status
 * @returns {TextSink}
 */
function guardSink(sink, status, { isBelow = false } = {}) {
  return {
    get isTTY() {
      return sink.isTTY === true;
    },
    get columns() {
      return sink.columns || USUAL_COLUMNS;
    },
    get rows() {
      return sink.rows || USUAL_ROWS;
    },
    write(text) {
      status?.show([]);
      return sink.write(showForeign(text, isBelow ? LAYOUT : OWN));
    },
    ...(isBelow && status !== null
      ? { showStatus: status.show, wasStatusKept: status.wasKept }
      : {}),
  };
}

/**
 * @typedef {object} Status
 * @property {(lines: string[]) => void} show replaces the lines
 * @property {() => boolean} wasKept whether an interrupt left lines in place
 */

/**
 * @param {TextSink} sink a terminal
 * @param {AbortSignal} signal
 * @returns {Status}
 */
function openStatus(sink, signal) {
  /** @type {string[]} */
  let shown = [];
  let isKept = false;
  signal.addEventListener('abort', () => {
    if (shown.length === 0) return;
    isKept = true;
    shown = [];
    sink.write('\n');
  });
  return {
    show(lines) {
      if (signal.aborted || (lines.length === 0 && shown.length === 0)) return;
      const erasure = eraseLines(shown, sink.columns || USUAL_COLUMNS);
      shown = lines.map((line) => showForeign(line, OWN));
      sink.write(erasure + shown.join('\n'));
    },
    wasKept: () => isKept,
  };
}

/**
 * @param {string[]} lines above and at the cursor
 * @param {number} columns of the terminal now, which may break lines that it did not break before
 * @returns {string} sequences that erase them, with the cursor where they began
 */
function eraseLines(lines, columns) {
  if (lines.length === 0) return '';
  const rows = lines.reduce((sum, line) => {
    const width = displayWidth(
      line
        .split(OWN)
        .filter((_, index) => index % 2 === 0)
        .join(''),
    );
    return sum + Math.max(1, Math.ceil(width / columns));
  }, 0);
  return `\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`;
}

/** @type {(text: string, own: RegExp) => string} */
function showForeign(text, own) {
  // The capturing group puts every separator, which is Assay's own, at an odd index.
  const pieces = text.split(own);
  return pieces.map((piece, index) => (index % 2 === 0 ? escapeControl(piece) : piece)).join('');
}

/** @type {(io: Io) => { width: number, color: boolean }} */
export function terminalOf({ stdout, environment }) {
  const width = Math.min(Math.max(stdout.columns || USUAL_COLUMNS, MIN_COLUMNS), MAX_COLUMNS);
  return { width, color: hasColor(stdout, environment) };
}

/**
 * `FORCE_COLOR` decides where it is set, as in Node.
 * @type {(sink: TextSink, environment: Io['environment']) => boolean}
 */
export function hasColor(sink, { NO_COLOR = '', FORCE_COLOR, TERM }) {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return sink.isTTY === true && NO_COLOR === '' && TERM !== 'dumb';
}

/**
 * @param {string} path absolute
 * @param {string} workingPath
 * @returns {string} relative to the working path where it lies below that, else absolute
 */
export function showPath(path, workingPath) {
  const fromHere = relative(workingPath, path);
  return fromHere.startsWith('..') ? path : fromHere;
}
