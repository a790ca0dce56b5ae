/** A calibration as data: the text of calibration.json. */

/** @import { CalibrationInput, CalibrationRenderer } from './types.ts' */

import { escapeJson } from '../../harness/lib/escape.js';

/** @type {CalibrationRenderer} */
export const renderer = { name: 'json', fileName: 'calibration.json', render: renderJson };

/**
 * @param {CalibrationInput} input
 * @returns {string} ends with a line end
 */
export function renderJson({ calibration }) {
  return `${escapeJson(JSON.stringify(calibration, null, 2))}\n`;
}
