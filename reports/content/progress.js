/** A comparison under way: a table with a bar for a terminal, and lines for a log. */

/** @import { CellProgress, ComparisonProgress, HostProgress, Progress, Question } from '../../harness/formats/types.ts' */
/** @import { Cell, Column, Inline } from '../document/model.ts' */
/** @import { Terminal } from '../document/terminal-table.js' */

import { rollup } from 'd3-array';
import { shortenMiddle, wrapText } from '../../harness/lib/columns.js';
import { countOf, formatInterval, formatRatio } from '../../harness/lib/numbers.js';
import { listWords } from '../../harness/lib/words.js';
import { contrastOf } from '../../harness/stats/contrast.js';
import { nameCell } from '../../harness/stats/plan.js';
import { isDecided, ratioOf } from '../../harness/stats/verdicts.js';
import { plainText, visibleText } from '../document/inline.js';
import { layOutTable } from '../document/terminal-table.js';
import { makePainter } from '../document/terminal.js';
import { processesLabel } from './comparison/counts.js';
import { tabulateMarks } from './comparison/marks.js';
import { nameInterval, verdictBadge } from './comparison/words.js';

/** Columns and rows that a table needs. */
const MIN = { width: 40, rows: 3 };
const BAR_WIDTHS = { smallest: 10, largest: 40 };

/**
 * @param {Progress} progress
 * @param {object} terminal
 * @param {number} terminal.width columns
 * @param {number} terminal.height most lines
 * @param {boolean} terminal.color whether ANSI colours may be written
 * @returns {string[]} lines no wider than the terminal; a table that is too high shows the cells that
 *   are measured, and then those that were settled last
 */
export function drawProgress(progress, { width, height, color }) {
  const terminal = { width, paint: makePainter(color) };
  const { step, next = [], comparison, hosts } = progress;
  const following = next.length === 0 ? [] : [`then ${listWords(next)}`];
  const footer = [
    ...drawBar(progress, terminal),
    shortenMiddle(visibleText([step, ...following].join(' · ')), width),
  ];
  const hostLines =
    hosts === undefined ? [] : drawHosts(hosts, terminal, Math.floor(height * HOSTS_SHARE));
  const hostBlock = hostLines.length === 0 ? [] : ['', ...hostLines];
  const free = height - footer.length - hostBlock.length - 1;
  const table = comparison === undefined ? [] : drawRows(comparison, terminal, free);
  return [...table, ...hostBlock, ...(table.length === 0 ? [] : ['']), ...footer];
}

/** Of the height, for hosts. */
const HOSTS_SHARE = 1 / 3;
/** Hosts that have a line each; of more, the others share one. */
const MAX_HOSTS = 4;
/** Hosts that need attention first. */
const HOST_URGENCY = { refused: 0, silent: 1, measuring: 2, waiting: 3 };

/**
 * @param {HostProgress[]} hosts
 * @param {Terminal} terminal
 * @param {number} height most lines
 * @returns {string[]} none if there is no room
 */
function drawHosts(hosts, terminal, height) {
  const { width, paint } = terminal;
  if (width < MIN.width || height < MIN.rows) return [];
  if (hosts.length === 0) return [paint('no host yet', 'quiet')];
  const most = Math.min(MAX_HOSTS, height - 2);
  const urgent = hosts.toSorted((a, b) => HOST_URGENCY[a.state] - HOST_URGENCY[b.state]);
  const chosen = new Set(urgent.slice(0, hosts.length === most + 1 ? most + 1 : most));
  const shown = hosts.filter((host) => chosen.has(host));
  const hidden = hosts.filter((host) => !chosen.has(host));
  const more = hidden.length === 0 ? [] : [`and ${hidden.length} more: ${countStates(hidden)}`];
  const columns = HOST_COLUMNS.filter(({ least = 0 }) => width >= least);
  const [lines = []] = layOutTable(
    {
      kind: 'table',
      columns,
      rows: shown.map((host) => columns.map(({ draw }) => draw(host, width))),
    },
    terminal,
  );
  return [...lines, ...more.map((line) => paint(shortenMiddle(line, width), 'quiet'))];
}

/** What the columns of hosts take besides the last one. */
const HOST_COLUMNS_WIDTH = 50;
/** With the width of a terminal that has room for them. @type {(Column & { least?: number, draw: (host: HostProgress, width: number) => Cell })[]} */
const HOST_COLUMNS = [
  { title: 'host', kind: 'name', draw: ({ host }) => ({ code: host }) },
  { title: 'blocks', align: 'right', draw: ({ blocks }) => String(blocks) },
  { title: 'failed', align: 'right', draw: ({ failed }) => String(failed), least: 70 },
  {
    title: 'heard',
    align: 'right',
    draw: ({ quietSeconds }) => `${formatSeconds(Math.floor(quietSeconds))} ago`,
    least: 70,
  },
  { title: 'state', draw: describeHostState },
];

/** @type {(host: HostProgress, width: number) => Inline} */
function describeHostState({ state, quietSeconds, reason = '' }, width) {
  if (state === 'refused') {
    const room = Math.max(MIN.width / 2, width - HOST_COLUMNS_WIDTH);
    return { tone: 'bad', text: shortenMiddle(visibleText(`refused: ${reason}`), room) };
  }
  if (state === 'silent') {
    return { tone: 'bad', text: `silent for ${formatSeconds(Math.floor(quietSeconds))}` };
  }
  return { tone: state === 'waiting' ? 'quiet' : 'plain', text: state };
}

/**
 * A line for each host that has joined or is silent. Refusals are notes of their own.
 * @type {(hosts?: HostProgress[]) => { host: string, line: string }[]} `host one measures`
 */
export function describeHosts(hosts = []) {
  return hosts
    .filter(({ state }) => state !== 'refused')
    .map(({ host, state }) => ({
      host,
      line: `host ${visibleText(host)} ${state === 'silent' ? 'is silent' : 'measures'}`,
    }));
}

/**
 * @param {ComparisonProgress} comparison
 * @param {Terminal} terminal
 * @param {number} height most lines
 * @returns {string[]} none if there is no room
 */
function drawRows({ question, rows }, terminal, height) {
  const { width, paint } = terminal;
  if (width < MIN.width || height < MIN.rows) return [];
  const shown = chooseRows(rows, height - 1);
  const hidden = rows.filter((row) => !shown.includes(row));
  const more = hidden.length === 0 ? [] : [`… ${hidden.length} more: ${countStates(hidden)}`];
  const { legend, ...table } = tabulateMarks(question, shown);
  const [first = []] = layOutTable(table, terminal);
  const lines = [...first, ...more.map((line) => paint(shortenMiddle(line, width), 'quiet'))];
  const explained = wrapText(plainText(legend ?? ''), width);
  return lines.length + explained.length <= height ? [...lines, ...explained] : lines;
}

/** Rows that a low terminal shows: what is measured, the latest results, what follows. */
const URGENCY = { measuring: 0, failed: 1, settled: 1, waiting: 2 };

/** @type {(rows: CellProgress[], height: number) => CellProgress[]} in the order of the question */
function chooseRows(rows, height) {
  if (rows.length <= height) return rows;
  const urgent = rows.toSorted(
    (a, b) =>
      URGENCY[a.state] - URGENCY[b.state] ||
      // Open cells take turns, and the rows shown should not.
      (a.state === 'measuring' ? 0 : b.lastJob - a.lastJob),
  );
  const shown = urgent.slice(0, height - 1);
  return rows.filter((row) => shown.includes(row));
}

/** @type {(rows: { state: string }[]) => string} `3 settled, 1 waiting` */
function countStates(rows) {
  const states = [...new Set(rows.map(({ state }) => state))];
  return states
    .map((state) => `${rows.filter((row) => row.state === state).length} ${state}`)
    .join(', ');
}

/** @param {Question} question */
function nameRatio(question) {
  return contrastOf(question).hasBaseline ? 'ratio' : 'to fastest';
}

/** @param {CellProgress} row */
function rowRatio({ comparison }) {
  return comparison === null ? undefined : (ratioOf(comparison) ?? undefined);
}

/** As in the table of cells. @type {(row: CellProgress) => string} */
function countProcesses({ state, comparison, processes }) {
  return state === 'settled' && comparison !== null
    ? processesLabel(comparison)
    : String(processes);
}

/** @type {(row: CellProgress, mode: Question['mode']) => Inline} */
function verdictOf({ state, comparison }, mode) {
  if (state === 'settled' && comparison !== null) return verdictBadge(comparison, mode);
  const tone = state === 'failed' ? 'bad' : state === 'waiting' ? 'quiet' : 'plain';
  return { tone, text: state === 'failed' ? 'job failed' : state };
}

/**
 * @param {Progress} progress
 * @param {Terminal} terminal
 * @returns {string[]} one line; none without times, and no bar while the remaining time is unknown
 */
function drawBar(progress, { width }) {
  const times = describeTimes(progress);
  if (times === '') return [];
  const { secondsElapsed = NaN, secondsLeft = NaN } = progress;
  const share = secondsElapsed / (secondsElapsed + secondsLeft);
  const text = `  ${Math.floor(share * 100)} %  ${times}`;
  const barWidth = Math.min(BAR_WIDTHS.largest, width - text.length);
  if (Number.isNaN(share) || barWidth < BAR_WIDTHS.smallest) return [shortenMiddle(times, width)];
  const done = Math.round(share * barWidth);
  return ['█'.repeat(done) + '░'.repeat(barWidth - done) + text];
}

/** @type {(progress: Progress) => string} `1 min 12 s elapsed, at most 3 min 20 s left`; empty if neither is known */
function describeTimes({ secondsElapsed, secondsLeft = NaN, isUpperBound = false }) {
  const bound = isUpperBound ? 'at most' : 'about';
  return [
    ...(secondsElapsed === undefined
      ? []
      : [`${formatSeconds(Math.floor(secondsElapsed))} elapsed`]),
    ...(Number.isFinite(secondsLeft) && secondsLeft > 0
      ? [`${bound} ${formatSeconds(Math.ceil(secondsLeft))} left`]
      : []),
  ].join(', ');
}

/**
 * @param {number} seconds whole
 * @returns {string} `51 s`, `3 min 20 s`, `1 h 5 min`
 */
function formatSeconds(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * @param {Progress} progress
 * @returns {string} `2 of 6 cells settled · deserialize flat · look 2 of 4 · 51 s elapsed, at most 3 min
 *   20 s left`
 */
export function describeStep(progress) {
  const { step, comparison, hosts } = progress;
  const parts = [
    ...(comparison === undefined ? [] : [countSettled(comparison)]),
    visibleText(step),
    ...(hosts === undefined ? [] : [hosts.length === 0 ? 'no host yet' : countHosts(hosts)]),
    describeTimes(progress),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** @param {HostProgress[]} hosts */
function countHosts(hosts) {
  return `${countOf(hosts.length, 'host')}, ${countStates(hosts)}`;
}

/** @type {(comparison: ComparisonProgress) => string} `2 of 6 cells settled, 1 inconclusive, 1 untrusted` */
export function countSettled({ rows }) {
  const words = rows.flatMap(({ state, comparison }) =>
    state === 'settled' && comparison !== null ? [comparison.verdict] : [],
  );
  const settled = words.filter(isDecided);
  const open = rollup(
    words.filter((word) => !isDecided(word)),
    ({ length }) => length,
    (word) => word,
  );
  return [
    `${settled.length} of ${countOf(rows.length, 'cell')} settled`,
    ...[...open].map(([word, count]) => `${count} ${word}`),
  ].join(', ');
}

/**
 * A line for each cell that is settled or given up.
 *
 * @param {ComparisonProgress | undefined} comparison
 * @returns {{ cellId: string, line: string }[]} `serialize flat · faster, strong · ratio 0.482
 *   (98 % interval 0.471–0.493) · 32 processes`
 */
export function describeSettled(comparison) {
  if (comparison === undefined) return [];
  const { question, rows } = comparison;
  return rows
    .filter(({ state }) => state === 'settled' || state === 'failed')
    .map((row) => {
      const { cell, comparison: own } = row;
      const ratio = rowRatio(row);
      const parts = [
        visibleText(nameCell(cell)),
        ...(cell.candidate === undefined ? [] : [visibleText(question.candidates[cell.candidate])]),
        plainText(verdictOf(row, question.mode)),
        ...(ratio === undefined
          ? []
          : [
              `${nameRatio(question)} ${formatRatio(ratio.estimate)} (${nameInterval(question.alpha, own === null ? [] : [own])} ${formatInterval(ratio)})`,
            ]),
        `${countProcesses(row)} processes`,
      ];
      return { cellId: cell.id, line: parts.join(' · ').replaceAll('\u00a0', ' ') };
    });
}
