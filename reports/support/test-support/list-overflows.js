import { displayWidth } from '../../../harness/lib/display-width.js';

/** Columns that an indent or a label may take in front of a word. */
const LARGEST_INDENT = 40;

/**
 * Lines that should have been broken. A word that no line can hold is not broken, so that it can be
 * copied, and may stand out.
 *
 * @param {string} text without ANSI sequences
 * @param {number} width columns
 * @returns {string[]} lines wider than that without a word that explains it
 */
export function listOverflows(text, width) {
  return text.split('\n').filter((line) => {
    const longestWord = Math.max(...line.split(' ').map(displayWidth));
    return displayWidth(line) > width && longestWord <= width - LARGEST_INDENT;
  });
}
