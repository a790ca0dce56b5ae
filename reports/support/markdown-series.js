/** Cells that differ in one number, in Markdown: a sentence and a small table along that number. */

/** @import { Manifest, Verdict } from '../../harness/formats/types.ts' */
/** @import { CellSeries } from './series.js' */

import { codeSpan, escapeProse } from '../../harness/lib/escape.js';
import { folded, markdownTable } from './markdown-table.js';
import {
  formatConfidence,
  formatInterval,
  formatRatio,
  formatTimePair,
} from '../../harness/lib/numbers.js';
import { describeLead, findSeries } from './series.js';

/**
 * Where the candidate has the lead, and the times of both sides, folded, as the cells have them too.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {'whole' | 'short'} [form] `short` has the sentences alone
 * @returns {string} empty for a run without a series
 */
export function seriesSection({ question }, verdict, form = 'whole') {
  const blocks = findSeries(verdict).flatMap((series) => [
    `**${tellLead(series, question)}**`,
    ...(form === 'whole' ? [foldTable(series, question)] : []),
  ]);
  return blocks.join('\n\n');
}

/**
 * @param {CellSeries} series
 * @param {Manifest['question']} question
 * @returns {string}
 */
function tellLead(series, { baseline, candidate }) {
  const { corpus, node } = series;
  const runtime = node === undefined ? '' : ` under Node ${codeSpan(node)}`;
  return `${codeSpan(candidate)} against ${codeSpan(baseline)} on ${codeSpan(corpus)}${runtime}: ${escapeProse(describeLead(series))}.`;
}

/**
 * @param {CellSeries} series
 * @param {Manifest['question']} question
 * @returns {string}
 */
function foldTable({ label, points }, { alpha }) {
  const titles = [label, 'baseline', 'candidate', 'ratio', `${formatConfidence(alpha)} interval`];
  const table = markdownTable(
    titles.map((title) => ({ title: escapeProse(title), align: /** @type {const} */ ('right') })),
    points.map(({ at, comparison: { baselineNs, candidateNs, effect } }) => [
      String(at),
      ...formatTimePair(baselineNs, candidateNs),
      formatRatio(effect?.ratio.estimate),
      formatInterval(effect?.ratio),
    ]),
  );
  return folded('The same as a table', table);
}
