/** Simulated years of a followed branch: false alarms, what they cost, what is missed, and how late an alert comes. */

import { group } from 'd3-array';
import { formatCount, formatShare } from '../../harness/lib/numbers.js';
import { takeProportion } from '../../harness/stats/calibration/noise.js';
import { meanOf, sumOf } from '../../harness/stats/means.js';
import { seedGenerator } from '../../harness/stats/random.js';
import { drawYears, takeRate } from '../../harness/stats/years.js';
import { figureColumn, figureColumns, paragraph, section } from './build.js';

/** @import { Block, Column, Document, Section } from '../document/model.ts' */
/** @import { SimulatedYears, YearHost, YearPart, YearResult } from '../../harness/formats/types.ts' */
/** @import { Rate, YearFigure } from '../../harness/stats/years.js' */

const MONTHS = 12;
/** Merges of a month. */
const PACES = [10, 100, 1000];
/** False alarms of a year that may be wanted, the default first. */
const WANTED = [1, 0.2, 5];
const MISSED = 0.05;

/** @typedef {SimulatedYears['parts'][number]} Part */
/** @typedef {{ host: YearHost, cells: number, part: Part, drifts: Rate, years: BranchYears[] }} Branch */
/** @typedef {{ pace: number, level: number, first: YearFigure, later: YearFigure[] }} BranchYears `later`: by `WANTED` */

/** @type {(data: SimulatedYears, simulation: { command: string, draws?: number }) => Document} `draws`: years of each kind of branch */
export function describeYears({ seed, parts }, { command, draws = 200 }) {
  const errors = parts.flatMap(({ part, result }) =>
    part.kind === 'unchanged' ? (result.levels ?? []) : [],
  );
  const pooled = takeErrors(errors.filter(({ level }) => level < MISSED));
  const branches = listOf(parts, 'unchanged').map((part) =>
    openBranch(part, parts, pooled, { seed, draws }),
  );
  const figures = branches.flatMap(({ years }) =>
    years.flatMap(({ first, later }) => [first, later[0]]),
  );
  const most = Math.max(...figures.map(({ estimate }) => estimate));
  const highest = Math.max(...figures.map(({ high }) => high));
  return {
    title: 'Simulated years of a followed branch',
    eyebrow: `Assay simulation · seed ${seed}`,
    source: `${command} --format json`,
    footer: { code: command },
    sections: [
      {
        id: 'summary',
        title: 'Summary',
        untitled: ['terminal'],
        blocks: [
          paragraph(
            `Where one false alarm a year is wanted, at most ${formatDecimals(most)} are expected on a branch on which nothing changes, and no 95 % interval ends above ${formatDecimals(highest)}, with 10 to 1 000 merges a month and 6 to 200 cells.`,
            'lead',
          ),
          paragraph(METHOD, 'quiet'),
        ],
      },
      section('false-alarms', 'False alarms a year', [alarmsTable(branches)]),
      section('cost', 'What a merge costs that changes nothing', [costTable(branches)]),
      section('errors', 'Errors of a confirmation', [errorsTable(errors)]),
      ...missedSections(branches, parts),
      delaySection(parts),
    ],
  };
}

const METHOD =
  'Differing: builds of the same code differ by 0.5 % on half of the cells, by 2.3 % on a third and by 5 % on a sixth, and a tenth of the comparisons is measured in a busy hour. Calm: builds of all cells differ by 0.5 %, and no hour is busy. Simulated by the real rule are merges that change nothing, each with its comparison, a night that measures again what stayed open, and all confirmations; merges that make cells slower; and series of points. A year of thousands of merges is put together by drawing from these: whole merges, so that what depends on each other within one stays together, and the level of each confirmation follows from the merges before, as in follow. Intervals are of 95 %; those of false alarms have the error of the samples of merges, of drifts and of errors of confirmations. Confirmations of the same suspicions are repeated at several levels, so the interval of their errors is somewhat narrow. Not simulated: confirmations at levels below 0.2 %, whose errors are taken to be the same part of the level; drifts of 200 differing cells and of 60 and 200 calm ones, which are taken to be those of 60 and of 6; branches on which suspicions become more frequent; and runners whose noise has another shape.';

/** @type {(parts: readonly Part[], kind: YearPart['kind']) => Part[]} */
function listOf(parts, kind) {
  return parts.filter(({ part }) => part.kind === kind);
}

/** @type {(counts: NonNullable<YearResult['levels']>) => Rate} alerts ÷ those that were allowed */
function takeErrors(counts) {
  return takeRate(
    sumOf(counts.map(({ alerts }) => alerts)),
    sumOf(counts.map(({ level, confirmations }) => level * confirmations)),
  );
}

/** @type {(part: Part, parts: readonly Part[], errors: Rate, choice: { seed: number, draws: number }) => Branch} */
function openBranch(part, parts, errors, { seed, draws }) {
  const { host, cells } = part.part;
  const series = listOf(parts, 'series').filter((one) => one.part.host === host);
  // With more cells, those of the largest simulated series.
  const [own = series[series.length - 1]] = series.filter((one) => one.part.cells >= cells);
  const drifts = takeRate(
    sumOf((own.result.levels ?? []).map(({ confirmations }) => confirmations)),
    own.part.count * (own.part.points ?? 0),
  );
  const { confirmations = [] } = part.result;
  const draw = (/** @type {number} */ pace, /** @type {number} */ wanted) =>
    drawYears(
      { confirmations, drifts, errors },
      { falseAlarmsPerYear: wanted, mergesPerYear: MONTHS * pace, cells },
      draws,
      seedGenerator(seed),
    );
  const years = PACES.map((pace) => {
    const drawn = WANTED.map((wanted) => draw(pace, wanted));
    const [[first, later]] = drawn;
    return {
      ...{ pace, level: later.level, first: first.falseAlarms },
      later: drawn.map(([, second]) => second.falseAlarms),
    };
  });
  return { host, cells, part, drifts, years };
}

/** @type {Column[]} */
const BRANCH_COLUMNS = [{ title: 'cells are', kind: 'group' }, figureColumn('cells')];

/** @type {(branches: Branch[]) => Block} */
function alarmsTable(branches) {
  return {
    kind: 'table',
    columns: [
      ...BRANCH_COLUMNS,
      figureColumn('merges a month'),
      figureColumn('level', 'Of confirmations, in the second year'),
      ...figureColumns('first year', 'second year'),
      ...figureColumns(...WANTED.slice(1).map((wanted) => `${wanted} wanted`)),
    ],
    rows: branches.flatMap(({ host, cells, years }) =>
      years.map(({ pace, level, first, later }) => [
        host,
        String(cells),
        formatCount(pace),
        formatShare(level),
        formatFigure(first),
        ...later.map(formatFigure),
      ]),
    ),
    legend:
      'Expected number of false alarms in a year with --false-alarms 1, then in the second year with 0.2 and with 5. A level is at most 5 %, so few merges have fewer false alarms than wanted.',
  };
}

/** @type {(branches: Branch[]) => Block} */
function costTable(branches) {
  return {
    kind: 'table',
    columns: [
      ...BRANCH_COLUMNS,
      figureColumn('merges', 'That were simulated'),
      figureColumn('with a suspicion', 'Of their own comparison'),
      figureColumn('suspected cells', 'A merge'),
      figureColumn('confirmations', 'A merge, with those that the night asks for'),
      figureColumn('of drifts', 'Confirmations a merge that the series of points asks for'),
    ],
    rows: branches.map(({ host, cells, part: { result }, drifts }) => {
      const { suspected = [], confirmations = [] } = result;
      return [
        host,
        String(cells),
        String(suspected.length),
        formatProportion(suspected.filter((count) => count > 0).length, suspected.length),
        formatDecimals(meanOf(suspected)),
        formatDecimals(meanOf(confirmations)),
        formatFigure(drifts),
      ];
    }),
    legend:
      'A confirmation is a comparison of at most six cells; what the first leaves open has a second one.',
  };
}

/** @type {(counts: NonNullable<YearResult['levels']>) => Block} */
function errorsTable(counts) {
  const levels = [...new Set(counts.map(({ level }) => level))];
  return {
    kind: 'table',
    columns: figureColumns(
      'level',
      'confirmations',
      'level × confirmations',
      'alerts',
      'alerts ÷ that',
    ),
    rows: levels.map((level) => {
      const own = counts.filter((one) => one.level === level);
      const rate = takeErrors(own);
      return [
        formatShare(level),
        formatCount(sumOf(own.map(({ confirmations }) => confirmations))),
        formatDecimals(rate.exposure),
        String(rate.count),
        formatFigure(rate),
      ];
    }),
    legend:
      'Of all merges that change nothing. An alert is of slower times, so half of the errors are none. Years are drawn with what the levels below 5 % show together.',
  };
}

/** @type {(branches: Branch[], parts: readonly Part[]) => Section[]} */
function missedSections(branches, parts) {
  const changes = listOf(parts, 'changed');
  const sizes = [...new Set(changes.map(({ part }) => part.size ?? 0))];
  /** @type {(title: string, key: 'atMerge' | 'byNight') => Block} */
  const table = (caption, key) => ({
    kind: 'table',
    caption,
    columns: [
      ...BRANCH_COLUMNS,
      ...figureColumns('slower', 'merges a month', 'level', ...sizes.map(formatShare)),
    ],
    rows: branches.flatMap(({ host, cells, years }) =>
      [1, 3].flatMap((changed) => {
        const own = changes.filter(
          ({ part }) => part.host === host && part.cells === cells && part.changed === changed,
        );
        if (own.length === 0) return [];
        const levels = group(years, ({ level }) => findLevel(own[0].result, level)?.level ?? NaN);
        return [...levels].map(([level, at]) => [
          host,
          String(cells),
          String(changed),
          at.map(({ pace }) => formatCount(pace)).join(', '),
          formatShare(level),
          ...own.map(({ part, result }) =>
            formatProportion(part.count - (findLevel(result, level)?.[key] ?? 0), part.count),
          ),
        ]);
      }),
    ),
  });
  return [
    section('missed', 'Real changes that raise no alert', [
      table('Before the next merge', 'atMerge'),
      table('After a night that measures again what stayed open', 'byNight'),
      paragraph(
        'Shares in per cent, by the size of the change and how many cells it makes slower; every cell in turn, so a third of the changes are of cells whose builds differ by 2.3 % and a sixth of those that differ by 5 %. Slower: cells. Level: of confirmations in the second year to within a tenth, or the next stricter one that was simulated.',
        'quiet',
      ),
    ]),
  ];
}

/** A level that is milder by so little finds no more. */
const NEARLY = 1.1;

/** @type {(result: YearResult, level: number) => NonNullable<YearResult['found']>[number] | undefined} at the next stricter one that was simulated */
function findLevel({ found = [] }, level) {
  return found.find((one) => one.level <= NEARLY * level) ?? found[found.length - 1];
}

/** @type {(parts: readonly Part[]) => Section} */
function delaySection(parts) {
  const own = listOf(parts, 'delay');
  return section('delay', 'Merges until a change is an alert', [
    {
      kind: 'table',
      columns: figureColumns(
        'size',
        'changes',
        'at its own merge',
        'median',
        '90th percentile',
        'never',
      ),
      rows: own.map(({ part, result: { delays = [] } }) => {
        const sorted = delays.map((delay) => delay ?? Infinity).sort((one, other) => one - other);
        const quantile = (/** @type {number} */ share) => {
          const delay = sorted[Math.ceil(share * sorted.length) - 1];
          return delay === Infinity ? '–' : String(delay);
        };
        const count = (/** @type {number} */ wanted) =>
          sorted.filter((delay) => delay === wanted).length;
        return [
          formatShare(part.size),
          String(delays.length),
          formatProportion(count(0), delays.length),
          quantile(0.5),
          quantile(0.9),
          formatProportion(count(Infinity), delays.length),
        ];
      }),
      legend: `One of six differing cells, 100 merges a month, confirmations at ${formatShare(own[0]?.part.levels?.[0])}: the night comes after every third merge, and a drift may be seen in the points of the 12 merges before and 30 after. 0: before the next merge; –: not within 30 merges.`,
    },
  ]);
}

/** @type {(figure: { estimate: number, low: number, high: number }) => string} `0.12 (0.04–0.31)` */
function formatFigure({ estimate, low, high }) {
  return `${formatDecimals(estimate)} (${formatDecimals(low)}–${formatDecimals(high)})`;
}

/** @type {(value: number) => string} */
function formatDecimals(value) {
  const rounded = Math.round(value * 1000) / 1000;
  return String(Number(rounded.toPrecision(2)));
}

/** @type {(count: number, of: number) => string} in per cent */
function formatProportion(count, of) {
  const { low, high } = takeProportion(count, of);
  const [point, from, to] = [of === 0 ? 0 : count / of, low, high].map((share) =>
    (100 * share).toFixed(of < 300 ? 0 : 1),
  );
  return `${point} (${from}–${to})`;
}
