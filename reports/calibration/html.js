/** What the errors of the instrument are on a host: one page that opens anywhere and asks for nothing. */

/** @import { Warning } from '../../harness/formats/types.ts' */
/** @import { Place } from './support/html-parts.js' */
/** @import { CalibrationInput, CalibrationRenderer } from './types.ts' */

import { listEnvironmentFacts } from '../support/environment-facts.js';
import { showInvisibleDeeply } from '../../harness/lib/escape.js';
import { pageSection } from '../support/html-blocks.js';
import { joinBlocks, markup } from '../document/markup.js';
import { listCalibrationFacts } from './support/background-parts.js';
import { listCalibrationParts } from './support/calibration-parts.js';
import { summarizeCalibration, tellEnd, tellMeasured } from './support/calibration-words.js';
import { budgetFigure } from './support/html-budget-plot.js';
import {
  drawPage,
  makeFactPlace,
  makePlace,
  makeRepeatPlace,
  makeSummaryPlace,
  REPORT_ASSETS,
} from './support/html-parts.js';
import { powerFigures } from './support/html-power-plot.js';

/** @type {CalibrationRenderer} */
export const renderer = {
  name: 'html',
  fileName: 'calibration.html',
  assets: REPORT_ASSETS,
  render: renderHtml,
};

/**
 * The whole page. Without `assets` it has neither style nor script and can still be read.
 *
 * @param {CalibrationInput} input
 * @returns {string} ends with a line end
 */
export function renderHtml({ calibration, assets }) {
  const shown = showInvisibleDeeply(calibration);
  const { environment, assay, id, createdAt } = shown;
  /** @type {Record<string, import('../document/markup.js').Content[]>} */
  const plots = { power: powerFigures(shown), budget: budgetFigure(shown.modes) };
  const places = [
    makeSummaryPlace(summarizeCalibration(shown), tellMeasured(shown), tellEnd(shown)),
    ...listCalibrationParts(shown).map((part) => makePlace(part, plots[part.id])),
    notePlace(shown.warnings),
    makeFactPlace('host', 'Host', listEnvironmentFacts(environment)),
    makeRepeatPlace(shown.command, listCalibrationFacts(shown)),
  ];
  const page = {
    title: `How far Assay can be trusted on ${environment.cpuModel}`,
    eyebrow: `Assay calibration · ${createdAt.slice(0, 10)}`,
    places,
    footer: `Assay ${assay.version} · ${id}`,
  };
  return drawPage(page, assets);
}

/**
 * @param {Warning[]} warnings
 * @returns {Place} without a body where there is nothing to note
 */
function notePlace(warnings) {
  const items = warnings.map(
    ({ number, text }) => markup`<li id="note-${number}" value="${number}">${text}</li>`,
  );
  const list = items.length === 0 ? null : markup`<ol class="notes">\n${joinBlocks(items)}\n</ol>`;
  return { id: 'notes', title: 'Notes', body: pageSection('notes', 'Notes', [list]) };
}
