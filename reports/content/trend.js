/** The report on a trend: how cells changed over versions, commits or another axis. */

/** @import { SeriesChange, Trend, TrendSeries, TrendStep } from '../../harness/formats/types.ts' */
/** @import { Block, Document, Fact, Inline, Row, Section } from '../document/model.ts' */

import { group } from 'd3-array';
import {
  countOf,
  formatChange,
  formatDuration,
  formatInterval,
  formatRatio,
  formatShare,
} from '../../harness/lib/numbers.js';
import { spreadOfBuilds } from '../../harness/stats/change-points.js';
import { isNamed } from '../../harness/stats/verdicts.js';
import { drawTrend } from '../figures/trend-plot.js';
import { describeAssay, listEnvironmentFacts } from './environment.js';
import { listCode, paragraph, present } from './build.js';

const BARS = '▁▂▃▄▅▆▇█';
/** Stands where the level changes. */
const CHANGE_MARK = '╎';
/** Characters of a line of bars. */
const MAX_BARS = 24;
/** Lines of bars span at least this ratio, so that noise does not look like a trend. */
const MIN_SPAN = 1.1;

/** @type {Record<TrendStep['purpose'], string>} */
const PURPOSES = {
  first: 'first points',
  between: 'points between those that differ',
  again: 'points measured again, for precision',
  neighbours: 'neighbours side by side',
};

/**
 * @param {Trend} trend
 * @param {object} places
 * @param {string} places.path of its directory
 * @param {(cellIds: string[], change: SeriesChange) => string} places.commandFor command that continues from a change,
 *   which these cells have in common
 * @param {string | null} [places.resume] command that resumes it
 * @returns {Document}
 */
export function describeTrend(trend, { path, commandFor, resume = null }) {
  const { points, question, source, trendId, series } = trend;
  const figures = series.flatMap(figureOf(trend));
  return {
    title: ['How ', { code: source }, ' changed'],
    eyebrow: `Assay trend · ${points[0].name} to ${points[points.length - 1].name}`,
    marker: trendId,
    source: 'trend.json',
    sections: [
      {
        id: 'result',
        title: 'Result',
        untitled: ['terminal', 'markdown'],
        blocks: [paragraph(describeResult(trend), 'lead'), overviewTable(trend)],
      },
      {
        id: 'trends',
        title: 'Over all points',
        only: ['html'],
        blocks: [
          { kind: 'figures', figures },
          ...(figures.length === 0 ? [] : [paragraph(explainPlots(question), 'quiet')]),
        ],
      },
      changeSection(trend, commandFor),
      pointSection(trend),
      behaviourSection(trend),
      skippedSection(trend),
      methodSection(trend),
      {
        id: 'repeat',
        title: 'Repeat',
        untitled: ['terminal'],
        blocks: [
          {
            kind: 'facts',
            facts: present([
              resume !== null && ['Resume', { command: resume }],
              ['Repeat', { command: trend.command }],
              ['Directory', { code: path }],
            ]),
          },
        ],
      },
    ],
    footer: ['Assay trend · ', { code: trendId }],
  };
}

/**
 * One line on a step, as soon as it is done.
 * @type {(step: TrendStep, trend: Trend) => string} without a line end
 */
export function describeTrendStep({ purpose, candidates, seconds, isComplete }, trend) {
  const changes = trend.series.reduce((sum, one) => sum + one.changes.length, 0);
  return [
    `${PURPOSES[purpose]}: ${candidates.map((spec) => nameOf(spec, trend)).join(', ')}`,
    ...(isComplete ? [] : ['not complete']),
    formatDuration(seconds * 1000),
    `${countMeasured(trend)} of ${trend.points.length} measured`,
    `${countOf(changes, 'change')} so far`,
  ].join(' · ');
}

/** @type {(trend: Trend) => number} points that were measured on any cell */
function countMeasured({ series }) {
  return new Set(series.flatMap(({ points }) => points.map(({ spec }) => spec))).size;
}

/**
 * Changes of one cell or several, between the same points.
 *
 * @template {{ change: SeriesChange }} C
 * @param {C[]} changes
 * @returns {C[][]} in the order of the first of each
 */
function listPlaces(changes) {
  return [...group(changes, ({ change: { before, after } }) => `${before} ${after}`).values()];
}

/** @type {(trend: Trend) => { cellId: string, change: SeriesChange }[]} */
function listChanges({ series }) {
  return series.flatMap(({ cellId, changes }) => changes.map((change) => ({ cellId, change })));
}

/** A sentence can list as many; of more, only where most of them are. */
const MAX_LISTED = 6;
/** Places that it names then. */
const MAX_PLACES = 4;

/** @type {(trend: Trend) => string} */
function describeResult(trend) {
  const { ended, points } = trend;
  const ends =
    ended === 'complete' ? [] : [ended === 'budget' ? 'The budget ended first.' : 'Interrupted.'];
  const changes = listChanges(trend);
  return [
    ...(changes.length > MAX_LISTED ? summarizeChanges(changes, trend) : describeChanges(trend)),
    `${countMeasured(trend)} of ${countOf(points.length, 'point')} measured.`,
    ...ends,
  ].join(' ');
}

/** @type {(changes: { cellId: string, change: SeriesChange }[], trend: Trend) => string[]} */
function summarizeChanges(changes, trend) {
  const places = listPlaces(changes)
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_PLACES);
  const parts = places.map((own) => {
    const ratios = own.map(({ change }) => change.step.estimate);
    const ends = [Math.min(...ratios), Math.max(...ratios)];
    const sizes = ends.map((ratio) => formatChange(ratio).change);
    const size = own.length === 1 ? sizes[0] : `${sizes[0]} to ${sizes[1]}`;
    // Of the same place, where some cells leave it open.
    const { change } = own.find((one) => isOpen(one.change)) ?? own[0];
    return `${countOf(own.length, 'cell')} ${size} ${placeOf(change, trend)}`;
  });
  const cells = countOf(new Set(changes.map(({ cellId }) => cellId)).size, 'cell');
  return [`${countOf(changes.length, 'change')} on ${cells}, among them ${parts.join('; ')}.`];
}

/** @type {(change: SeriesChange) => boolean} whether it may be at other measured points as well */
function isOpen({ range: [first, last] }) {
  return first !== last;
}

/** @type {(change: SeriesChange, trend: Trend) => string} */
function placeOf(change, trend) {
  const { before, after, unmeasured } = change;
  if (isOpen(change)) return `about ${nameOf(after, trend)}`;
  if (unmeasured === 0) return `since ${nameOf(after, trend)}`;
  return `between ${nameOf(before, trend)} and ${nameOf(after, trend)}`;
}

/** @type {(trend: Trend) => string[]} */
function describeChanges(trend) {
  return trend.series.map(({ cellId, changes, points: measured }) => {
    if (measured.length === 0) return `${cellId} was not measured.`;
    if (changes.length === 0) return `${cellId}: no change found.`;
    const listed = changes.map(
      (change) => `${formatChange(change.step.estimate).change} ${placeOf(change, trend)}`,
    );
    return `${cellId}: ${listed.join(', ')}.`;
  });
}

/** @type {(trend: Trend) => Block} */
function overviewTable(trend) {
  return {
    kind: 'table',
    label: 'Cells',
    columns: [
      { title: 'cell', kind: 'name' },
      { title: 'trend', only: ['terminal', 'markdown'] },
      { title: 'changes', align: 'right' },
      { title: 'last ÷ first', align: 'right' },
      { title: 'points', align: 'right' },
    ],
    rows: trend.series
      .filter(({ points }) => points.length > 0)
      .map(({ cellId, points, changes }) => {
        const ratio = points[points.length - 1].level / points[0].level;
        return [
          cellId,
          drawBars({ points, changes }),
          String(changes.length),
          // Without a change there is one level, which does not say that the points are equal.
          changes.length === 0 ? '–' : { value: formatRatio(ratio), tone: toneOf(ratio, trend) },
          String(points.length),
        ];
      }),
    legend: [
      'Time relative to ',
      { code: trend.question.baseline },
      ', the baseline, which was measured beside every point. Higher is slower.',
    ],
  };
}

/**
 * A line of bars, one for each measured point, or for a few neighbours together.
 * @type {(series: Pick<TrendSeries, 'points' | 'changes'>) => string}
 */
export function drawBars({ points, changes }) {
  const size = Math.ceil(points.length / MAX_BARS);
  const logs = points.map(({ ratio }) => Math.log(ratio.estimate));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const margin = Math.max(0, Math.log(MIN_SPAN) - (high - low)) / 2;
  const scale = (BARS.length - 1) / (high - low + 2 * margin);
  const firsts = new Set(changes.map(({ after }) => after));
  let line = '';
  for (let from = 0; from < points.length; from += size) {
    const together = logs.slice(from, from + size);
    const mean = together.reduce((sum, log) => sum + log, 0) / together.length;
    const isChanged = points.slice(from, from + size).some(({ spec }) => firsts.has(spec));
    line += `${isChanged ? CHANGE_MARK : ''}${BARS[Math.round((mean - low + margin) * scale)]}`;
  }
  return line;
}

/** @type {(trend: Trend) => (series: TrendSeries) => import('../document/model.ts').Figure[]} */
function figureOf(trend) {
  const names = trend.points.map(({ name }) => name);
  const indexOf = (/** @type {string} */ spec) =>
    trend.points.findIndex((point) => point.spec === spec);
  return ({ cellId, points, changes }) => {
    // A damaged file may name points that the trend does not have; they have no place on the axis.
    const drawn = points
      .map(({ spec, ratio, level }) => ({ index: indexOf(spec), ratio, level }))
      .filter(({ index }) => index !== -1)
      .map((point) => ({ ...point, name: names[point.index] }));
    if (drawn.length === 0) return [];
    const steps = changes
      .map(({ before, after, step: { estimate } }) => ({
        ...{ from: indexOf(before), to: indexOf(after) },
        ...{ ratio: estimate, tone: toneOf(estimate, trend) },
      }))
      .filter(({ from, to }) => from !== -1 && to !== -1);
    const label = `${cellId}: ${countOf(points.length, 'point')}, ${countOf(changes.length, 'change')}`;
    return [
      {
        kind: 'figure',
        draw: () => drawTrend(label, names, drawn, steps),
        caption: [{ strong: cellId }, ' time ÷ ', { code: trend.question.baseline }],
        captionSide: 'above',
      },
    ];
  };
}

/** @type {(question: Trend['question']) => string} */
function explainPlots({ minimumEffect }) {
  return `Pale: the levels between changes. Triangle: the interval goes on beyond the axis. Coloured: changes of more than ${formatShare(minimumEffect)}.`;
}

/** @type {(ratio: number, trend: Pick<Trend, 'question'>) => 'good' | 'bad' | 'plain'} plain within the minimum effect */
function toneOf(ratio, { question }) {
  if (Math.abs(Math.log(ratio)) < Math.log1p(question.minimumEffect)) return 'plain';
  return ratio > 1 ? 'bad' : 'good';
}

/** @type {(trend: Trend, commandFor: (cellIds: string[], change: SeriesChange) => string) => Section} */
function changeSection(trend, commandFor) {
  const all = listChanges(trend);
  return {
    id: 'changes',
    title: 'Changes',
    blocks: [
      {
        kind: 'table',
        name: 'changes',
        label: 'Changes',
        columns: [
          { title: 'cell', kind: 'group' },
          { title: 'before', kind: 'name' },
          { title: 'after', kind: 'name' },
          { title: 'change', align: 'right' },
          { title: 'ratio', align: 'right', only: ['markdown', 'html'] },
          { title: '95 % interval', align: 'right' },
          { title: 'from' },
          { title: 'report', only: ['html'] },
        ],
        rows: all.map(({ cellId, change }) => changeRow(cellId, change, trend)),
        legend:
          'Side by side: the two versions were compared directly, and that decides; without a verdict there is a change if that ratio differs from 1 beyond chance and is nearer to the step between levels than to 1. Over placements: their code was measured elsewhere in memory, too, and the step is the mean; these builds: it was not, and other builds of the same code may differ. Levels: the mean of the points after the change, divided by that of the points before; its interval covers at least 95 %, and is wider where processes are few. The change may be at any of the versions named, or of those between the two that were not measured.',
      },
      {
        kind: 'list',
        items: listSubjects(
          trend,
          all.map(({ change }) => change),
        ),
      },
      {
        kind: 'facts',
        facts: listPlaces(all).map((own) => {
          const [{ change }] = own;
          const cellIds = own.map(({ cellId }) => cellId);
          return /** @type {Fact} */ ([
            nameOf(change.after, trend),
            { command: commandFor(cellIds, change) },
          ]);
        }),
      },
    ],
  };
}

/** @type {(cellId: string, change: SeriesChange, trend: Trend) => Row} */
function changeRow(cellId, change, trend) {
  const { before, after, step, isDirect, overPlacements, unmeasured, range } = change;
  const [first, last] = range.map((spec) => nameOf(spec, trend));
  const where = isOpen(change) ? `, ${first} to ${last}` : '';
  const between = unmeasured === 0 ? '' : `, ${unmeasured} not measured`;
  const run = trend.steps.findLast(
    ({ purpose, baseline, candidates, runId, cellIds }) =>
      purpose === 'neighbours' &&
      runId !== null &&
      baseline === before &&
      candidates.includes(after) &&
      cellIds.includes(cellId),
  );
  const tone = toneOf(step.estimate, trend);
  return [
    cellId,
    { code: nameOf(before, trend) },
    { code: nameOf(after, trend) },
    { tone, text: formatChange(step.estimate).change },
    formatRatio(step.estimate),
    formatInterval(step),
    `${isDirect ? `side by side, ${overPlacements === true ? 'over placements' : 'these builds'}` : `levels${where}`}${between}`,
    run === undefined ? '' : { file: `${run.runId}/report.html` },
  ];
}

/** @type {(trend: Trend, changes: SeriesChange[]) => Inline[]} subjects of commits with a change */
function listSubjects({ points }, changes) {
  return points.flatMap(({ spec, name, subject }) =>
    subject === undefined || !changes.some(({ after }) => after === spec)
      ? []
      : [[{ code: name }, ` ${subject}`]],
  );
}

/** @type {(trend: Trend) => Section} */
function pointSection(trend) {
  return {
    id: 'points',
    title: 'Points',
    folded: ['terminal', 'markdown', 'html'],
    order: 1,
    blocks: [
      {
        kind: 'table',
        label: 'Points',
        columns: [
          { title: 'cell', kind: 'group' },
          { title: 'point', kind: 'name' },
          { title: 'ratio', align: 'right' },
          { title: '95 % interval', align: 'right' },
          { title: 'level', align: 'right' },
          { title: 'processes', align: 'right' },
        ],
        rows: trend.series.flatMap(({ cellId, points }) =>
          points.map(({ spec, ratio, level, processes }) => [
            cellId,
            { code: nameOf(spec, trend) },
            formatRatio(ratio.estimate),
            formatInterval(ratio),
            formatRatio(level),
            String(processes),
          ]),
        ),
      },
    ],
  };
}

/** @type {(trend: Trend) => Section} what points break of the behaviour contract; alike neighbours share a line */
function behaviourSection(trend) {
  const { points, steps } = trend;
  const listRows = (/** @type {string} */ spec) => {
    const own = steps.flatMap(({ breaches = [] }) =>
      breaches.filter(({ variant }) => isNamed(variant, spec)),
    );
    return [...new Set(own.flatMap(({ rows }) => rows))].sort().join(', ');
  };
  const measured = new Set(trend.series.flatMap((one) => one.points.map(({ spec }) => spec)));
  /** @type {{ names: string[], rows: string }[]} */
  const groups = [];
  for (const { spec, name } of points.filter((point) => measured.has(point.spec))) {
    const rows = listRows(spec);
    const last = groups.at(-1);
    if (last?.rows === rows) last.names.push(name);
    else groups.push({ names: [name], rows });
  }
  const broken = groups.filter(({ rows }) => rows !== '');
  return {
    id: 'behaviour',
    title: 'Rows of the behaviour contract that fail',
    folded: ['terminal', 'html'],
    order: 2,
    blocks: [
      {
        kind: 'list',
        items: broken.map(({ names, rows }) => [
          { code: names[0] },
          ...(names.length === 1 ? [] : [' to ', { code: names[names.length - 1] }]),
          `: ${rows}`,
        ]),
      },
    ],
  };
}

/** @type {(trend: Trend) => Section} what has no point, by point; a point that another attempt gave is none of it */
function skippedSection(trend) {
  const all = trend.question.cells.map(({ id }) => id);
  return {
    id: 'skipped',
    title: 'Skipped',
    blocks: [
      {
        kind: 'list',
        items: trend.skipped.flatMap(({ spec, reason, cellIds = all }) => {
          const lost = cellIds.filter((id) => !hasPoint(trend, id, spec));
          if (lost.length === 0) return [];
          const where = lost.length === all.length ? [] : [' on ', listCode(lost), ':'];
          return [[{ code: nameOf(spec, trend) }, ...where, ` ${reason.split('\n', 1)[0] ?? ''}`]];
        }),
      },
    ],
  };
}

/** @type {(trend: Trend, cellId: string, spec: string) => boolean} */
function hasPoint({ series }, cellId, spec) {
  return series.some(
    (one) => one.cellId === cellId && one.points.some((point) => point.spec === spec),
  );
}

/** @type {(trend: Trend) => string} how much builds of the same code may differ, by cell */
function describeSpreads({ question, placementSpread = {} }) {
  const parts = question.cells.map(({ id }) => {
    const source = Object.hasOwn(placementSpread, id) ? 'calibrated' : 'not calibrated here';
    return { id, spread: `${formatShare(spreadOfBuilds(id, placementSpread))} (${source})` };
  });
  const [{ spread }] = parts;
  return parts.every((part) => part.spread === spread)
    ? spread
    : parts.map((part) => `${part.id} ${part.spread}`).join(', ');
}

/** @type {(trend: Trend) => Section} */
function methodSection(trend) {
  const { steps, question, processes, environment, assay } = trend;
  const own = steps.filter(({ isStored }) => !isStored);
  const sumOf = (/** @type {TrendStep[]} */ some) =>
    formatDuration(some.reduce((sum, { seconds }) => sum + seconds, 0) * 1000);
  const stored = steps.length - own.length;
  return {
    id: 'method',
    title: 'How it was measured',
    folded: ['terminal', 'html'],
    blocks: [
      paragraph(
        'A point is a ratio of times to the baseline, which ran beside it in the same blocks. Changes come from optimal partitioning of the series; a point of the same level is one with the same code or with differences too small to tell. Points that were left out between two of one level are taken to have that level; a change and its reversal there would go unseen.',
      ),
      {
        kind: 'facts',
        facts: present([
          ['Baseline', { code: question.baseline }],
          ['Processes', `${processes} of each variant for a point`],
          ['Builds of the same code', `may differ by ${describeSpreads(trend)}`],
          ['Measured', `${countOf(own.length, 'comparison')} in ${sumOf(own)}`],
          stored > 0 && [
            'From the store',
            `${countOf(stored, 'comparison')}, which took ${sumOf(steps.filter(({ isStored }) => isStored))}`,
          ],
          ['Seed', String(question.seed)],
          ['Assay', describeAssay(assay)],
          ...listEnvironmentFacts(environment),
        ]),
      },
    ],
  };
}

/** @type {(spec: string, trend: Pick<Trend, 'points'>) => string} the short name of a point */
function nameOf(spec, { points }) {
  return points.find((point) => point.spec === spec)?.name ?? spec;
}
