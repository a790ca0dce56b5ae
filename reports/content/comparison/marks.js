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
import { sharedIdOf } from '../../../harness/stats/plan.js';
import { ratioOf, VERDICTS } from '../../../harness/stats/verdicts.js';
import { plainText, visibleText } from '../../document/inline.js';
import { timeLabel } from './cells.js';
import { nameInterval, nameLack, timesFirstCalls } from './words.js';

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
/** Of times, which a narrow terminal leaves out if that makes room for plots. */
const SPARE = { times: 1, plot: 2 };

const TOO_FEW = 'too few';

/** Of a cell without a verdict yet. @type {Record<Exclude<CellProgress['state'], 'settled'>, { sign: string, tone: Tone, word: string }>} */
const STATES = {
  measuring: { sign: '…', tone: 'quiet', word: 'still measured' },
  waiting: { sign: ' ', tone: 'quiet', word: '' },
  failed: { sign: '✕', tone: 'bad', word: 'job failed' },
};

/** @type {Record<CellComparison['verdict'], string>} */
const WORDS = {
  slower: 'slower',
  faster: 'faster',
  equivalent: 'equivalent',
  inconclusive: 'not settled',
  untrusted: 'untrusted',
  refused: 'wrong output',
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
 * @param {Pick<Verdict, 'parts'>} [verdict] of a merged run, whose rows have the number of their part
 * @returns {Table} by operation; without rows where there are none
 */
export function tabulateMarks(question, rows, { parts = [] } = {}) {
  const { hasBaseline } = contrastOf(question);
  const ordered = orderRows(question, rows);
  const names = alignNames(ordered.map(({ cell }) => nameParts(question, cell, parts)));
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
      title: hasBaseline ? 'ratio' : 'to fastest',
      align: 'right',
      draw: (row) => {
        const { sign, tone } = markOf(row);
        return { value: `${sign} ${formatRatio(readRatio(row)?.estimate)}`, tone };
      },
    },
    {
      title: 'interval',
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
    const word = row.comparison?.verdict === 'inconclusive' ? lack : WORDS[row.comparison?.verdict ?? 'inconclusive'];
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
  const { operation, corpus, runtime, candidate = 0 } = cell;
  const part = parts.find(({ cellIds }) => cellIds.includes(cell.id));
  return [
    operation,
    corpus,
    figureOf(cell).calls,
    candidates.length === 1 ? '' : candidates[candidate],
    runtime === undefined ? '' : nameRuntime(runtime),
    part === undefined ? '' : `part ${part.shard}`,
  ].map(visibleText);
}

/**
 * @param {string[][]} rows of equal length
 * @returns {string[]} in columns, without those that are empty and what a row shares with the one above it
 */
export function alignNames(rows) {
  const widths = (rows[0] ?? []).map((_, part) =>
    Math.max(...rows.map((parts) => displayWidth(parts[part] ?? ''))),
  );
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
  if (timesFirstCalls(question)) return { title: 'first calls', isLong: true };
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
  const title = (spec, role) => (displayWidth(spec) <= MAX_TITLE.variant ? visibleText(spec) : role);
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
  const { alpha, baseline, candidates, minimumEffect } = question;
  const comparisons = rows.flatMap(({ comparison }) => comparison ?? []);
  const { hasBaseline } = contrastOf(question);
  const words = hasBaseline ? WORDS : RANKED_WORDS;
  const marks = new Map(
    rows.flatMap((row) => {
      const { comparison, state = 'settled' } = row;
      const { sign } = markOf(row);
      if (state !== 'settled') return STATES[state].word === '' ? [] : [[sign, STATES[state].word]];
      if (comparison === null) return [];
      const within =
        comparison.verdict === 'equivalent' && hasBaseline
          ? ` within ${formatShare(minimumEffect)}`
          : '';
      return [[sign, `${words[comparison.verdict]}${within}`]];
    }),
  );
  const candidate = candidates.length === 1 ? candidates[0] : 'candidate';
  const ratio = hasBaseline
    ? `Ratio: ${visibleText(candidate)} ÷ ${visibleText(baseline)}`
    : 'To fastest: time ÷ that of the fastest other';
  const interval = `with its ${nameInterval(alpha, comparisons)}`;
  const legend = [...marks].map(([sign, word]) => `${sign} ${word}`.replaceAll(' ', '\u00a0'));
  return `${ratio}, ${interval}.${legend.length === 0 ? '' : ` ${legend.join(', ')}.`}`;
}
