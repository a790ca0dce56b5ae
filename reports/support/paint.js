/** Colour for terminals. It only repeats what the words already say. */

/** @import { Tone } from '../types.ts' */

const SEQUENCES = {
  plain: '',
  title: '\u001b[1m',
  quiet: '\u001b[2m',
  good: '\u001b[32m',
  bad: '\u001b[31m',
  doubtful: '\u001b[33m',
};
const RESET = '\u001b[0m';

/**
 * Makes the function that colours text, or leaves it alone.
 *
 * @param {boolean} color whether ANSI sequences may be written
 * @returns {(text: string, tone: Tone) => string}
 */
export function makePainter(color) {
  return function paint(text, tone) {
    const sequence = color ? SEQUENCES[tone] : '';
    return sequence === '' || text.trim() === '' ? text : sequence + text + RESET;
  };
}
