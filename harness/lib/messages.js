import { escapeControl } from './escape.js';

/** @import { TextSink } from './io.ts' */

/**
 * Writes a message of one line, whatever it quotes: line ends of paths, options and workers become visible escapes.
 *
 * @param {Pick<TextSink, 'write'>} stderr
 * @param {string} text
 */
export function writeLine(stderr, text) {
  stderr.write(`${escapeControl(text)}\n`);
}

/** @param {Pick<TextSink, 'write'>} stderr @param {string} text */
export function writeNote(stderr, text) {
  writeLine(stderr, `note: ${text}`);
}
