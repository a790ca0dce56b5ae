/** What a comparison found in words and means: the sentence, the geometric means, the notes. */

/** @import { Manifest, Verdict, Warning } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */

import { calibrationLine } from './calibration-line.js';
import { hostsRemark } from './host-parts.js';
import { pageSection } from './html-blocks.js';
import { codeName, joinBlocks, markName, markup, withNames } from '../document/markup.js';
import { htmlTable } from './html-table.js';
import { meansRemark } from './means-remark.js';
import {
  countOf,
  formatChange,
  formatConfidence,
  formatDuration,
  formatInterval,
  formatRatio,
} from '../../harness/lib/numbers.js';
import { hasNodeColumn, nodeOf } from './runtime-matrix.js';
import { chooseMeans } from './series.js';
import { verdictSentence } from './verdict-sentence.js';
import { endLabel } from './verdict-words.js';

/**
 * The sentence that a reader takes away, what it rests on and what limits it.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content}
 */
export function verdictLead(manifest, verdict) {
  const sentence = withNames(verdictSentence(manifest, verdict, markName));
  const ended = endLabel(verdict, manifest.runId);
  const calibrated = calibrationLine(verdict.calibration, manifest.question.mode);
  return joinBlocks([
    markup`<p class="lead">${sentence}</p>`,
    basisLine(manifest, verdict),
    calibrated === null ? null : markup`<p class="basis">${calibrated}</p>`,
    manifest.question.mode === 'screen'
      ? markup`<p class="remark">Screen mode measures under <code>--predictable</code>: a fast look, not a claim. Repeat without <code>--screen</code> before you publish a figure.</p>`
      : null,
    ended === null ? null : markup`<p class="remark">${ended}</p>`,
  ]);
}

/**
 * How sure it is, in a line.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content} nothing where nothing was measured
 */
function basisLine({ variants }, { cells, timing }) {
  const measured = cells.filter(({ effect }) => effect !== null);
  if (measured.length === 0) return null;
  const ratios = measured
    .map(({ control }) => control?.ratio.estimate)
    .filter((ratio) => ratio !== undefined);
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map(formatRatio);
  const control =
    ratios.length === 0
      ? ''
      : ` The control, the baseline against itself, came out ${low === high ? `at ${low}` : `between ${low} and ${high}`}.`;
  const where = measured.length === cells.length ? '' : ' of the cells that were timed';
  return markup`<p class="basis">Both variants give the output of ${codeName(variants.reference.spec)} for every document${where}. ${countOf(timing.observations, 'process', 'processes')} in ${formatDuration(timing.wallMs)}.${control}</p>`;
}

/**
 * What to bear in mind where the cells come from several kinds of machine.
 *
 * @param {Manifest} manifest
 * @returns {Content} nothing for most runs
 */
export function hostsLine(manifest) {
  const remark = hostsRemark(manifest);
  return remark === null ? null : markup`<p class="remark">${remark}</p>`;
}

/**
 * Geometric means over the cells of each operation.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Content} nothing where there are none, or each is that of one cell
 */
export function summaryTable(manifest, verdict) {
  const { question } = manifest;
  const summaries = chooseMeans(verdict);
  if (summaries.every(({ cellCount }) => cellCount === 1)) return null;
  const remark = meansRemark(manifest, verdict, markName);
  const hasNodes = hasNodeColumn(verdict);
  return htmlTable({
    caption: markup`Geometric mean over the cells of each operation.${remark === null ? null : [' ', withNames(remark)]}`,
    label: 'Geometric means',
    columns: [
      { title: 'operation' },
      ...(hasNodes ? [{ title: 'node' }] : []),
      { title: 'cells', align: 'right' },
      { title: 'ratio', align: 'right' },
      { title: `${formatConfidence(question.alpha)} interval`, align: 'right' },
      { title: 'time', align: 'right' },
      { title: 'throughput', align: 'right' },
    ],
    rows: summaries.map((summary) => {
      const { operation, cellCount, ratio } = summary;
      const { change, throughput } = formatChange(ratio.estimate);
      const figures = [formatInterval(ratio), change, throughput];
      const estimate = markup`<strong>${formatRatio(ratio.estimate)}</strong>`;
      const runtime = hasNodes ? [nodeOf(summary, manifest.environment)] : [];
      return [codeName(operation), ...runtime, String(cellCount), estimate, ...figures];
    }),
  });
}

/**
 * Everything that a careful reader should know, with the numbers by which the rest refers to it.
 *
 * @param {Verdict} verdict
 * @returns {Content} nothing where there is nothing to note
 */
export function noteSection({ warnings, memory, explanation }) {
  const notes = [...warnings, ...(memory?.warnings ?? []), ...(explanation?.warnings ?? [])].map(
    makeNote,
  );
  if (notes.length === 0) return null;
  return pageSection('notes', 'Notes', [markup`<ol class="notes">\n${joinBlocks(notes)}\n</ol>`]);
}

/** @param {Warning} warning */
function makeNote({ number, text }) {
  return markup`<li id="note-${number}" value="${number}">${text}</li>`;
}
