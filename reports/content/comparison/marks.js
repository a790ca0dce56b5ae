/** The table of cells for a terminal, while they are measured and afterwards: each with a mark for its verdict. */

/** @import { Cell as MeasuredCell, CellComparison, CellProgress, Question, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Column, Cell, Table, Tone } from '../../document/model.ts' */

import { group } from 'd3-array';
import { displayWidth, padToWidth } from '../../../harness/lib/columns.js';
import {
  formatInterval,
  formatRatio,
  formatShare,
  formatTime,
  formatTimePair,
} from '../../../harness/lib/numbers.js';
import { nameRuntime } from '../../../harness/lib/words.js';
import { contrastOf } from '../../../harness/stats/contrast.js';
import { figureOf } from '../../../harness/stats/figure.js';
import { sumOf } from '../../../harness/stats/means.js';
import { sharedIdOf } from '../../../harness/stats/plan.js';
import { ratioOf, VERDICTS } from '../../../harness/stats/verdicts.js';
import { plainText, visibleText } from '../../document/inline.js';
import { timeLabel } from './cells.js';
import { countHosts, nameInterval, nameLack, timesFirstCalls, timesLoad } from './words.js';

/**
 * A cell that is measured, or was.
 *
 * @typedef {object} CellRow
 * @property {MeasuredCell} cell
 * @property {CellComparison | null} comparison null before it is compared
 * @property {CellProgress['state']} [state] settled where not given
 */

/** @typedef {Column & { draw: (row: CellRow) => Cell }} RowColumn */

/** Titles of columns; what is longer is explained below the table. */
const MAX_TITLE = { figure: 'time per document'.length, variant: 12 };
const GAP = '  ';
/** Columns of names that are aligned. */
const MAX_ALIGNED = 44;
/** Of most figures, so that columns stay where they are while a table fills. */
const USUAL_WIDTHS = { ratio: '▲ 1.234'.length, interval: '1.234–1.234'.length };
/** Of times, which a narrow terminal leaves out if that makes room for plots. */
const SPARE = { times: 1, plot: 2 };

const TOO_FEW = 'too few';

/** Of a cell without a verdict yet. @type {Record<Exclude<CellProgress['state'], 'settled'>, { sign: string, tone: Tone, word: string }>} */
const STATES = {
  measuring: { sign: '…', tone: 'quiet', word: 'measuring' },
  waiting: { sign: '·', tone: 'quiet', word: 'waiting' },
  failed: { sign: '✕', tone: 'bad', word: 'job failed' },
};

/** @type {Record<CellComparison['verdict'], string>} */
const WORDS = {
  slower: 'slower',
  faster: 'faster',
  equivalent: 'equivalent',
  inconclusive: 'not settled',
  untrusted: 'untrusted',
  refused: 'refused',
};
/** In a ranking. @type {typeof WORDS} */
const RANKED_WORDS = {
  ...WORDS,
  faster: 'the best',
  equivalent: 'among the best',
  slower: 'not the best',
};

/**
 * @param {Question} question
 * @param {CellRow[]} rows
 * @param {Pick<Verdict, 'parts'>} [verdict] of a merged run, whose rows have the number of their part where hosts differ
 * @returns {Table} by operation; without rows where there are none
 */
export function tabulateMarks(question, rows, { parts = [] } = {}) {
  const { hasBaseline } = contrastOf(question);
  const ordered = orderRows(question, rows);
  const shown = countHosts(parts) > 1 ? parts : [];
  const names = alignNames(ordered.map(({ cell }) => nameParts(question, cell, shown)));
  const figure = nameFigure(question);
  const nameOf = new Map(ordered.map((row, index) => [row, names[index] ?? '']));
  /** @type {RowColumn} */
  const name = { title: figure.title, kind: 'name', draw: (row) => nameOf.get(row) ?? '' };
  if (ordered.every(isWithoutFigures)) {
    const columns = [{ ...name, title: '' }, WORD_COLUMN];
    const table = ordered.map((row) => columns.map(({ draw }) => draw(row)));
    return { kind: 'table', name: 'marks', label: 'Cells', columns, rows: table };
  }
  /** @type {RowColumn[]} */
  const columns = [
    name,
    ...timeColumns(question),
    {
      title: (hasBaseline ? 'ratio' : 'to fastest').padStart(USUAL_WIDTHS.ratio),
      align: 'right',
      draw: (row) => {
        const { sign, tone } = markOf(row);
        return { value: `${sign} ${formatRatio(readRatio(row)?.estimate)}`, tone };
      },
    },
    {
      title: 'interval'.padStart(USUAL_WIDTHS.interval),
      align: 'right',
      draw: (row) => ({ value: describeInterval(row), tone: toneOf(row) }),
    },
    {
      title: 'plot',
      kind: 'plot',
      minimumEffect: question.minimumEffect,
      spare: SPARE.plot,
      draw: (row) => ({ range: readRatio(row), tone: markOf(row).tone }),
    },
  ];
  return {
    kind: 'table',
    name: 'marks',
    label: 'Cells',
    columns,
    rows: ordered.map((row) => columns.map(({ draw }) => draw(row))),
    isDense: true,
    legend: [
      ...(figure.isLong ? [plainText(timeLabel(question)), '. '] : []),
      explainMarks(question, ordered),
    ].join(''),
  };
}

/** For cells that have no figures. @type {RowColumn} */
const WORD_COLUMN = {
  title: '',
  draw(row) {
    const { sign, tone } = markOf(row);
    const lack = describeInterval(row);
    const word =
      row.comparison?.verdict === 'inconclusive'
        ? lack
        : WORDS[row.comparison?.verdict ?? 'inconclusive'];
    return { value: `${sign} ${word}`, tone };
  },
};

/** @param {CellRow} row whether it is settled without any */
function isWithoutFigures({ comparison, state = 'settled' }) {
  return state === 'settled' && (comparison === null || ratioOf(comparison) === null);
}

/**
 * @param {Question} question
 * @param {CellRow[]} rows
 * @returns {CellRow[]} those of an operation together; in a ranking those of a workload, the fastest first
 */
function orderRows(question, rows) {
  const { hasBaseline } = contrastOf(question);
  const groups = [...group(rows, ({ cell }) => (hasBaseline ? cell.operation : sharedIdOf(cell)))];
  if (hasBaseline) return groups.flatMap(([, members]) => members);
  const timeOf = (/** @type {CellRow} */ { comparison }) => comparison?.candidateNs ?? Infinity;
  return groups.flatMap(([, members]) =>
    members.toSorted((a, b) => (timeOf(a) === timeOf(b) ? 0 : timeOf(a) - timeOf(b))),
  );
}

/** @type {(question: Question, cell: MeasuredCell, parts: NonNullable<Verdict['parts']>) => string[]} */
function nameParts({ candidates }, cell, parts) {
  const { operation, corpus, title, runtime, candidate = 0 } = cell;
  const part = parts.find(({ cellIds }) => cellIds.includes(cell.id));
  return [
    title ?? operation,
    title === undefined ? corpus : '',
    figureOf(cell).calls,
    candidates.length === 1 ? '' : candidates[candidate],
    runtime === undefined ? '' : nameRuntime(runtime),
    part === undefined ? '' : `part ${part.shard}`,
  ].map(visibleText);
}

/**
 * @param {string[][]} rows of equal length
 * @returns {string[]} in columns, without those that are empty and what a row shares with the one above it; where columns
 *   would be too wide, whole names
 */
export function alignNames(rows) {
  const widths = (rows[0] ?? []).map((_, part) =>
    Math.max(...rows.map((parts) => displayWidth(parts[part] ?? ''))),
  );
  const isWide = sumOf(widths) > MAX_ALIGNED;
  if (isWide) return rows.map((parts) => parts.filter((part) => part !== '').join(' '));
  return rows.map((parts, row) => {
    const above = rows[row - 1] ?? [];
    const differs = parts.findIndex((part, index) => part !== above[index]);
    return parts
      .map((part, index) => padToWidth(index < differs ? '' : part, widths[index] ?? 0, 'left'))
      .filter((part) => part !== '')
      .join(GAP)
      .trimEnd();
  });
}

/** @type {(question: Question) => { title: string, isLong: boolean }} `isLong`: the title does not say which time it is */
function nameFigure(question) {
  if (timesFirstCalls(question)) {
    return { title: timesLoad(question) ? 'load time' : 'first calls', isLong: true };
  }
  const label = plainText(timeLabel(question));
  const title = label.charAt(0).toLowerCase() + label.slice(1);
  return title.length <= MAX_TITLE.figure
    ? { title, isLong: false }
    : { title: 'time', isLong: true };
}

/** @type {(question: Question) => RowColumn[]} */
function timeColumns(question) {
  const { baseline, candidates } = question;
  /** @type {(spec: string, role: string) => string} */
  const title = (spec, role) =>
    displayWidth(spec) <= MAX_TITLE.variant ? visibleText(spec) : role;
  if (!contrastOf(question).hasBaseline) {
    return [
      {
        title: 'time',
        align: 'right',
        spare: SPARE.times,
        draw: (row) => ({ value: formatTime(row.comparison?.candidateNs), tone: toneOf(row) }),
      },
    ];
  }
  const titles = [
    title(baseline, 'baseline'),
    candidates.length === 1 ? title(candidates[0], 'candidate') : 'candidate',
  ];
  // Two names that are cut alike would say less than the roles.
  const isTold = titles[0] !== titles[1];
  return titles.map((text, arm) => ({
    title: isTold ? text : ['baseline', 'candidate'][arm],
    align: 'right',
    spare: SPARE.times,
    draw: (row) => ({
      value: formatTimePair(row.comparison?.baselineNs, row.comparison?.candidateNs)[arm],
      tone: toneOf(row),
    }),
  }));
}

/** @param {CellRow} row */
function readRatio({ comparison }) {
  return comparison === null ? undefined : (ratioOf(comparison) ?? undefined);
}

/** @param {CellRow} row @returns {string} or why a cell that was measured has none */
function describeInterval(row) {
  const { comparison, state = 'settled' } = row;
  const ratio = readRatio(row);
  const isEmpty = ratio === undefined && comparison?.verdict === 'inconclusive';
  if (!isEmpty || state !== 'settled') return formatInterval(ratio);
  const lack = nameLack(comparison);
  // The note on the cell says of what.
  return lack.startsWith(TOO_FEW) ? TOO_FEW : lack;
}

/** What may still change is quiet. @type {(row: CellRow) => Tone} */
function toneOf({ state = 'settled' }) {
  return state === 'settled' ? 'plain' : 'quiet';
}

/** @type {(row: CellRow) => { sign: string, tone: Tone }} */
function markOf({ comparison, state = 'settled' }) {
  if (state !== 'settled') return STATES[state];
  return comparison === null ? STATES.waiting : VERDICTS[comparison.verdict];
}

/** @type {(question: Question, rows: CellRow[]) => string} what the ratios are, and the marks that the rows have */
function explainMarks(question, rows) {
  const { alpha, baseline, candidates } = question;
  const comparisons = rows.flatMap(({ comparison }) => comparison ?? []);
  const candidate = candidates.length === 1 ? candidates[0] : 'candidate';
  const ratio = contrastOf(question).hasBaseline
    ? `Ratio: ${visibleText(candidate)} ÷ ${visibleText(baseline)}`
    : 'To fastest: time ÷ that of the fastest other';
  const marks = new Set(rows.map((row) => `${markOf(row).sign} ${nameMark(question, row)}`));
  const legend = [...marks].map((text) => text.replaceAll(' ', '\u00a0')).join(', ');
  return `${ratio}, with its ${nameInterval(alpha, comparisons)}. ${legend}.`;
}

/** @type {(question: Question, row: CellRow) => string} */
function nameMark(question, { comparison, state = 'settled' }) {
  if (state !== 'settled') return STATES[state].word;
  if (comparison === null) return STATES.waiting.word;
  const { verdict } = comparison;
  if (!contrastOf(question).hasBaseline) return RANKED_WORDS[verdict];
  const within = verdict === 'equivalent' ? ` within ${formatShare(question.minimumEffect)}` : '';
  return `${WORDS[verdict]}${within}`;
}
