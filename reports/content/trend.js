/** The report on a trend: how cells changed over versions, commits or another axis. */

/** @import { Cell, SeriesChange, Trend, TrendSeries, TrendStep } from '../../harness/formats/types.ts' */
/** @import { Block, Document, Fact, Inline, ListItem, Row, Section, Table } from '../document/model.ts' */

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
import {
  factList,
  factOfWhole,
  figureColumn,
  figureColumns,
  list,
  listCode,
  paragraph,
  present,
  section,
  untitled,
} from './build.js';

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

/** @typedef {{ cellId: string, change: SeriesChange }} CellChange */

/**
 * @typedef {object} Places
 * @property {string} path of its directory
 * @property {(cellIds: string[], change: SeriesChange) => string} commandFor command that continues from a change,
 *   which these cells have in common
 * @property {string | null} [resume] command that resumes it
 */

/** @type {(trend: Trend, places: Places) => Document} */
export function describeTrend(trend, { path, commandFor, resume = null }) {
  const { points, question, source, trendId, series } = trend;
  const figures = series.flatMap(figureOf(trend));
  return {
    title: ['How ', { code: source }, ' changed'],
    eyebrow: `Assay trend · ${points[0].name} to ${points[points.length - 1].name}`,
    marker: trendId,
    source: 'trend.json',
    brief: briefSections(trend, { path, commandFor, resume }),
    sections: [
      {
        id: 'result',
        title: 'Result',
        untitled: ['terminal', 'markdown'],
        blocks: [
          paragraph(`${describeResult(trend)} ${describeExtent(trend)}`, 'lead'),
          overviewTable(trend),
        ],
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
          factList([
            resume !== null && ['Resume', { command: resume }],
            ['Repeat', { command: trend.command }],
            ['Directory', { code: path }],
          ]),
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

/** @type {(trend: Trend) => CellChange[]} */
function listChanges({ series }) {
  return series.flatMap(({ cellId, changes }) => changes.map((change) => ({ cellId, change })));
}

/** @type {(trend: Trend) => string} */
function describeExtent(trend) {
  const { ended, points } = trend;
  const measured = `${countMeasured(trend)} of ${countOf(points.length, 'point')} measured.`;
  if (ended === 'complete') return measured;
  return `${measured} ${ended === 'budget' ? 'The budget ended first.' : 'Interrupted.'}`;
}

/** @type {(change: SeriesChange) => boolean} whether it may be at other measured points as well */
function isOpen({ range: [first, last] }) {
  return first !== last;
}

/** @type {(trend: Trend, places: Places) => Section[]} a line per version or commit that changed something */
function briefSections(trend, { path, commandFor, resume }) {
  const places = listPlaces(listChanges(trend)).sort(
    ([one], [other]) => indexOf(one.change.after, trend) - indexOf(other.change.after, trend),
  );
  const [largest] = places.toSorted((one, other) => sizeOf(other) - sizeOf(one));
  return [
    untitled('result', [
      paragraph(describeResult(trend), 'lead'),
      paragraph(describeExtent(trend)),
      { ...overviewTable(trend), isDense: true },
      placeTable(places, trend),
      list(listSkipped(trend)),
      {
        kind: 'facts',
        facts: present([
          largest !== undefined && [
            `Why ${nameOf(largest[0].change.after, trend)}`,
            {
              command: commandFor(
                largest.map(({ cellId }) => cellId),
                largest[0].change,
              ),
            },
          ],
          resume != null && ['Resume', { command: resume }],
          factOfWhole(path),
        ]),
        only: ['terminal'],
      },
    ]),
  ];
}

/** @type {(place: CellChange[]) => number} the largest change among the cells, on a log scale */
function sizeOf(place) {
  return Math.max(...place.map(({ change }) => Math.abs(Math.log(change.step.estimate))));
}

/** @type {(spec: string, trend: Pick<Trend, 'points'>) => number} */
function indexOf(spec, { points }) {
  return points.findIndex((point) => point.spec === spec);
}

/** @type {(trend: Trend) => string} the last measured point compared with the first one, over all cells */
function describeResult(trend) {
  const { series, points } = trend;
  const measured = points.filter(({ spec }) => series.some((one) => hasPointOf(one, spec)));
  if (measured.length === 0) return 'No point was measured.';
  const span = `${measured[0].name} to ${measured[measured.length - 1].name}`;
  const of = series.length === 1 ? series[0].cellId : countOf(series.length, 'cell');
  const parts = [...group(series, (one) => wordFor(one, trend))].map(([word, some]) => {
    const on = series.length === 1 ? of : `${some.length} of ${of}`;
    const changed = some.filter(({ changes }) => changes.length > 0);
    return changed.length === 0
      ? `${word} on ${on}`
      : `${word} on ${on} (${formatChanges(changed.map(totalOf))})`;
  });
  return `From ${span}: ${parts.join(', ')}.`;
}

/** @type {Record<ReturnType<typeof toneOf>, string>} */
const WORDS = { good: 'faster', bad: 'slower', plain: 'as fast as before' };

/** @type {(series: TrendSeries, trend: Trend) => string} */
function wordFor(series, trend) {
  if (series.points.length === 0) return 'not measured';
  return series.changes.length === 0 ? 'no change found' : WORDS[toneOf(totalOf(series), trend)];
}

/** @type {(series: Pick<TrendSeries, 'points'>) => number} the last level divided by the first */
function totalOf({ points }) {
  return points[points.length - 1].level / points[0].level;
}

/** @type {(places: CellChange[][], trend: Trend) => Block} */
function placeTable(places, trend) {
  const { cells } = trend.question;
  const isOfOneCell = places.every((own) => own.length === 1);
  return {
    kind: 'table',
    label: 'Changes',
    columns: [
      { title: 'changed at', kind: 'name' },
      figureColumn('time'),
      ...(isOfOneCell ? [figureColumn('95 % interval')] : []),
      ...(cells.length === 1 ? [] : [{ title: 'cells', kind: /** @type {const} */ ('text') }]),
      { title: 'subject', kind: 'prose' },
    ],
    rows: places.map((own) => {
      const [{ change }] = own;
      const tones = new Set(own.map((one) => toneOf(one.change.step.estimate, trend)));
      const [tone = 'plain'] = tones;
      return [
        describePlace(own, trend),
        { tone: tones.size === 1 ? tone : 'plain', text: describeSizes(own) },
        ...(isOfOneCell ? [formatInterval(change.step)] : []),
        ...(cells.length === 1 ? [] : [describeCells(own, cells)]),
        trend.points[indexOf(change.after, trend)]?.subject ?? '',
      ];
    }),
  };
}

/** @type {(own: CellChange[], trend: Trend) => string} `1.3.0`, `about 1.3.0`, `1.1.0 to 1.3.0` */
function describePlace(own, trend) {
  // Of the same place, where some cells leave it open.
  const { change } = own.find((one) => isOpen(one.change)) ?? own[0];
  const after = nameOf(change.after, trend);
  if (isOpen(change)) return `about ${after}`;
  return change.unmeasured === 0 ? after : `${nameOf(change.before, trend)} to ${after}`;
}

/** @type {(own: CellChange[]) => string} */
function describeSizes(own) {
  return formatChanges(own.map(({ change }) => change.step.estimate));
}

/** @type {(ratios: number[]) => string} the smallest and the largest: `−20 %`, `−51 % to −25 %` */
export function formatChanges(ratios) {
  const ends = [Math.min(...ratios), Math.max(...ratios)].map(
    (ratio) => formatChange(ratio).change,
  );
  return [...new Set(ends)].join(' to ');
}

/**
 * @param {{ cellId: string }[]} own
 * @param {Pick<Cell, 'id' | 'operation' | 'corpus' | 'runtime'>[]} cells all
 * @returns {string} `serialize flat, deep; deserialize full`, `all 6`
 */
export function describeCells(own, cells) {
  if (own.length === cells.length) return `all ${own.length}`;
  const ids = own.map(({ cellId }) => cellId);
  const named = cells.filter(({ id }) => ids.includes(id));
  const runtimes = new Set(cells.map(({ runtime }) => runtime));
  if (runtimes.size > 1 || named.length < ids.length) return ids.join(', ');
  return [...group(named, ({ operation }) => operation)]
    .map(([operation, some]) => `${operation} ${some.map(({ corpus }) => corpus).join(', ')}`)
    .join('; ');
}

/** Reasons and names that a short form has room for. */
const MAX_REASONS = 3;
const MAX_NAMES = 4;

/** @type {(trend: Trend) => ListItem[]} points without any figure, by the reason */
function listSkipped(trend) {
  const lost = trend.skipped.filter(({ spec }) =>
    trend.series.every((one) => !hasPointOf(one, spec)),
  );
  const reasons = [...group(lost, ({ reason }) => reason.split('\n', 1)[0] ?? '')];
  const items = reasons.slice(0, MAX_REASONS).map(([reason, some]) => {
    const names = [...new Set(some.map(({ spec }) => nameOf(spec, trend)))];
    const more = names.length - MAX_NAMES;
    const listed = listCode(names.slice(0, MAX_NAMES));
    return {
      mark: /** @type {const} */ ('warning'),
      text: [...listed, more > 0 ? ` and ${more} more` : '', ` could not be measured: ${reason}`],
    };
  });
  const others = reasons.length - MAX_REASONS;
  if (others <= 0) return items;
  const text = `Others could not be measured for ${countOf(others, 'more reason')}.`;
  return [...items, { mark: 'warning', text }];
}

/** @type {(trend: Trend) => Table} */
function overviewTable(trend) {
  return {
    kind: 'table',
    label: 'Cells',
    columns: [
      { title: 'cell', kind: 'name' },
      { title: 'trend', only: ['terminal', 'markdown'] },
      ...figureColumns('changes', 'last ÷ first', 'points'),
    ],
    rows: trend.series
      .filter(({ points }) => points.length > 0)
      .map(({ cellId, points, changes }) => {
        const ratio = totalOf({ points });
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
  return ({ cellId, points, changes }) => {
    // A damaged file may name points that the trend does not have; they have no place on the axis.
    const drawn = points
      .map(({ spec, ratio, level }) => ({ index: indexOf(spec, trend), ratio, level }))
      .filter(({ index }) => index !== -1)
      .map((point) => ({ ...point, name: names[point.index] }));
    if (drawn.length === 0) return [];
    const steps = changes
      .map(({ before, after, step: { estimate } }) => ({
        ...{ from: indexOf(before, trend), to: indexOf(after, trend) },
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
  return section('changes', 'Changes', [
    {
      kind: 'table',
      name: 'changes',
      label: 'Changes',
      columns: [
        { title: 'cell', kind: 'group' },
        { title: 'before', kind: 'name' },
        { title: 'after', kind: 'name' },
        figureColumn('change'),
        { title: 'ratio', align: 'right', only: ['markdown', 'html'] },
        figureColumn('95 % interval'),
        { title: 'from' },
        { title: 'report', only: ['html'] },
      ],
      rows: all.map(({ cellId, change }) => changeRow(cellId, change, trend)),
      legend:
        'Side by side: the two versions were compared directly, and that decides; without a verdict there is a change if that ratio differs from 1 beyond chance and is nearer to the step between levels than to 1. Over placements: their code was measured elsewhere in memory, too, and the step is the mean; these builds: it was not, and other builds of the same code may differ. Levels: the mean of the points after the change, divided by that of the points before; its interval covers at least 95 %, and is wider where processes are few. The change may be at any of the versions named, or of those between the two that were not measured.',
    },
    list(
      listSubjects(
        trend,
        all.map(({ change }) => change),
      ),
    ),
    factList(
      listPlaces(all).map((own) => {
        const [{ change }] = own;
        const cellIds = own.map(({ cellId }) => cellId);
        return /** @type {Fact} */ ([
          nameOf(change.after, trend),
          { command: commandFor(cellIds, change) },
        ]);
      }),
    ),
  ]);
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
          ...figureColumns('ratio', '95 % interval', 'level', 'processes'),
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
      list(
        broken.map(({ names, rows }) => [
          { code: names[0] },
          ...(names.length === 1 ? [] : [' to ', { code: names[names.length - 1] }]),
          `: ${rows}`,
        ]),
      ),
    ],
  };
}

/** @type {(trend: Trend) => Section} what has no point, by point; a point that another attempt gave is none of it */
function skippedSection(trend) {
  const all = trend.question.cells.map(({ id }) => id);
  return section('skipped', 'Skipped', [
    list(
      trend.skipped.flatMap(({ spec, reason, cellIds = all }) => {
        const lost = cellIds.filter((id) => !hasPoint(trend, id, spec));
        if (lost.length === 0) return [];
        const where = lost.length === all.length ? [] : [' on ', listCode(lost), ':'];
        return [[{ code: nameOf(spec, trend) }, ...where, ` ${reason.split('\n', 1)[0] ?? ''}`]];
      }),
    ),
  ]);
}

/** @type {(trend: Trend, cellId: string, spec: string) => boolean} */
function hasPoint({ series }, cellId, spec) {
  return series.some((one) => one.cellId === cellId && hasPointOf(one, spec));
}

/** @type {(series: TrendSeries, spec: string) => boolean} */
function hasPointOf({ points }, spec) {
  return points.some((point) => point.spec === spec);
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
      factList([
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
    ],
  };
}

/** @type {(spec: string, trend: Pick<Trend, 'points'>) => string} the short name of a point */
function nameOf(spec, { points }) {
  return points.find((point) => point.spec === spec)?.name ?? spec;
}
