/** What the errors of the instrument are on a host, for a terminal or a pipe. */

/** @import { CalibrationInput, CalibrationRenderer } from './types.ts' */

import { showInvisible, showInvisibleDeeply } from '../../harness/lib/escape.js';
import { makePainter } from '../support/paint.js';
import { wrapText } from '../../harness/lib/wrap.js';
import { listCalibrationParts } from './support/calibration-parts.js';
import { summarizeCalibration, tellEnd, tellMeasured } from './support/calibration-words.js';
import { layOutEnd, layOutHead, layOutParts } from './support/terminal-parts.js';

const DEFAULT_WIDTH = 80;

/** @type {CalibrationRenderer} */
export const renderer = { name: 'terminal', fileName: null, render: renderTerminal };

/**
 * False positives, power, and where the noise comes from, in lines of at most `width` columns.
 *
 * @param {CalibrationInput} input
 * @returns {string} ends with a line end
 */
export function renderTerminal({ calibration, path, width = DEFAULT_WIDTH, color = false }) {
  const shown = showInvisibleDeeply(calibration);
  const terminal = { width, paint: makePainter(color) };
  const notes = shown.warnings.flatMap(({ number, text }) =>
    wrapText(text, width, { first: ` ${number}  ` }),
  );
  const blocks = [
    layOutHead(summarizeCalibration(shown), tellEnd(shown), terminal),
    ...layOutParts(listCalibrationParts(shown), terminal),
    ...(notes.length === 0 ? [] : [[terminal.paint('Notes', 'title'), ...notes]]),
    layOutEnd(
      {
        measured: tellMeasured(shown),
        command: shown.command,
        path: showInvisible(path ?? shown.id),
      },
      terminal,
    ),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
