/** The edits of a variant that is watched: lines while it is measured, and a table at the end. */

import { displayWidth, shortenMiddle, wrapText } from '../../harness/lib/columns.js';
import {
  countOf,
  formatInterval,
  formatRatio,
  formatShare,
  formatTimeChange,
} from '../../harness/lib/numbers.js';
import { PROGRAM } from '../../harness/lib/program.js';
import { judgeInterval } from '../../harness/stats/decision-rule.js';
import { leastChange, sumOf, toLogs } from '../../harness/stats/means.js';
import { VERDICTS } from '../../harness/stats/verdicts.js';
import { visibleText } from '../document/inline.js';
import { makePainter } from '../document/terminal.js';
import { fact, factList, figureColumns, paragraph, present } from './build.js';

/** @import { RatioInterval, VerdictWord, WatchCell, WatchLine } from '../../harness/formats/types.ts' */
/** @import { Cell, Document, Row } from '../document/model.ts' */

/** Of the number and the time, and of a ratio with its interval. */
const WIDTHS = { edit: 10, ratio: 21 };
/** Terminals of this width have room for all on one line. */
const WIDE = 110;

/**
 * @typedef {object} LineStyle
 * @property {number} width columns
 * @property {boolean} color whether ANSI colours may be written
 * @property {number} minimumEffect a share
 * @property {(at: string) => string} showTime `14:05`
 */

/** @type {(style: Pick<LineStyle, 'width'>) => string} what the columns of `describeEdit` are */
export function describeColumns({ width }) {
  const titles = ['edit'.padEnd(WIDTHS.edit), 'to the baseline'.padEnd(WIDTHS.ratio)];
  return `${titles.join('')}${'to the edit before'.padEnd(WIDTHS.ratio)}${width < WIDE ? 'cell' : 'cell, changes, cause'}`;
}

/**
 * What is known of an edit: its largest change, and what has become of the other cells.
 *
 * @param {WatchLine} line
 * @param {LineStyle} style
 * @returns {string[]} one line on a wide terminal, else two or more
 */
export function describeEdit(line, { width, color, minimumEffect, showTime }) {
  const paint = makePainter(color);
  const { edit, at, cells } = line;
  const number = `${String(edit).padStart(3)} ${showTime(at)}`.padEnd(WIDTHS.edit);
  const shown = chooseCell(cells);
  const texts = describeRest(line, shown, minimumEffect).map(visibleText);
  if (shown === undefined) {
    return wrapText([describeState(line), ...texts].join('; '), width, { first: number });
  }
  const ratios = [
    { mark: VERDICTS[shown.verdict], ratio: shown.toBaseline },
    { mark: VERDICTS[judgeChange(shown.toEditBefore, minimumEffect)], ratio: shown.toEditBefore },
  ].map(({ mark: { sign, tone }, ratio }) => {
    const text =
      ratio === null ? '' : `${sign} ${formatRatio(ratio.estimate)} ${formatInterval(ratio)}`;
    return paint(text.padEnd(WIDTHS.ratio), tone);
  });
  const head = number + ratios.join('');
  const name = visibleText(shown.cellId);
  const headWidth = WIDTHS.edit + 2 * WIDTHS.ratio;
  const indent = ' '.repeat(WIDTHS.edit);
  if (width >= WIDE) {
    const [first, ...others] = wrapText(`${name}: ${texts.join('; ')}`, width - headWidth);
    return [head + first, ...others.map((other) => ' '.repeat(headWidth) + other)];
  }
  if (headWidth + displayWidth(name) <= width) {
    return [head + name, ...wrapText(texts.join('; '), width, { first: indent })];
  }
  return [head.trimEnd(), ...wrapText(`${name}: ${texts.join('; ')}`, width, { first: indent })];
}

/** The cell with the surest change, or the first one that has a ratio. @type {(cells: WatchCell[]) => WatchCell | undefined} */
function chooseCell(cells) {
  const known = cells.filter(({ toBaseline }) => toBaseline !== null);
  const sureOf = (/** @type {WatchCell} */ { toBaseline, toEditBefore }) =>
    leastChange(/** @type {RatioInterval} */ (toEditBefore ?? toBaseline));
  return known.toSorted((one, other) => sureOf(other) - sureOf(one))[0];
}

/** @type {(ratio: RatioInterval | null, minimumEffect: number) => VerdictWord} by its interval alone */
function judgeChange(ratio, minimumEffect) {
  return ratio === null
    ? 'inconclusive'
    : judgeInterval(toLogs(ratio), Math.log1p(minimumEffect), true);
}

/** A difference between outputs may quote hundreds of bytes; watch.ndjson has them. */
const MAX_PROBLEM = 120;
/** Problems of which the first are shown. */
const MAX_PROBLEMS = 2;

/** @type {(problems: string[]) => string} */
function listProblems(problems) {
  const shown = problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => shortenMiddle(visibleText(problem), MAX_PROBLEM));
  return shown.join('; ');
}

/** @type {(line: WatchLine) => string} */
function describeState({ state, isCorrect, problems }) {
  if (state === 'broken' || state === 'wrong') return `${state}: ${listProblems(problems)}`;
  if (state === 'left') return 'left before the first look';
  return isCorrect === true ? 'the output is correct' : 'checking';
}

/** @type {(line: WatchLine, shown: WatchCell | undefined, minimumEffect: number) => string[]} */
function describeRest(line, shown, minimumEffect) {
  const { edit, changes, sameAs, cause, cells, problems } = line;
  return present([
    edit === 0 ? 'as it was at first' : describeChanges(line),
    sameAs !== null && changes.length > 0 && `the same as edit ${sameAs}`,
    shown !== undefined && problems.length > 0 && `wrong: ${listProblems(problems)}`,
    cause !== null && describeCause(cause, line, shown),
    shown !== undefined && countOthers(cells, shown, minimumEffect),
  ]);
}

/** @type {(line: Pick<WatchLine, 'changes'>) => string} `generator.js +4 −2 and 1 more file` */
function describeChanges({ changes: [first, ...others] }) {
  if (first === undefined) return 'no change';
  const name = first.file.replace(/^.*\//, '');
  const counts = `${name} +${first.added} −${first.removed}`;
  return others.length === 0 ? counts : `${counts} and ${countOf(others.length, 'more file')}`;
}

/** @type {(cause: NonNullable<WatchLine['cause']>, line: WatchLine, shown: WatchCell | undefined) => string} `Object.entries −9.10 µs` */
function describeCause({ cellId, name, changeNs, since }, { edit }, shown) {
  const where = cellId === shown?.cellId ? '' : ` on ${cellId}`;
  const origin = since === null ? 'the baseline' : `edit ${since}`;
  const than = since === edit - 1 || edit === 0 ? '' : ` since ${origin}`;
  return `${name} ${formatTimeChange(changeNs)}${where}${than}`;
}

/** What a line says of the other cells. */
const WORDS = /** @type {const} */ ({
  faster: 'faster',
  slower: 'slower',
  equivalent: 'the same',
  inconclusive: 'not settled',
  untrusted: 'not settled',
  refused: 'wrong',
});

/** @type {(cells: WatchCell[], shown: WatchCell, minimumEffect: number) => string | null} `other cells: 2 faster, 3 the same` */
function countOthers(cells, shown, minimumEffect) {
  const words = cells
    .filter((cell) => cell !== shown)
    .map(({ toEditBefore, verdict }) =>
      toEditBefore === null ? verdict : judgeChange(toEditBefore, minimumEffect),
    );
  if (words.length === 0) return null;
  const counts = Object.entries(VERDICTS)
    .toSorted(([, one], [, other]) => one.order - other.order)
    .flatMap(([kind]) => {
      const count = words.filter((word) => word === kind).length;
      return count === 0 ? [] : [`${count} ${WORDS[/** @type {keyof typeof WORDS} */ (kind)]}`];
    });
  return `other cells: ${counts.join(', ')}`;
}

/**
 * @typedef {object} Edits
 * @property {WatchLine[]} lines the last one of each edit
 * @property {number} alpha error rate of the ratios of an edit
 * @property {string} home directory of the copies, as it is typed
 * @property {(at: string) => string} showTime `14:05`
 * @property {(first: string, second: string) => string} compareCommand command that compares two specs
 */

/** @type {(edits: Edits) => Document} */
export function describeEdits({ lines, alpha, home, showTime, compareCommand }) {
  const ids = [...new Set(lines.flatMap(({ cells }) => cells.map(({ cellId }) => cellId)))];
  const fastest = chooseFastest(lines, ids);
  const [first, last] = [lines[0], lines.at(-1)];
  return {
    title: 'Edits',
    eyebrow: 'Assay watch',
    source: `${home}/watch.ndjson`,
    sections: [
      {
        id: 'edits',
        title: 'Edits',
        untitled: ['terminal'],
        blocks: [
          {
            kind: 'table',
            columns: [
              { title: 'edit', kind: 'name' },
              ...figureColumns(...ids),
              { title: 'changes' },
            ],
            rows: lines.map((line) => makeRow(line, ids, showTime)),
            legend:
              'Time of the edit ÷ time of the baseline. ▲ slower ▼ faster = equivalent ? not settled ✕ wrong or broken',
          },
          paragraph(
            `A line is a screen. Of edits that change nothing, at most ${formatShare(alpha)} seem faster or slower than the baseline, each on its own; the fastest of many seems faster than it is; and code that is placed elsewhere may differ by some per cent. Confirm an edit by a comparison:`,
            'quiet',
          ),
          factList([
            fastest !== undefined &&
              fastest.command !== null &&
              fact(`fastest: edit ${fastest.edit}`, { command: fastest.command }),
            first !== undefined &&
              last !== undefined &&
              first !== last &&
              fact('any two', { command: compareCommand(first.spec, last.spec) }),
            last !== undefined &&
              fact('go back to one', {
                command: `${PROGRAM} watch --restore ${home}/${fastest?.edit ?? last.edit}`,
              }),
            fact('all figures', `${home}/watch.ndjson`),
          ]),
        ],
      },
    ],
    footer: home,
  };
}

/** @type {(line: WatchLine, ids: string[], showTime: Edits['showTime']) => Row} */
function makeRow(line, ids, showTime) {
  const { edit, at, cells, state } = line;
  const isBad = state === 'broken' || state === 'wrong';
  const ratios = ids.map((id) =>
    makeRatio(
      cells.find(({ cellId }) => cellId === id),
      isBad,
    ),
  );
  return [
    `${edit}\u00a0${showTime(at)}`,
    ...ratios,
    edit === 0 ? 'as it was at first' : describeChanges(line),
  ];
}

/** @type {(cell: WatchCell | undefined, isBad: boolean) => Cell} */
function makeRatio(cell, isBad) {
  if (isBad) return { value: VERDICTS.refused.sign, tone: 'bad' };
  if (cell === undefined || cell.toBaseline === null) return '';
  const { sign, tone } = VERDICTS[cell.verdict];
  return { value: `${sign}\u00a0${formatRatio(cell.toBaseline.estimate)}`, tone };
}

/** By the geometric mean of all cells. @type {(lines: WatchLine[], ids: string[]) => WatchLine | undefined} of those that are correct and measured on all */
function chooseFastest(lines, ids) {
  const measured = lines.flatMap((line) => {
    const logs = line.cells.flatMap(({ toBaseline }) =>
      toBaseline === null ? [] : [Math.log(toBaseline.estimate)],
    );
    const isWhole = line.isCorrect === true && logs.length === ids.length && ids.length > 0;
    return isWhole ? [{ line, sum: sumOf(logs) }] : [];
  });
  return measured.sort((one, other) => one.sum - other.sum)[0]?.line;
}
