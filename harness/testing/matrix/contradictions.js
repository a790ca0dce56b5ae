/**
 * Compares what a report says in its short form, and in headline, table, cards and notes, and what the progress says, with
 * verdict.json and with each other.
 */

import { formatConfidence, formatInterval, formatRatio } from '../../lib/numbers.js';
import { figureOf } from '../../stats/figure.js';
import { countPerVariant, sharedIdOf } from '../../stats/plan.js';
import { isDecided, isDirection, ratioOf, VERDICTS } from '../../stats/verdicts.js';
import { listPairs, nameInterval } from '../../../reports/content/comparison/words.js';
import { countSettled, describeSettled } from '../../../reports/content/progress.js';
import { plainText } from '../../../reports/document/inline.js';

/** @import { Arm, CellComparison, ComparisonProgress, Manifest, RatioInterval, Verdict } from '../../formats/types.ts' */
/** @import { Cell, Document, Group, Inline } from '../../../reports/document/model.ts' */

/** @typedef {{ manifest: Manifest, verdict: Verdict, document: Document, progress: ComparisonProgress | null }} Told */
/** @typedef {Map<string, string>} DrawnRow texts of a row of a table, by column */

const WORDS = Object.keys(VERDICTS).join('|');
/** A word with a number of cells: `is slower than a on 2`, `, inconclusive on 1`, `are equivalent within 3 % on 4`. */
const COUNTED = new RegExp(`\\b(${WORDS})(?: than .+?| within \\S+ %)? on (\\d+)`, 'g');
/** The sign of a verdict before a ratio or a word. */
const MARK = new RegExp(
  `^[${Object.values(VERDICTS)
    .map(({ sign }) => sign)
    .join('')}] `,
);
/** Says that there are no figures. */
const UNMEASURED = /no data|nothing was measured/i;

/** @type {(told: Told) => string[]} what does not fit together, each with what says it */
export function findContradictions(told) {
  const { document, verdict } = told;
  const rows = readRows(document);
  const cards = readCards(document);
  return [
    ...verdict.cells.flatMap((cell) => checkFigures(cell, told)),
    ...verdict.cells.flatMap((cell, index) => {
      const row = findRow(rows, cell, told.manifest);
      return [
        ...(row === undefined ? ['no row'] : checkRow(row, cell)),
        ...checkCard(cards.get(`cell-${index + 1}`), cell, { ...told, row }),
        ...checkProgress(cell, row, told),
      ].map((problem) => `${cell.cell.id}: ${problem}`);
    }),
    ...(rows.length === verdict.cells.length ? [] : [`table: ${rows.length} rows`]),
    ...checkNotes(verdict),
    ...checkHeadline(told),
    ...checkAnswer(told),
    ...checkSettled(told),
  ];
}

/** What verdict.json says of one cell, against itself. @type {(comparison: CellComparison, told: Told) => string[]} */
function checkFigures(comparison, { manifest: { question } }) {
  const { verdict, strong, effect, standing, processes, figures, pairs } = comparison;
  const compared = pairs ?? countPerVariant(figures);
  const ratio = ratioOf(comparison);
  const margin = 1 + question.minimumEffect;
  const isOver = (/** @type {Arm} */ arm) => figures[arm] > processes[arm];
  return listFalse({
    'more figures than processes': !Object.keys(figures).some((arm) =>
      isOver(/** @type {Arm} */ (arm)),
    ),
    'more pairs than figures': pairs === undefined || pairs <= countPerVariant(figures),
    'a ratio from too few': effect === null || compared >= 4,
    'a ratio without an error': effect === null || effect.standardError !== 0,
    'an estimate outside of its interval':
      ratio === null || (ratio.low <= ratio.estimate && ratio.estimate <= ratio.high),
    'a verdict without a ratio': ratio !== null || verdict === 'refused' || !isDecided(verdict),
    'strong without a direction': !strong || isDirection(verdict),
    'a direction whose interval has 1':
      ratio === null ||
      !isDirection(verdict) ||
      standing !== undefined ||
      ratio.low > 1 ||
      ratio.high < 1,
    'equivalent beyond the minimum effect':
      verdict !== 'equivalent' || (ratio !== null && ratio.low > 1 / margin && ratio.high < margin),
  }).map((problem) => `verdict.json: ${comparison.cell.id} has ${problem}`);
}

/** @type {(row: DrawnRow, comparison: CellComparison) => string[]} */
function checkRow(row, comparison) {
  const ratio = ratioOf(comparison);
  const { processes, figures, pairs } = comparison;
  const told = row.get('verdict') ?? '';
  const isMeasured = sum(Object.values(processes)) > 0;
  return listFalse({
    [`verdict '${told}'`]: namesVerdict(told, comparison),
    'no data, though it has figures': !(UNMEASURED.test(told) && isMeasured),
    [`ratio ${row.get('ratio')}`]: fits(row.get('ratio'), formatRatio(ratio?.estimate)),
    [`interval ${row.get('interval')}`]: fits(
      row.get('interval'),
      formatInterval(ratio ?? undefined),
    ),
    [`${row.get('processes')} processes`]: fits(
      row.get('processes')?.split(' of ')[0],
      countOf(processes),
    ),
    // A column is left out where it says the same as the one before it.
    [`${row.get('figures')} figures`]: fits(
      row.get('figures') ?? row.get('processes')?.split(' of ')[0],
      countOf(figures),
    ),
    [`${row.get('pairs')} pairs`]:
      fits(row.get('pairs'), pairs === undefined ? '–' : String(pairs)) &&
      (pairs === undefined || !row.has('ratio') || row.has('pairs')),
  }).map((problem) => `table has ${problem}`);
}

/** @type {(card: Group | undefined, comparison: CellComparison, told: Told & { row: DrawnRow | undefined }) => string[]} */
function checkCard(card, comparison, { row, manifest }) {
  if (manifest.question.rank === true) return [];
  const { cell, effect, control, processes, figures, pairs } = comparison;
  const isMeasured = sum(Object.values(processes)) > 0;
  if (card === undefined) return isMeasured ? ['no card'] : [];
  const title = textOf(card.title);
  const [basis] = card.blocks.flatMap((block) =>
    block.kind === 'paragraph' ? [plain(textOf(block.text))] : [],
  );
  const counts =
    /(\S+)(?: of \S+)? processes per variant(?:, (\S+) figures)?(?:, (\d+) pairs?)?/.exec(
      basis ?? '',
    );
  const { alpha } = manifest.question;
  const says = (
    /** @type {RatioInterval} */ ratio,
    level = `${formatConfidence(alpha)} interval`,
  ) => plain(`${formatRatio(ratio.estimate)} (${level} ${formatInterval(ratio)})`);
  const saysEffect = (/** @type {RatioInterval} */ ratio) =>
    basis?.includes(`ratio ${says(ratio, nameInterval(alpha, [comparison]))}`) === true;
  return listFalse({
    [`title '${title}'`]: title.startsWith(cell.id) && title.endsWith(row?.get('verdict') ?? ''),
    [`'${basis}'`]: UNMEASURED.test(basis ?? '') !== isMeasured,
    'another ratio': effect === null || saysEffect(effect.ratio),
    'another control':
      control === null || basis?.includes(`control ${says(control.ratio)}`) === true,
    [`counts '${counts?.[0]}'`]:
      !isMeasured ||
      (counts?.[1] === countOf(processes) &&
        (counts[2] ?? counts[1]) === countOf(figures) &&
        counts[3] === (pairs === undefined ? undefined : String(pairs))),
  }).map((problem) => `card has ${problem}`);
}

/** @type {(comparison: CellComparison, row: DrawnRow | undefined, told: Told) => string[]} */
function checkProgress(comparison, row, { progress }) {
  if (progress === null) return [];
  const line =
    describeSettled(progress).find(({ cellId }) => cellId === comparison.cell.id)?.line ?? '';
  const ratio = ratioOf(comparison);
  const parts = line.split(' · ');
  return listFalse({
    'another verdict': parts.includes(row?.get('verdict') ?? ''),
    'another ratio':
      ratio === null
        ? !line.includes('(')
        : line.includes(
            plain(
              `${formatRatio(ratio.estimate)} (${nameInterval(progress.question.alpha, [comparison])} ${formatInterval(ratio)})`,
            ),
          ),
    'another count': parts.includes(`${row?.get('processes') ?? '–'} processes`),
  }).map((problem) => `progress has ${problem}: ${line}`);
}

/** Notes that concern a cell, and the counts that they name. @type {(verdict: Verdict) => string[]} */
function checkNotes({ cells, warnings }) {
  const numbers = warnings.map(({ number }) => number);
  return cells.flatMap((comparison) => {
    const { cell, processes, figures, pairs } = comparison;
    const missing = comparison.warnings.filter((number) => !numbers.includes(number));
    const remarks = warnings.flatMap(({ kind, number, text }) => {
      const at = text.indexOf(`${cell.id} (`);
      // An identity may be the end of another.
      if (at === -1 || !comparison.warnings.includes(number) || /[\w-]/.test(text[at - 1] ?? ' '))
        return [];
      return [{ kind, text: text.slice(at + cell.id.length).split(/\), |\)[.:]/, 1)[0] }];
    });
    const all = sum([
      processes.candidate,
      ...(cell.candidate !== undefined && isHalved(comparison)
        ? []
        : [processes.baseline, processes.control]),
    ]);
    return [
      ...missing.map((number) => `notes: ${cell.id} refers to ${number}`),
      ...remarks.flatMap(({ kind, text }) => {
        const [, count, unit, of] =
          /(\d+)(?: (figures?|pairs?))? of (\d+) process(?:es)?/.exec(text) ?? [];
        if (count === undefined) return [];
        const isFew = kind === 'too-few-figures' || kind === 'equal-figures';
        const expected = isFew ? countPerVariant(processes) : all;
        const own = unit?.startsWith('pair') ? pairs : countPerVariant(figures);
        return Number(of) === expected && (!isFew || Number(count) === own)
          ? []
          : [`notes: ${kind} of ${cell.id} says '${text}'`];
      }),
    ];
  });
}

/** Whether baseline and control are halves of the cell's own processes, as in a ranking. @param {CellComparison} comparison */
function isHalved({ processes, effect, standing }) {
  return (
    effect === null &&
    (standing !== undefined || processes.baseline + processes.control === processes.candidate)
  );
}

/** @type {(told: Told) => string[]} */
function checkHeadline({ manifest, verdict, document }) {
  const blocks = document.sections.find(({ id }) => id === 'verdict')?.blocks ?? [];
  const textsOf = (/** @type {string} */ wanted) =>
    blocks.flatMap((block) =>
      block.kind === 'paragraph' && block.role === wanted ? [textOf(block.text)] : [],
    );
  const leads = textsOf('lead');
  const hasProcesses = verdict.cells.some(({ processes }) => sum(Object.values(processes)) > 0);
  const isWhole = verdict.ended !== 'refused' && manifest.question.rank !== true;
  const pairs = isWhole ? listPairs(manifest, verdict) : [];
  const basis = textsOf('basis').join(' ');
  const total = /(\d+) processes in /.exec(basis)?.[1];
  const open = /before (\d+) of \d+ cells? (?:was|were) settled/.exec(
    textsOf('remark').join(' '),
  )?.[1];
  return [
    ...pairs.flatMap((pair, index) => checkLead(leads[index] ?? '', pair.verdict)),
    ...leads.filter(
      (lead) =>
        hasProcesses &&
        UNMEASURED.test(lead) &&
        verdict.cells.every(({ processes }) => sum(Object.values(processes)) > 0),
    ),
    ...(total === undefined || Number(total) === verdict.timing.observations
      ? []
      : [`${total} processes`]),
    ...(open === undefined ||
    Number(open) ===
      verdict.cells.filter((cell) => !isDecided(cell.verdict) && cell.placement === undefined)
        .length
      ? []
      : [`${open} cells open`]),
  ].map((problem) => `headline: ${problem}`);
}

/** The sentences and the table of the short form. @type {(told: Told) => string[]} */
function checkAnswer({ manifest, verdict, document }) {
  const blocks = (document.brief ?? []).flatMap((section) => section.blocks);
  const leads = blocks.flatMap((block) =>
    block.kind === 'paragraph' && block.role === 'lead' ? [textOf(block.text)] : [],
  );
  const tables = blocks.flatMap((block) =>
    block.kind === 'table' && block.name === 'marks' ? [block] : [],
  );
  const isWhole = verdict.ended !== 'refused' && manifest.question.rank !== true;
  const pairs = isWhole ? listPairs(manifest, verdict) : [];
  const drawn = tables.flatMap(({ rows }) =>
    rows.map((row) => readMark((Array.isArray(row) ? row : row.cells).map(drawCell))),
  );
  const expected = verdict.cells.map((cell) => {
    const ratio = ratioOf(cell) ?? undefined;
    const mark = `${VERDICTS[cell.verdict].sign} ${formatRatio(ratio?.estimate)}`;
    return readMark([mark, plain(formatInterval(ratio))]);
  });
  return [
    ...pairs.flatMap((pair, index) => checkLead(leads[index] ?? '', pair.verdict)),
    ...(tables.length === 0 || drawn.sort().join() === expected.sort().join()
      ? []
      : [`has rows ${drawn.join(', ')} instead of ${expected.join(', ')}`]),
    ...(tables.length === 0 && verdict.cells.some((cell) => ratioOf(cell) !== null)
      ? ['has no table']
      : []),
  ].map((problem) => `answer: ${problem}`);
}

/** @type {(texts: string[]) => string} the mark of a row with the ratio and its interval, if it has any */
function readMark(texts) {
  const at = texts.findIndex((text) => MARK.test(text));
  const [mark, interval] = [texts[at] ?? '', texts[at + 1] ?? ''];
  return /\d/.test(mark) ? `${mark} ${interval}` : mark.slice(0, 1);
}

/** @type {(lead: string, verdict: Verdict) => string[]} of one candidate */
function checkLead(text, { cells, summaries }) {
  // Sizes and memory have verdicts of their own.
  const [lead] = text.split(/\. (?=[A-Z])/, 1);
  const counted = [...lead.matchAll(COUNTED)].map(([, word, count]) => ({
    word,
    count: Number(count),
  }));
  if (counted.length === 0)
    return cells.some((cell) => isDecided(cell.verdict) && cell.verdict !== 'refused')
      ? [`counts nothing: ${lead}`]
      : [];
  const words = new Set([
    ...counted.map(({ word }) => word),
    ...cells.map(({ verdict }) => verdict),
  ]);
  const wrong = [...words].filter(
    (word) =>
      sum(counted.flatMap((one) => (one.word === word ? [one.count] : []))) !==
      cells.filter(({ verdict }) => verdict === word).length,
  );
  const means = [...lead.matchAll(/×(\S+) time \([^)]*\)/g)].map(([text, ratio]) => ({
    text,
    ratio,
  }));
  return [
    ...wrong.map((word) => `another number of cells that are ${word}: ${lead}`),
    ...means
      .filter(({ text, ratio }) => {
        const mean = summaries.find(
          (one) =>
            formatRatio(one.ratio.estimate) === ratio &&
            text.includes(`interval ${plain(formatInterval(one.ratio))}`),
        );
        return (
          mean === undefined ||
          cells.some(
            ({ cell, verdict }) =>
              cell.operation === mean.operation &&
              cell.runtime === mean.runtime &&
              !isDecided(verdict),
          )
        );
      })
      .map(({ text }) => `no mean of settled cells is ${text}`),
  ];
}

/** @type {(told: Told) => string[]} */
function checkSettled({ verdict, progress }) {
  if (progress === null) return [];
  const [, settled] = /^(\d+) of/.exec(countSettled(progress)) ?? [];
  const decided = verdict.cells.filter((cell) => isDecided(cell.verdict)).length;
  return Number(settled) === decided ? [] : [`progress: ${countSettled(progress)}, not ${decided}`];
}

/** @type {(told: string, comparison: CellComparison) => boolean} */
function namesVerdict(told, { verdict, strong, standing }) {
  const words = told.replace(/^screen: /, '');
  if (standing !== undefined && verdict !== 'refused' && verdict !== 'untrusted')
    return words.startsWith(
      { best: 'best', 'among-the-best': 'among the best', 'not-the-best': 'not the best' }[
        standing.class
      ],
    );
  return words.startsWith(verdict) && words.includes('strong') === strong;
}

/** @type {(document: Document) => DrawnRow[]} of the table of cells */
function readRows({ sections }) {
  const tables = sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'table' && block.name === 'cells' ? [block] : [])),
  );
  return tables.flatMap(({ columns, rows }) =>
    rows.map((row) => {
      const cells = Array.isArray(row) ? row : row.cells;
      // Several candidates have two columns of that name: who it is, and its time.
      return new Map(
        columns
          .map(
            ({ title }, index) =>
              /** @type {const} */ ([nameColumn(title), drawCell(cells[index])]),
          )
          .toReversed(),
      );
    }),
  );
}

/** @param {string} title  @returns {string} the same in all kinds of runs */
function nameColumn(title) {
  if (title.endsWith('interval')) return 'interval';
  return title === 'to fastest' ? 'ratio' : title.replace('screen ', '');
}

/** @type {(rows: DrawnRow[], comparison: CellComparison, manifest: Manifest) => DrawnRow | undefined} */
function findRow(rows, { cell }, { question }) {
  const { candidates } = question;
  const names = {
    operation: cell.operation,
    corpus: cell.corpus,
    calls: figureOf(cell).calls,
    candidate: candidates[cell.candidate ?? 0],
    variant: candidates[cell.candidate ?? 0],
    workload: sharedIdOf(cell),
  };
  const isNamed = (/** @type {DrawnRow} */ row) =>
    Object.entries(names).every(
      ([column, name]) =>
        !row.has(column) ||
        (column === 'candidate' && candidates.length === 1) ||
        row.get(column) === name,
    );
  const found = rows.filter(isNamed);
  const runtime = /@(\S+)$/.exec(cell.runtime ?? '')?.[1];
  return runtime === undefined
    ? found[0]
    : found.find((row) => row.get('runtime')?.endsWith(runtime));
}

/** @type {(document: Document) => Map<string, Group>} */
function readCards({ sections }) {
  const groups = sections.find(({ id }) => id === 'cells')?.blocks ?? [];
  return new Map(
    groups.flatMap((block) => (block.kind === 'group' ? [[block.id ?? '', block]] : [])),
  );
}

/** @type {(cell: Cell | undefined) => string} */
function drawCell(cell) {
  if (cell === undefined) return '';
  if (typeof cell === 'object' && 'value' in cell) return textOf(cell.value);
  if (typeof cell === 'object' && ('range' in cell || 'draw' in cell)) return '';
  return textOf(cell);
}

/** @param {Inline} text */
function textOf(text) {
  return plain(plainText(text));
}

/** @param {string} text */
function plain(text) {
  return text.replaceAll('\u00a0', ' ');
}

/** Of an absent column, nothing. @type {(told: string | undefined, expected: string) => boolean} */
function fits(told, expected) {
  return told === undefined || told === plain(expected);
}

/** @type {(counts: Record<Arm, number>) => string} as reports print it */
function countOf({ baseline, candidate, control }) {
  const pooled = baseline + control;
  if (pooled + candidate === 0) return '–';
  return pooled === candidate ? String(candidate) : `${pooled}/${candidate}`;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** @type {(facts: Record<string, boolean>) => string[]} */
function listFalse(facts) {
  return Object.entries(facts).flatMap(([name, isTrue]) => (isTrue ? [] : [name]));
}
