/** Cells that differ in one number alone, shown along that number. */

/** @import { Arm, Cell, CellComparison, Manifest, Observation, RatioInterval, Series, Verdict, VerdictWord } from '../../../harness/formats/types.ts' */
/** @import { Block, Figure, Inline, Section } from '../../document/model.ts' */
/** @import { ArmPoint } from '../../figures/series-plot.js' */

import {
  formatConfidence,
  formatInterval,
  formatRatio,
  formatTimePair,
} from '../../../harness/lib/numbers.js';
import { listFigures } from '../../../harness/stats/interference.js';
import { studentInterval } from '../../../harness/stats/means.js';
import { nominalLevel } from '../../../harness/stats/multiplicity.js';
import { jobCellId, listAllLooks, pairOf } from '../../../harness/stats/plan.js';
import { describeTrimmedMean } from '../../../harness/stats/robust.js';
import { VERDICTS } from '../../../harness/stats/verdicts.js';
import { plainText } from '../../document/inline.js';
import { figureColumns } from '../build.js';
import { drawSeries } from '../../figures/series-plot.js';
import { nameInterval } from './words.js';
import { nameRuntime } from '../../../harness/lib/words.js';

/**
 * Cells of one corpus, under one runtime, whose operations belong to one series.
 *
 * @typedef {object} CellSeries
 * @property {string} label what the number counts: `getters read`
 * @property {string} corpus
 * @property {string | undefined} runtime
 * @property {number | undefined} candidate number, if there are several
 * @property {SeriesPoint[]} points ascending by the number
 */

/** @typedef {{ at: number, comparison: CellComparison }} SeriesPoint */

/** @typedef {{ question: Manifest['question'], verdict: Pick<Verdict, 'interimLooks'>, observations: Observation[] }} MeasuredRun */

/**
 * Points that follow each other and have the same verdict.
 *
 * @typedef {object} Stretch
 * @property {VerdictWord} verdict
 * @property {number} from the number at its first point
 * @property {number} to the number at its last point
 */

/**
 * @param {Pick<Verdict, 'cells'>} verdict
 * @returns {CellSeries[]} those with at least two points, in the order of the cells
 */
export function findSeries({ cells }) {
  /** @type {Map<string, CellSeries>} */
  const found = new Map();
  for (const comparison of cells) {
    const { series, corpus, runtime, candidate } = comparison.cell;
    if (series === undefined || comparison.effect === null) continue;
    const key = JSON.stringify([series.name, corpus, runtime, candidate]);
    const { label } = series;
    const one = found.get(key) ?? { label, corpus, runtime, candidate, points: [] };
    one.points.push({ at: series.at, comparison });
    found.set(key, one);
  }
  const long = [...found.values()].filter(({ points }) => points.length > 1);
  for (const { points } of long) points.sort((a, b) => a.at - b.at);
  return long;
}

/**
 * The place of an operation, the same for all its cells, so that one that was refused, or is alone on
 * its corpus, is listed beside the others.
 *
 * @param {CellSeries[]} all
 * @param {Cell} cell
 * @returns {Series | null} null where none of them has a point of the cell's operation
 */
export function placeInSeries(all, { operation, series }) {
  const isIn = all.some(({ points }) =>
    points.some(({ comparison }) => comparison.cell.operation === operation),
  );
  return isIn && series !== undefined ? series : null;
}

/**
 * Where along the number the candidate is faster or slower, by the verdicts of the points.
 *
 * @param {CellSeries} series
 * @returns {string} `faster up to 4 getters read, no difference known at 6, slower from 8 on`;
 *   `faster at every point, 0 to 10 getters read`
 */
export function describeLead({ label, points }) {
  const stretches = joinStretches(points);
  const [first] = stretches;
  if (first !== undefined && stretches.length === 1) {
    return `${VERDICTS[first.verdict].phrase} at every point, ${first.from} to ${first.to} ${label}`;
  }
  return stretches
    .map((stretch, index) => {
      const isLast = index === stretches.length - 1;
      const place = describePlace(stretch, index === 0, isLast);
      return `${VERDICTS[stretch.verdict].phrase} ${place(index === 0 ? ` ${label}` : '')}`;
    })
    .join(', ');
}

/**
 * @param {Stretch} stretch
 * @param {boolean} isFirst
 * @param {boolean} isLast
 * @returns {(unit: string) => string} where it lies; `unit` follows the number
 */
function describePlace({ from, to }, isFirst, isLast) {
  if (from === to) return (unit) => `at ${from}${unit}`;
  if (isFirst) return (unit) => `up to ${to}${unit}`;
  if (isLast) return (unit) => `from ${from}${unit} on`;
  return (unit) => `from ${from} to ${to}${unit}`;
}

/** @type {(points: SeriesPoint[]) => Stretch[]} */
function joinStretches(points) {
  /** @type {Stretch[]} */
  const stretches = [];
  for (const { at, comparison } of points) {
    const { verdict } = comparison;
    const last = stretches.at(-1);
    if (last?.verdict === verdict) last.to = at;
    else stretches.push({ verdict, from: at, to: at });
  }
  return stretches;
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {Observation[]} observations the timed jobs, which the bands of the plots come from
 * @returns {Section} without blocks for a run without a series
 */
export function makeSeriesSection({ question }, verdict, observations) {
  const all = findSeries(verdict);
  const leads = leadsOfSeries(question, verdict);
  const short = leads.map((text) => makeLead([text, '.']));
  return {
    id: 'series',
    title: 'Series',
    order: 3,
    untitled: ['terminal', 'markdown'],
    short,
    blocks: [
      ...short,
      {
        kind: 'figures',
        name: 'series',
        figures: all.map((series, index) =>
          makeFigure(series, leads[index] ?? '', { question, verdict, observations }),
        ),
      },
      ...all.map((series) => tabulateSeries(series, question)),
    ],
  };
}

/** @type {(question: Manifest['question'], verdict: Pick<Verdict, 'cells'>) => Inline[]} a sentence each, without its end */
export function leadsOfSeries(question, verdict) {
  return findSeries(verdict).map((series) => describeSeries(series, question));
}

/** @type {(text: Inline) => Block} */
function makeLead(text) {
  // A page has it below the figure.
  return { kind: 'paragraph', role: 'lead', text, only: ['terminal', 'markdown'] };
}

/**
 * @param {CellSeries} series
 * @param {Manifest['question']} question
 * @returns {Inline} `b against a on urls: faster up to 4 getters read`
 */
function describeSeries(series, question) {
  const { corpus, runtime, candidate: number } = series;
  const { baseline, candidate } = pairOf(
    question,
    number === undefined ? {} : { candidate: number },
  );
  return [
    { code: candidate },
    ' against ',
    { code: baseline },
    ' on ',
    { code: corpus },
    runtime === undefined ? '' : ` under ${nameRuntime(runtime)}`,
    `: ${describeLead(series)}`,
  ];
}

/**
 * @param {CellSeries} series
 * @param {Manifest['question']} question
 * @returns {Block} folded, as the table of times has the figures too
 */
function tabulateSeries({ label, corpus, runtime, points }, { alpha }) {
  const place = `${corpus}${runtime === undefined ? '' : ` under ${nameRuntime(runtime)}`}`;
  return {
    kind: 'group',
    title: 'As a table',
    folded: ['terminal', 'markdown', 'html'],
    blocks: [
      {
        kind: 'table',
        label: `Times by ${label}, ${place}`,
        caption: `Times by ${label}, ${place}`,
        columns: figureColumns(
          label,
          'ratio',
          nameInterval(
            alpha,
            points.map(({ comparison }) => comparison),
          ),
          'baseline',
          'candidate',
        ),
        rows: points.map(({ at, comparison: { baselineNs, candidateNs, effect } }) => [
          String(at),
          formatRatio(effect?.ratio.estimate),
          formatInterval(effect?.ratio),
          ...formatTimePair(baselineNs, candidateNs),
        ]),
      },
    ],
  };
}

/**
 * @param {CellSeries} series
 * @param {Inline} lead
 * @param {MeasuredRun} run
 * @returns {Figure} times of both arms with their intervals
 */
function makeFigure({ label, points }, lead, run) {
  const lines = /** @type {const} */ (['baseline', 'candidate']).map((arm) => ({
    arm,
    points: points.flatMap((point) => measureArm(arm, point, run)),
  }));
  const figure = points[0]?.comparison.cell.figure;
  const isBanded = lines.some((line) => line.points.some(({ interval }) => interval !== null));
  return {
    kind: 'figure',
    draw: () => drawSeries(`Time per document by ${label}, ${plainText(lead)}`, label, lines),
    caption: [
      { strong: [lead, '.'] },
      ` Time per document by ${label}`,
      figure === undefined ? '' : `: ${figure}`,
      isBanded
        ? `, with an interval of each arm that holds at ${formatConfidence(run.question.alpha)} over all looks`
        : '',
      '. The words are the verdicts of the cells.',
    ],
  };
}

/**
 * @param {Arm & ('baseline' | 'candidate')} arm
 * @param {SeriesPoint} point
 * @param {MeasuredRun} run
 * @returns {ArmPoint[]} none without a time
 */
function measureArm(arm, { at, comparison }, { question, verdict, observations }) {
  const ns = arm === 'baseline' ? comparison.baselineNs : comparison.candidateNs;
  if (ns === null) return [];
  const { cell } = comparison;
  const ofCell = observations.filter((each) => each.cellId === jobCellId(cell, each.arm));
  // The time of the baseline is from the baseline and its control together.
  const times = listFigures(ofCell, pairOf(question, cell))
    .filter(({ observation }) => (observation.arm === 'candidate') === (arm === 'candidate'))
    .map((one) => one.ns);
  const looks = [...listAllLooks(question), ...(verdict.interimLooks?.[cell.id] ?? [])];
  const level = nominalLevel(
    question.alpha,
    looks.sort((a, b) => a - b),
  );
  return [{ at, ns, interval: intervalOfMean(times, level) }];
}

/**
 * The 20 %-trimmed mean of times on the log scale, with an interval from the winsorized variance and
 * Student's t (Tukey and McLaughlin, Sankhyā A 25, 1963): the part that one arm has in the test of
 * Yuen and Welch that makes the verdict.
 *
 * @param {number[]} timesNs one a process, in any order
 * @param {number} alpha 0.05 for an interval of 95 %
 * @returns {RatioInterval | null} nanoseconds; null with fewer than two times, and where those that are not trimmed are equal
 */
export function intervalOfMean(timesNs, alpha) {
  if (timesNs.length < 2) return null;
  const { mean, squaredError, freedom } = describeTrimmedMean(timesNs.map(Math.log));
  if (squaredError === 0) return null;
  const estimate = { estimate: mean, standardError: Math.sqrt(squaredError), freedom };
  const interval = studentInterval(estimate, alpha);
  return {
    estimate: Math.exp(interval.estimate),
    low: Math.exp(interval.low),
    high: Math.exp(interval.high),
  };
}
