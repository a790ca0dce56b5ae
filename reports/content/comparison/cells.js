/** The table of cells, each with its verdict and what backs it. */

/** @import { CellComparison, Manifest, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Block, Cell, Column, Inline, Row, Section, Table } from '../../document/model.ts' */

import {
  formatInterval,
  formatRatio,
  formatShare,
  formatTimePair,
  NO_FIGURE,
} from '../../../harness/lib/numbers.js';
import { commonFigure, figureOf } from '../../../harness/stats/figure.js';
import { VERDICTS } from '../../../harness/stats/verdicts.js';
import { capitalize, present, separate } from '../build.js';
import { countColumns, isMeasured } from './counts.js';
import { findSeries, placeInSeries } from './series.js';
import {
  candidateOf,
  countHosts,
  hasRuntimeColumn,
  nameInterval,
  timesFirstCalls,
  timesLoad,
  runtimeOf,
  partOf,
  verdictBadge,
  timedUnit,
} from './words.js';

/** What the calls of cold code are. */
const COLD_HINT =
  'Calls: the first ones of a process, in total; start: loading the variant and the first call.';
const LOAD_HINT = 'Load: importing the module of the variant, with all that it imports.';

/** @type {(question: Pick<Manifest['question'], 'cells'>) => string} */
function explainCalls(question) {
  return timesLoad(question) ? LOAD_HINT : COLD_HINT;
}

/** @typedef {Column & { draw: (entry: Entry) => Cell }} EntryColumn */

/**
 * The parts of a table of cells besides their names: verdicts with figures, the plot, and what backs the verdicts.
 *
 * @typedef {'figures' | 'plot' | 'backing'} Part
 */

/** @typedef {keyof typeof FORMS} Form */

const FORMS = /** @satisfies {Record<string, Part[]>} */ ({
  whole: ['figures', 'plot', 'backing'],
  page: ['figures', 'plot'],
  backing: ['backing'],
  short: ['figures'],
});

/**
 * A row of the table.
 *
 * @typedef {object} Entry
 * @property {CellComparison} comparison
 * @property {number} number of the cell in the run, from 1
 * @property {Inline} [group] heading in a terminal, of operations that form a series
 * @property {string} [at] the number in which the operations of its series differ
 */

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {Set<number>} linked numbers of the cells that have their own section
 * @returns {Section}
 */
export function makeTimesSection(manifest, verdict, linked) {
  const remark = hostsRemark(verdict);
  /** @type {Block[]} */
  const remarks = remark === null ? [] : [{ kind: 'paragraph', role: 'remark', text: remark }];
  const tabulate = (/** @type {Form} */ form) => tabulateCells(manifest, verdict, linked, form);
  /** @type {Block} */
  const backing = {
    kind: 'group',
    title: 'What backs each verdict',
    only: ['html'],
    folded: ['html'],
    blocks: [tabulate('backing')],
  };
  return {
    id: 'times',
    title: 'Times',
    order: 2,
    untitled: ['terminal', 'markdown', 'html'],
    blocks: [
      { ...tabulate('whole'), only: ['terminal', 'markdown'] },
      { ...tabulate('page'), only: ['html'] },
      ...remarks,
      ...(verdict.cells.some(isMeasured) ? [backing] : []),
    ],
    short: [tabulate('short'), ...remarks],
  };
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {Set<number>} linked
 * @param {Form} form
 * @returns {Table} without columns of figures where no cell has any
 */
function tabulateCells(manifest, verdict, linked, form) {
  const { question } = manifest;
  const { cells } = verdict;
  const entries = orderEntries(verdict);
  const hasFigures = cells.some(isMeasured);
  const hasNotes = cells.some(({ warnings }) => warnings.length > 0);
  /** @type {EntryColumn[]} */
  const columns = [
    ...nameColumns(manifest, verdict, linked),
    ...verdictColumns(manifest, verdict, form),
    ...present([hasPart(form, 'figures') && hasNotes && noteColumn()]),
  ];
  return {
    kind: 'table',
    name: form === 'whole' ? 'cells' : `cells ${form}`,
    caption: [
      hasFigures ? timeLabel(question) : 'Cells',
      question.mode === 'screen' ? ', screen mode' : '',
      '; baseline ',
      { code: question.baseline },
      question.candidates.length === 1 ? [', candidate ', { code: question.candidates[0] }] : '',
      '.',
    ],
    label: form === 'backing' ? 'What backs each verdict' : 'Verdicts by cell',
    columns,
    rows: entries.map((entry) => makeRow(entry, columns)),
    ...(hasFigures ? { legend: explainColumns(question, cells, form) } : {}),
  };
}

/**
 * The verdicts for a comment on a pull request, in six columns where there is one candidate and one runtime.
 * @type {(manifest: Manifest, verdict: Verdict) => Table}
 */
export function tabulateVerdicts(manifest, verdict) {
  const { baseline, candidates, minimumEffect } = manifest.question;
  const [, ...names] = nameColumns(manifest, verdict, new Set()).filter(
    ({ title }) => title !== 'corpus',
  );
  /** @type {EntryColumn[]} */
  const columns = [
    {
      title: 'cell',
      draw: ({ comparison: { cell } }) => ({
        code: cell.title ?? `${cell.operation} ${cell.corpus}`,
      }),
    },
    ...names,
    ...verdictColumns(manifest, verdict, 'short'),
  ];
  const candidate = candidates.length === 1 ? { code: candidates[0] } : 'candidate';
  const hasEquivalent = verdict.cells.some((cell) => cell.verdict === 'equivalent');
  const legend = [
    timeLabel(manifest.question),
    '. Ratio: ',
    candidate,
    ' ÷ ',
    { code: baseline },
    hasEquivalent ? `; equivalent: within ${formatShare(minimumEffect)} of 1.` : '.',
  ];
  return {
    kind: 'table',
    label: 'Verdicts by cell',
    columns,
    rows: orderEntries(verdict).map((entry) => makeRow(entry, columns)),
    legend: verdict.cells.some(isMeasured) ? legend : undefined,
  };
}

/** @type {(manifest: Manifest, verdict: Verdict, form: Form) => EntryColumn[]} without figures where no cell has any */
function verdictColumns({ question }, { cells }, form) {
  const hasWords = hasPart(form, 'figures');
  return present([
    hasWords && {
      title: question.mode === 'screen' ? 'screen verdict' : 'verdict',
      sortable: true,
      draw: (/** @type {Entry} */ { comparison }) => verdictBadge(comparison, question.mode),
    },
    ...(cells.some(isMeasured) ? figureColumns(question, cells, form) : []),
  ]);
}

/** @type {(entry: Entry, columns: EntryColumn[]) => Row} */
function makeRow(entry, columns) {
  const cells = columns.map(({ draw }) => draw(entry));
  return entry.group === undefined ? cells : { group: entry.group, cells };
}

/**
 * @param {Verdict} verdict
 * @returns {Entry[]} by operation, in the order of the cells; operations of a series by their number
 */
function orderEntries(verdict) {
  const all = findSeries(verdict);
  /** @type {Map<string, { label: string | null, entries: { at: number, entry: Entry }[] }>} */
  const groups = new Map();
  for (const [index, comparison] of verdict.cells.entries()) {
    const { cell } = comparison;
    const place = placeInSeries(all, cell);
    const key = place === null ? `operation ${cell.operation}` : `series ${place.name}`;
    const group = groups.get(key) ?? { label: place?.label ?? null, entries: [] };
    group.entries.push({ at: place?.at ?? 0, entry: { comparison, number: index + 1 } });
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ label, entries }) => {
    if (label === null) return entries.map(({ entry }) => entry);
    const sorted = entries.toSorted((a, b) => a.at - b.at);
    const [first, last] = [sorted[0], sorted.at(-1)].map(
      (one) => one?.entry.comparison.cell.operation ?? '',
    );
    const group = [`${label}: `, { code: first ?? '' }, ' … ', { code: last ?? '' }];
    return sorted.map(({ at, entry }) => ({ ...entry, group, at: String(at) }));
  });
}

/**
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @param {Set<number>} linked
 * @returns {EntryColumn[]} operation and corpus, the calls if code is cold, the candidate of several, the
 *   version of Node where versions were given, and the part where hosts differ
 */
function nameColumns(manifest, verdict, linked) {
  const hasSeries = findSeries(verdict).length > 0;
  // A case of a benchmark file has no documents.
  const hasDocuments = manifest.question.bench === undefined;
  /** @type {(text: string, number: number) => Inline} */
  const link = (text, number) =>
    linked.has(number) ? { link: `cell-${number}`, text: { code: text } } : { code: text };
  /** @type {(EntryColumn | false)[]} */
  const columns = [
    {
      title: hasDocuments ? 'operation' : 'case',
      kind: hasDocuments ? 'group' : 'name',
      sortable: true,
      draw({ comparison: { cell }, number }) {
        const name = cell.title ?? cell.operation;
        return hasDocuments ? { code: name } : link(name, number);
      },
    },
    hasSeries && {
      title: '',
      kind: 'name',
      align: 'right',
      only: ['terminal'],
      draw: ({ at = '' }) => at,
    },
    hasDocuments && {
      title: 'corpus',
      kind: 'name',
      sortable: true,
      draw: ({ comparison, number }) => link(comparison.cell.corpus, number),
    },
    timesFirstCalls(manifest.question) && {
      title: 'calls',
      hint: explainCalls(manifest.question),
      kind: 'name',
      align: 'right',
      draw: ({ comparison }) => figureOf(comparison.cell).calls,
    },
    manifest.question.candidates.length > 1 && {
      title: 'candidate',
      kind: 'name',
      sortable: true,
      draw: ({ comparison }) => candidateOf(manifest.question, comparison.cell),
    },
    hasRuntimeColumn(verdict) && {
      title: 'runtime',
      kind: 'name',
      sortable: true,
      draw: ({ comparison }) => runtimeOf(comparison.cell, manifest.environment),
    },
    countHosts(verdict.parts ?? []) > 1 && {
      title: 'part',
      hint: 'Part of the plan; see Hosts',
      align: 'right',
      sortable: true,
      draw: ({ comparison }) => String(partOf(verdict, comparison.cell.id)?.shard ?? NO_FIGURE),
    },
  ];
  return columns.filter((column) => column !== false);
}

/** @type {(form: Form, part: Part) => boolean} */
function hasPart(form, part) {
  return /** @type {Part[]} */ (FORMS[form]).includes(part);
}

/** @type {(question: Manifest['question'], cells: CellComparison[], form: Form) => EntryColumn[]} */
function figureColumns({ alpha, minimumEffect }, cells, form) {
  const times = (/** @type {Entry} */ { comparison }) =>
    formatTimePair(comparison.baselineNs, comparison.candidateNs);
  /** @type {(EntryColumn & { part?: Part })[]} */
  const columns = [
    {
      title: 'ratio',
      align: 'right',
      sortable: true,
      draw: ({ comparison: { effect } }) => ({
        value: formatRatio(effect?.ratio.estimate),
        sort: effect?.ratio.estimate ?? null,
      }),
    },
    {
      title: nameInterval(alpha, cells),
      align: 'right',
      draw: ({ comparison: { effect } }) => formatInterval(effect?.ratio),
    },
    {
      title: 'plot',
      kind: 'plot',
      minimumEffect,
      part: 'plot',
      draw: ({ comparison }) => ({
        range: comparison.effect?.ratio,
        tone: VERDICTS[comparison.verdict]?.tone ?? 'plain',
      }),
    },
    {
      title: 'baseline',
      align: 'right',
      sortable: true,
      draw: (entry) => ({ value: times(entry)[0], sort: entry.comparison.baselineNs }),
    },
    {
      title: 'candidate',
      align: 'right',
      sortable: true,
      draw: (entry) => ({ value: times(entry)[1], sort: entry.comparison.candidateNs }),
    },
    {
      title: 'control',
      hint: 'The baseline against itself',
      align: 'right',
      part: 'backing',
      draw: ({ comparison: { control } }) => formatRatio(control?.ratio.estimate),
    },
    {
      title: 'detects',
      hint: 'Smallest effect that this many processes detect with 80 % power',
      align: 'right',
      part: 'backing',
      draw: ({ comparison }) => formatShare(comparison.detectableEffect),
    },
    ...countColumns({ cells }).columns.map(({ draw, ...column }) => ({
      ...column,
      part: /** @type {const} */ ('backing'),
      draw: (/** @type {Entry} */ { comparison }) => draw(comparison),
    })),
  ];
  return columns.filter(({ part = 'figures' }) => hasPart(form, part));
}

/** @returns {EntryColumn} */
function noteColumn() {
  return { title: 'notes', draw: ({ comparison: { warnings } }) => ({ notes: warnings }) };
}

/**
 * @param {Manifest['question']} question
 * @returns {Inline} what the times are: `Time per document (http-json: server CPU time per request)`, or the figure
 *   that all cells have
 */
export function timeLabel({ cells }) {
  if (timesFirstCalls({ cells })) return capitalize(commonFigure({ cells }).quantity ?? '');
  const [common, ...different] = new Set(cells.map(({ figure }) => figure));
  if (different.length === 0) return capitalize(common ?? `time per ${timedUnit(cells[0])}`);
  const figures = new Map(
    cells.flatMap(({ operation, figure }) => (figure === undefined ? [] : [[operation, figure]])),
  );
  const others = [...figures].map(([operation, figure]) => [{ code: operation }, `: ${figure}`]);
  return ['Time per document (', separate(others, '; '), ')'];
}

/** @type {(question: Manifest['question'], cells: CellComparison[], form: Form) => string} */
function explainColumns(question, cells, form) {
  const { alpha, minimumEffect } = question;
  const ratio = 'Ratio: candidate ÷ baseline; below 1 is faster.';
  if (form === 'short') return ratio;
  const hasPlot = hasPart(form, 'plot');
  const equivalent = cells.filter(({ verdict }) => verdict === 'equivalent');
  const isCoarse = equivalent.some(
    ({ detectableEffect }) => (detectableEffect ?? 0) > minimumEffect,
  );
  return present([
    hasPlot && timesFirstCalls(question) && explainCalls(question),
    hasPlot &&
      `${ratio} Plot: its ${nameInterval(alpha, cells)} on a log scale, with marks at 1 and at the minimum effect of ${formatShare(minimumEffect)}.`,
    hasPart(form, 'backing') &&
      'Control: the baseline against itself. Detects: the smallest effect that this many processes detect with 80 % power.',
    hasPlot &&
      cells.some(({ strong }) => strong) &&
      'Strong: the whole interval is beyond the minimum effect.',
    hasPlot &&
      equivalent.length > 0 &&
      `Equivalent: the whole interval is within the minimum effect, whether or not it includes 1${isCoarse ? '; detecting a difference needs more, since it is tested among all cells' : ''}.`,
    hasPart(form, 'backing') && countColumns({ cells }).legend,
  ]).join(' ');
}

/** @type {(verdict: Pick<Verdict, 'parts'>) => string | null} null where all cells come from one kind of machine */
function hostsRemark({ parts = [] }) {
  const count = countHosts(parts);
  if (count < 2) return null;
  return `The cells were measured on ${count} kinds of machine. Each ratio comes from one machine; times from different parts cannot be compared.`;
}
