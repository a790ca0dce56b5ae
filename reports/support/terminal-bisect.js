/** What `just bisect` prints. */

/** @import { Bisection, BisectionStep } from '../../harness/formats/types.ts' */
/** @import { TableColumn, TableEntry, TableRow, Tone } from '../types.ts' */

import { nameCandidate, tellBisection } from './bisection-sentence.js';
import { showInvisible } from '../../harness/lib/escape.js';
import { countOf, formatDuration, formatInterval, formatRatio } from '../../harness/lib/numbers.js';
import { makePainter } from './paint.js';
import { layOutTable } from './table.js';
import { plain } from './terminal-rows.js';
import { wrapCommand, wrapText } from '../../harness/lib/wrap.js';

/** @type {Record<BisectionStep['answer'], { words: string, tone: Tone }>} */
const ANSWERS = {
  good: { words: 'good', tone: 'good' },
  bad: { words: 'bad', tone: 'bad' },
  unsettled: { words: 'not settled', tone: 'doubtful' },
  unusable: { words: 'passed over', tone: 'quiet' },
};

/**
 * One line on a step, as soon as it is done.
 *
 * @param {BisectionStep} step
 * @param {Bisection} bisection
 * @returns {string} ends with a line end
 */
export function formatStep(step, { candidates, steps }) {
  const { ratio, processes, reason, seconds } = step;
  const parts = [
    `step ${steps.length}`,
    `${nameCandidate(step.candidate, candidates)} against ${nameCandidate(step.baseline, candidates)}`,
    describeAnswer(step),
    ...(ratio === null ? [] : [`×${formatRatio(ratio.estimate)} [${formatInterval(ratio)}]`]),
    ...(ratio === null ? [] : [`${countOf(processes, 'process', 'processes')} a side`]),
    ...(reason === null ? [] : [firstLine(reason)]),
    formatDuration(seconds * 1000),
  ];
  return `${parts.join(' · ').replaceAll('\u00a0', ' ')}\n`;
}

/**
 * The result, and the log it comes from.
 *
 * @param {Bisection} bisection whose ends differ
 * @param {{ path: string, why: string | null }} places its directory, and the command that compares the
 *   first bad candidate with the last good one
 * @param {{ width: number, color: boolean }} terminal
 * @returns {string} ends with a line end
 */
export function formatBisection(bisection, places, { width, color }) {
  const paint = makePainter(color);
  const blocks = [
    wrapText(tellBisection(bisection), width).map((line) => paint(line, 'title')),
    listSubjects(bisection, width),
    layOutTable(
      COLUMNS,
      bisection.steps.map((step, index) => toRow(step, index, bisection)),
      width,
      paint,
    ),
    listReasons(bisection, width).map((line) => paint(line, 'quiet')),
    [...tellBoundary(bisection, width), ...tellMore(bisection, places, width)],
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** @type {TableColumn[]} */
const COLUMNS = [
  { title: 'step', align: 'right' },
  { title: 'measured', align: 'left', minWidth: 12 },
  { title: 'against', align: 'left', minWidth: 12 },
  { title: 'ratio', align: 'right' },
  { title: 'interval', align: 'right' },
  { title: 'processes', align: 'right', dropRank: 1 },
  { title: 'seed', align: 'right', dropRank: 3 },
  { title: 'time', align: 'right', dropRank: 2 },
  { title: '', align: 'left' },
];

/**
 * @param {BisectionStep} step
 * @param {number} index
 * @param {Bisection} bisection
 * @returns {TableRow}
 */
function toRow(step, index, { candidates }) {
  const { ratio, processes, seed, seconds } = step;
  /** @type {TableEntry[]} */
  const row = [
    plain(String(index + 1)),
    plain(nameCandidate(step.candidate, candidates)),
    plain(nameCandidate(step.baseline, candidates)),
    plain(formatRatio(ratio?.estimate)),
    plain(formatInterval(ratio)),
    plain(String(processes)),
    plain(String(seed)),
    plain(formatDuration(seconds * 1000)),
    { text: describeAnswer(step), tone: ANSWERS[step.answer].tone },
  ];
  return row;
}

/**
 * @param {BisectionStep} step
 * @returns {string} the verdict where the usual rule was asked, else the side of the boundary
 */
function describeAnswer({ purpose, answer, verdict }) {
  if (purpose !== 'search' && verdict !== null) return verdict;
  return ANSWERS[answer].words;
}

/**
 * What the commits in question say of themselves.
 *
 * @param {Bisection} bisection
 * @param {number} width
 * @returns {string[]}
 */
function listSubjects({ candidates, lastGood, firstBad, passedOver }, width) {
  const named = [lastGood, ...passedOver.map(({ spec }) => spec), firstBad];
  return candidates.flatMap(({ spec, name, subject }) =>
    subject === undefined || !named.includes(spec)
      ? []
      : wrapText(showInvisible(`${name} ${subject}`), width, { first: '  ', next: '    ' }),
  );
}

/**
 * @param {Bisection} bisection
 * @param {number} width
 * @returns {string[]} why steps brought no answer
 */
function listReasons({ steps, candidates }, width) {
  return steps.flatMap(({ candidate, reason }, index) =>
    reason === null
      ? []
      : wrapText(
          `step ${index + 1}, ${nameCandidate(candidate, candidates)}: ${firstLine(reason)}`,
          width,
          {
            first: '  ',
            next: '    ',
          },
        ),
  );
}

/**
 * @param {Bisection} bisection
 * @param {number} width
 */
function tellBoundary({ boundary, candidates: [good] }, width) {
  if (boundary === null) return [];
  const text = `Bad: slower than ${showInvisible(good.name)} by more than ×${formatRatio(boundary)}, half of the whole difference as ratios go.`;
  return wrapText(text, width);
}

/**
 * @param {Bisection} bisection
 * @param {{ path: string, why: string | null }} places
 * @param {number} width
 */
function tellMore({ command }, { path, why }, width) {
  /** @param {string} text */
  const layOut = (text) => wrapCommand(showInvisible(text), width, { first: '  ', next: '    ' });
  return [
    ...(why === null ? [] : ['Why:', ...layOut(why)]),
    'Again:',
    ...layOut(command),
    `Kept: ${showInvisible(path)}`,
  ];
}

/** @param {string} text */
function firstLine(text) {
  return showInvisible(text.split('\n', 1)[0]);
}
