import { relative } from 'node:path';
import { escapeControl } from '../lib/escape.js';

/** @import { Io, TextSink } from './cli.js' */

// What Assay itself sends to a terminal: line ends, tabs, colours (`reports/document/terminal.js`), and the
// sequence that erases a line of progress.
// eslint-disable-next-line no-control-regex
const OWN = /(^\r|[\n\t]|\u001b\[(?:[012]|3[123])?m|\u001b\[K)/;

/**
 * Escapes what messages and progress quote from files, packages and workers: no control sequence but Assay's
 * own reaches the terminal.
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
  // The capturing group puts every separator, which is Assay's own, at an odd index.
  const pieces = text.split(OWN);
  return pieces.map((piece, index) => (index % 2 === 0 ? escapeControl(piece) : piece)).join('');
}

/** @type {(io: Io) => { width: number, color: boolean }} */
export function terminalOf({ stdout, environment }) {
  const color = stdout.isTTY === true && (environment.NO_COLOR ?? '') === '';
  return { width: Math.min(Math.max(stdout.columns ?? 80, 80), 120), color };
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
