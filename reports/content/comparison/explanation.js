/**
 * Why a cell differs: what the difference consists of, the functions whose time moved, independent
 * metrics, and the files of the recorders.
 */

/** @import { CellExplanation, FunctionChange, Interval, Manifest, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Block, Cell, Row, Section } from '../../document/model.ts' */

import {
  countOf,
  formatChangeInterval,
  formatCount,
  formatDuration,
  formatInterval,
  formatRatio,
  formatRoughShare,
  formatShare,
  formatTimeChange,
  formatTimePair,
} from '../../../harness/lib/numbers.js';
import { PROGRAM } from '../../../harness/lib/program.js';
import { quoteWords } from '../../../harness/lib/words.js';
import { sumOf } from '../../../harness/stats/means.js';
import { isOfPrograms } from '../../../harness/stats/plan.js';
import {
  DETAIL,
  countMore,
  figureColumn,
  figureColumns,
  list,
  nameFunction,
  noteLeftOut,
  paragraph,
  titled,
  toneOfChange,
} from '../build.js';
import { drawBar, makeBarAxis } from '../../figures/bar.js';
import { describeAllocation, describeEngine } from './engine.js';

/** Rows of a table outside a page, where there is no second report with more of them. */
const MAX_ROW_COUNT = 8;
/** Sentences that are seen at once outside a page. */
const MAX_SENTENCE_COUNT = 3;
/** Mark of a function. */
const EDITED = 'edited';
/** Kinds of functions that variants consist of; others are named. @type {FunctionChange['kind'][]} */
const OWN_KINDS = ['js', 'code'];

/**
 * Why each profiled cell differs. A page says it cell by cell (`cell.js`).
 *
 * @param {Pick<Manifest, 'question' | 'variants' | 'runId'>} manifest
 * @param {Pick<Verdict, 'explanation'>} verdict
 * @param {string} [runPath] of the run directory, as its user would type it
 * @returns {Section} without blocks where nothing was profiled
 */
export function makeExplanationSection(manifest, { explanation }, runPath) {
  /** @type {Section} */
  const section = { id: 'why', title: 'Why', order: 4, only: ['terminal', 'markdown'], blocks: [] };
  if (explanation === undefined) return section;
  const { cells, warnings } = explanation;
  const content = isOfPrograms(manifest)
    ? 'Functions and flamegraphs'
    : 'Functions, flamegraphs, allocations and deoptimisations';
  /** @type {Block[]} */
  const end = [
    titled('Notes on the profiles', [{ kind: 'notes', notes: warnings }]),
    {
      kind: 'paragraph',
      role: 'quiet',
      only: ['terminal'],
      text: [
        `${content}: `,
        { code: `${PROGRAM} open ${quoteWords([runPath ?? manifest.runId])}` },
      ],
    },
  ];
  return {
    ...section,
    blocks: [...cells.map((cell) => explainCell(cell, manifest.question.recorders)), ...end],
    short: [...cells.map((cell) => groupCell(cell, [paragraph(cell.paragraph.join(' '))])), ...end],
  };
}

/** @type {(cell: CellExplanation, blocks: Block[]) => Block} */
function groupCell({ cell }, blocks) {
  return titled({ code: cell.id }, blocks);
}

/**
 * @param {CellExplanation} cell
 * @param {readonly string[]} recorders asked for by name; the files of others belong to the page
 * @returns {Block}
 */
function explainCell(cell, recorders) {
  const sentences = cell.paragraph.slice(0, MAX_SENTENCE_COUNT);
  const more = cell.paragraph.slice(MAX_SENTENCE_COUNT);
  const files = cell.artefacts.filter(({ recorder }) => recorders.includes(recorder));
  return groupCell(cell, [
    ...(sentences.length === 0 ? [] : [paragraph(sentences.join(' '))]),
    {
      kind: 'group',
      title: 'What the difference consists of',
      folded: ['markdown'],
      untitled: ['terminal'],
      blocks: [
        ...(more.length === 0 ? [] : [paragraph(more.join(' '))]),
        ...listParts(cell),
        ...listCauses(cell, MAX_ROW_COUNT),
        ...listMetrics(cell),
        {
          kind: 'group',
          title: 'Details',
          folded: ['terminal'],
          untitled: ['markdown'],
          blocks: [
            ...listFunctions(cell, MAX_ROW_COUNT),
            ...describeEngine(cell, MAX_ROW_COUNT),
            ...describeAllocation(cell, MAX_ROW_COUNT),
          ],
        },
        titled('Files in the run directory', [listFiles(files)]),
      ],
    },
  ]);
}

/**
 * Everything about a cell under a title a subject, for a page.
 *
 * @param {CellExplanation} cell
 * @param {number} rows of a table at most
 * @param {Block[]} profiles flamegraph and source lines
 * @returns {Block[]}
 */
export function explainInFull(cell, rows, profiles) {
  const files = countOf(cell.artefacts.length, 'file');
  return [
    titled('Where the time went', [
      ...listParts(cell),
      ...listCauses(cell, rows),
      ...listFunctions(cell, rows),
    ]),
    titled('Flamegraph', profiles),
    titled('What V8 did', describeEngine(cell, rows)),
    titled('Allocation and garbage collection', describeAllocation(cell, rows)),
    titled('Independent metrics', listMetrics(cell)),
    {
      kind: 'group',
      title: `${files} of this cell, for Chrome DevTools and speedscope`,
      name: 'artefacts',
      folded: ['html'],
      blocks: [listFiles(cell.artefacts)],
    },
  ];
}

/** Whose code takes the time of a client. @type {(cell: CellExplanation) => Block[]} */
function listParts({ parts = [] }) {
  const total = (/** @type {'baselineNs' | 'candidateNs'} */ arm) =>
    sumOf(parts.map((part) => part[arm]));
  const totals = { baseline: total('baselineNs'), candidate: total('candidateNs') };
  return [
    {
      kind: 'table',
      caption: 'CPU time per call, by part of the client',
      label: 'Parts of the client',
      columns: [
        { title: 'part', kind: 'name' },
        ...figureColumns('baseline', 'candidate'),
        { title: 'change', align: 'right', sortable: true },
        figureColumn('95 % interval'),
      ],
      rows: parts.map(({ name, baselineNs, candidateNs, change }) => {
        const [before, after] = formatTimePair(baselineNs, candidateNs);
        return [
          name,
          `${before} (${formatRoughShare(baselineNs / totals.baseline)})`,
          `${after} (${formatRoughShare(candidateNs / totals.candidate)})`,
          { value: formatTimeChange(change.estimate), sort: change.estimate },
          formatChangeInterval(change, formatTimeChange),
        ];
      }),
    },
  ];
}

/**
 * What is responsible for the difference, the largest part first.
 *
 * @param {CellExplanation} cell
 * @param {number} most rows
 * @returns {Block[]}
 */
function listCauses({ causes, measured, cell }, most) {
  const shown = causes.slice(0, most);
  const axis = makeBarAxis(shown.map(({ change }) => change));
  const total =
    measured === null
      ? ''
      : `; the timed difference is ${formatTimeChange(measured.estimate)} (${formatChangeInterval(measured, formatTimeChange)})`;
  return [
    {
      kind: 'table',
      caption: `Time per ${cell.figure === undefined ? 'document' : 'call'}, by cause${total}`,
      label: 'Causes',
      columns: [
        { title: 'cause', kind: 'name' },
        { title: 'change', align: 'right', sortable: true },
        { title: '', only: ['html'] },
        figureColumn('95 % interval'),
        figureColumn('share', 'Of the timed difference'),
      ],
      rows: shown.map(({ name, change, share }) => [
        name,
        { value: formatTimeChange(change.estimate), sort: change.estimate },
        { draw: () => drawBar(change, axis) },
        formatChangeInterval(change, formatTimeChange),
        formatShare(share),
      ]),
      legend: causes.some(({ share }) => share !== null && (share < 0 || share > 1))
        ? 'Share: of the timed difference. All causes add up to 100 %; a negative share is of a change in the other direction, which the others make up for.'
        : undefined,
    },
    ...noteLeftOut(causes.length - shown.length, 'causes'),
  ];
}

/**
 * The functions whose time moved; more of them folded.
 *
 * @param {CellExplanation} cell
 * @param {number} most rows that are seen at once; three times as many are folded
 * @returns {Block[]}
 */
function listFunctions({ functions, rest }, most) {
  const first = functions.slice(0, most);
  const second = functions.slice(most, 4 * most);
  return [
    tabulateFunctions(
      'Functions, by change of self time per document, each change with its 95 % interval',
      first,
    ),
    {
      kind: 'group',
      title: countMore(second.length, 'functions'),
      folded: DETAIL,
      blocks: [tabulateFunctions('More functions, by change of self time per document', second)],
    },
    ...noteLeftOut(functions.length - first.length - second.length, 'functions'),
    ...(rest.functions === 0
      ? []
      : [
          paragraph(
            `All other functions (${formatCount(rest.functions)}) change by ${formatTimeChange(rest.selfNs)} in total.`,
            'quiet',
          ),
        ]),
  ];
}

/** @type {(caption: string, functions: FunctionChange[]) => Block} */
function tabulateFunctions(caption, functions) {
  return {
    kind: 'table',
    caption,
    columns: [
      { title: 'function', kind: 'name' },
      { title: 'self: change', align: 'right', sortable: true },
      { title: 'baseline', align: 'right', sortable: true },
      { title: 'candidate', align: 'right', sortable: true },
      { title: 'total: change', align: 'right', sortable: true },
    ],
    rows: functions.map(functionRow),
    legend: functions.some(({ edited }) => edited === true)
      ? `${EDITED}: the two revisions have lines of the function differently.`
      : undefined,
  };
}

/** @type {(change: FunctionChange) => Row} */
function functionRow({ name, kind, file, line, edited, baseline, candidate, self, total }) {
  const [before, after] = formatTimePair(baseline?.selfNs, candidate?.selfNs);
  const named = nameFunction(name, file, line);
  return [
    [
      named,
      ...(OWN_KINDS.includes(kind)
        ? []
        : [' ', /** @type {const} */ ({ tone: 'quiet', text: kind })]),
      ...(edited === true ? [' ', /** @type {const} */ ({ tone: 'quiet', text: EDITED })] : []),
    ],
    stackChange(self),
    { value: baseline === null ? 'absent' : before, sort: baseline?.selfNs ?? null },
    { value: candidate === null ? 'absent' : after, sort: candidate?.selfNs ?? null },
    stackChange(total),
  ];
}

/**
 * @param {Interval} change nanoseconds
 * @returns {Cell} above its interval
 */
function stackChange(change) {
  const interval = formatChangeInterval(change, formatTimeChange);
  return {
    value: [
      formatTimeChange(change.estimate),
      { lineBreak: true },
      { tone: 'quiet', text: interval },
    ],
    sort: change.estimate,
    tone: toneOfChange(change),
  };
}

/**
 * Instructions and whole processes: figures that do not come from the timed jobs.
 * @type {(cell: CellExplanation) => Block[]}
 */
function listMetrics({ instructions, wholeProcess }) {
  /** @type {Row[]} */
  const rows = [];
  if (instructions !== null) {
    const { baseline, candidate } = instructions.values;
    rows.push([
      'instructions per document',
      formatRatio(instructions.ratio),
      'counted',
      formatCount(baseline),
      formatCount(candidate),
    ]);
  }
  if (wholeProcess !== null) {
    const { ratio, valuesMs } = wholeProcess;
    rows.push([
      'whole process',
      formatRatio(ratio.estimate),
      formatInterval(ratio),
      formatDuration(valuesMs.baseline),
      formatDuration(valuesMs.candidate),
    ]);
  }
  return [
    {
      kind: 'table',
      caption:
        'Independent metrics. Instructions measure work, not time; a whole process includes start-up.',
      label: 'Independent metrics',
      columns: [
        { title: 'figure', kind: 'name' },
        ...figureColumns('ratio', '95 % interval', 'baseline', 'candidate'),
      ],
      rows,
    },
  ];
}

/** @type {(artefacts: CellExplanation['artefacts']) => Block} */
function listFiles(artefacts) {
  return list(
    artefacts.map(({ recorder, arm, path }) => [`${recorder}, ${arm}: `, { file: path }]),
  );
}
