/** Cells that differ in one number, as a plot along that number. */

/** @import { Arm, Manifest, Observation, Verdict } from '../../harness/formats/types.ts' */
/** @import { Content } from '../document/markup.js' */
/** @import { ArmPoint } from '../figures/series-plot.js' */
/** @import { CellSeries, SeriesPoint } from './series.js' */

import { listFigures } from '../../harness/stats/interference.js';
import { codeName, joinBlocks, markup } from '../document/markup.js';
import { drawSeries } from '../figures/series-plot.js';
import { intervalOfMean } from './mean-interval.js';
import { formatConfidence } from '../../harness/lib/numbers.js';
import { describeLead, findSeries } from './series.js';

/**
 * A figure a series: times of both sides with their intervals, and where the candidate has the lead.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {Observation[]} observations the timed jobs, of which the intervals are
 * @returns {Content} nothing for a run without a series
 */
export function seriesPlots({ question }, verdict, observations) {
  const figures = findSeries(verdict).map((series) => drawFigure(series, question, observations));
  return figures.length === 0
    ? null
    : markup`<div class="plots series">
${joinBlocks(figures)}
</div>`;
}

/**
 * @param {CellSeries} series
 * @param {Manifest['question']} question
 * @param {Observation[]} observations
 * @returns {Content}
 */
function drawFigure(series, question, observations) {
  const { baseline, candidate, alpha } = question;
  const { label, corpus, node, points } = series;
  const place = `${corpus}${node === undefined ? '' : ` under Node ${node}`}`;
  const lines = /** @type {const} */ (['baseline', 'candidate']).map((arm) => ({
    arm,
    points: points.flatMap((point) => measureSide(arm, point, observations, question)),
  }));
  const figure = points[0]?.comparison.cell.figure;
  const isBanded = lines.some((line) => line.points.some(({ interval }) => interval !== null));
  return markup`<figure>
${drawSeries(`Time per document by ${label}, ${place}: the candidate is ${describeLead(series)}`, lines)}
<p class="axis" aria-hidden="true">${label}</p>
<figcaption><strong>${codeName(candidate)} against ${codeName(baseline)} on ${codeName(corpus)}${node === undefined ? null : ` under Node ${node}`}: ${describeLead(series)}.</strong> Time against ${label}${figure === undefined ? null : `: ${figure}`}${isBanded ? `, with the ${formatConfidence(alpha)} interval of each side` : null}; the words are the verdicts of the cells.</figcaption>
</figure>`;
}

/**
 * @param {Arm & ('baseline' | 'candidate')} arm
 * @param {SeriesPoint} point
 * @param {Observation[]} observations
 * @param {Manifest['question']} question
 * @returns {ArmPoint[]} none without a time
 */
function measureSide(arm, { at, comparison }, observations, question) {
  const ns = arm === 'baseline' ? comparison.baselineNs : comparison.candidateNs;
  if (ns === null) return [];
  const ofCell = observations.filter(({ cellId }) => cellId === comparison.cell.id);
  // What the table calls the baseline is the baseline and its control together.
  const times = listFigures(ofCell, question)
    .filter(({ observation }) => (observation.arm === 'candidate') === (arm === 'candidate'))
    .map(({ ns }) => ns);
  return [{ at, ns, interval: intervalOfMean(times, question.alpha) }];
}
