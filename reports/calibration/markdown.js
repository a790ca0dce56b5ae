/** What the errors of the instrument are on a host: GitHub Markdown that fits in one comment. */

/** @import { Warning } from '../../harness/formats/types.ts' */
/** @import { CalibrationInput, CalibrationRenderer } from './types.ts' */

import { listEnvironmentFacts } from '../support/environment-facts.js';
import { escapeProse, hiddenMarker, showInvisibleDeeply } from '../../harness/lib/escape.js';
import { joinSections, LARGEST_LENGTH } from '../support/join-sections.js';
import { folded } from '../support/markdown-table.js';
import { listCalibrationFacts } from './support/background-parts.js';
import { listCalibrationParts } from './support/calibration-parts.js';
import { summarizeCalibration, tellEnd, tellMeasured } from './support/calibration-words.js';
import { describeRepeat, listFacts, makeSections } from './support/markdown-parts.js';

/** @type {CalibrationRenderer} */
export const renderer = { name: 'markdown', fileName: 'calibration.md', render: renderMarkdown };

/**
 * The report, always below 60 000 characters: where it would be longer, whole sections are left out,
 * and the report says which.
 *
 * @param {CalibrationInput} input
 * @returns {string} ends with a line end
 */
export function renderMarkdown({ calibration }) {
  const shown = showInvisibleDeeply(calibration);
  const end = tellEnd(shown);
  const head = [
    hiddenMarker(shown.id),
    ...summarizeCalibration(shown).map((sentence) => `**${escapeProse(sentence)}**`),
    `${escapeProse(tellMeasured(shown))}.`,
    ...(end === null ? [] : [escapeProse(end)]),
  ];
  const sections = [
    ...makeSections(listCalibrationParts(shown)),
    { name: 'notes', rank: 50, text: listNotes(shown.warnings) },
    {
      name: 'host',
      rank: 51,
      text: folded('Host', listFacts(listEnvironmentFacts(shown.environment))),
    },
    {
      name: 'how to repeat',
      rank: 0,
      text: describeRepeat(shown.command, listCalibrationFacts(shown)),
    },
  ];
  return `${joinSections(head.join('\n\n'), sections, LARGEST_LENGTH, 'calibration.json')}\n`;
}

/**
 * @param {Warning[]} warnings
 * @returns {string} empty without any
 */
function listNotes(warnings) {
  if (warnings.length === 0) return '';
  const lines = warnings.map(({ number, text }) => `${number}. ${escapeProse(text)}`);
  return `**Notes**\n\n${lines.join('\n')}`;
}
