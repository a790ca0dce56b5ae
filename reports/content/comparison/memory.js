/** Memory of a comparison: what is allocated and collected, and what documents retain. */

/** @import { CellMemory, CorpusMemory, Manifest, MemoryMetric, MemoryVerdict, Verdict } from '../../../harness/formats/types.ts' */
/** @import { Block, Cell, Column, Inline, Row, Section } from '../../document/model.ts' */

import {
  countOf,
  formatBytes,
  formatConfidence,
  formatCount,
  formatInterval,
  formatRatio,
  formatShare,
  formatDecimal,
  formatTimePair,
} from '../../../harness/lib/numbers.js';
import { sharedIdOf } from '../../../harness/stats/plan.js';
import { MEMORY_VERDICTS } from '../../../harness/stats/verdicts.js';
import { plainText, visibleText } from '../../document/inline.js';
import { figureColumns, paragraph, separate } from '../build.js';
import { describeRetained } from './retained.js';
import { alignNames } from './marks.js';
import { candidateOf, listPairs, nameComparison } from './words.js';

/** Findings that one sentence names; the tables have all of them. */
const MAX_FINDING_COUNT = 3;

/**
 * How a metric is called, and what a sentence says of a difference. `candidate` and `baseline` are
 * formatted figures.
 *
 * @typedef {object} MetricWords
 * @property {string} label
 * @property {(candidate: string, baseline: string) => string} finding
 */

/** @type {Record<MemoryMetric['name'], MetricWords>} */
const METRICS = {
  'allocated-heap': {
    label: 'allocated',
    finding: (ours, theirs) => `allocates ${ours} per document instead of ${theirs}`,
  },
  allocations: {
    label: 'allocations',
    finding: (ours, theirs) => `makes ${ours} allocations per document instead of ${theirs}`,
  },
  'allocated-off-heap': {
    label: 'allocated off heap',
    finding: (ours, theirs) => `allocates ${ours} off heap per document instead of ${theirs}`,
  },
  collections: {
    label: 'collections',
    finding: (ours, theirs) =>
      `causes ${ours} garbage collections per 1000 documents instead of ${theirs}`,
  },
  'collection-time': {
    label: 'collection time',
    finding: (ours, theirs) =>
      `spends ${ours} per document on garbage collection instead of ${theirs}`,
  },
  retained: { label: 'document', finding: formatRetained },
  'retained-slope': { label: 'document, by slope', finding: formatRetained },
};

/** @type {MetricWords['finding']} */
function formatRetained(ours, theirs) {
  return `retains ${ours} per document instead of ${theirs}`;
}

/**
 * @param {Pick<Manifest, 'question'>} manifest
 * @param {Pick<Verdict, 'ended' | 'memory'>} verdict
 * @returns {Section} without blocks where memory was not measured
 */
export function makeMemorySection({ question }, verdict) {
  const { memory } = verdict;
  return {
    id: 'memory',
    title: 'Memory',
    order: 5,
    folded: ['markdown'],
    blocks: memory === undefined ? [] : makeBlocks(question, verdict, memory, true),
    short: memory === undefined ? undefined : makeBlocks(question, verdict, memory, false),
  };
}

/**
 * @param {Manifest['question']} question
 * @param {Pick<Verdict, 'ended' | 'memory'>} verdict
 * @param {MemoryVerdict} memory
 * @param {boolean} hasParts whether it lists what retained bytes consist of
 * @returns {Block[]}
 */
function makeBlocks(question, verdict, memory, hasParts) {
  const { alpha } = question;
  const { cells, corpora, warnings } = memory;
  const hasCollections = cells.some(
    ({ collections: { baseline, candidate } }) => (baseline ?? candidate) !== null,
  );
  const missing = describeMissing(verdict);
  return [
    {
      kind: 'table',
      caption: `Allocated per document${hasCollections ? '; garbage collections per 1000 documents' : ''}`,
      columns: metricColumns('cell', alpha),
      rows: cells.flatMap(listCellRows),
    },
    {
      kind: 'table',
      caption: 'Retained per document read',
      columns: metricColumns('corpus', alpha),
      rows: corpora.flatMap((corpus) => listCorpusRows(corpus, question)),
    },
    ...(missing === '' ? [] : [paragraph(missing, 'quiet')]),
    ...corpora.map((corpus, index) =>
      describeRetained(corpus, nameHeld(corpus, question), { index, hasParts }),
    ),
    {
      kind: 'group',
      title: 'Notes on memory',
      // A page has all notes in one section.
      only: ['terminal', 'markdown'],
      blocks: [{ kind: 'notes', notes: warnings }],
    },
  ];
}

/**
 * @param {string} subject title of the column that groups the rows
 * @param {number} alpha
 * @returns {Column[]}
 */
function metricColumns(subject, alpha) {
  return [
    { title: subject, kind: 'group' },
    { title: 'metric', kind: 'name' },
    { title: 'verdict' },
    ...figureColumns('ratio', `${formatConfidence(alpha)} interval`, 'baseline', 'candidate'),
    { title: 'control', align: 'right', only: ['markdown', 'html'] },
  ];
}

/** Allocation and collections of a cell. @type {(memory: CellMemory) => Row[]} */
function listCellRows({ cell, metrics, collections: { baseline, candidate } }) {
  const subject = { code: cell.id };
  const kinds = Object.keys({ ...baseline?.perThousand, ...candidate?.perThousand }).sort();
  const details = kinds.map((kind) => [
    `– ${kind}`,
    formatDecimal(baseline?.perThousand[kind] ?? 0),
    formatDecimal(candidate?.perThousand[kind] ?? 0),
  ]);
  if (baseline !== null && candidate !== null && kinds.length > 0) {
    details.push([
      '– share of time',
      formatShare(baseline.timeShare),
      formatShare(candidate.timeShare),
    ]);
  }
  return [
    ...metrics.map((metric) => metricRow(subject, METRICS[metric.name].label, metric)),
    ...details.map(([label = '', ...figures]) => [
      subject,
      label,
      '',
      '',
      '',
      ...figures.map((text) => /** @type {Cell} */ ({ value: text, tone: 'quiet' })),
      '',
    ]),
  ];
}

/**
 * What a document retains, and each constructor in it.
 * @type {(memory: CorpusMemory, question: Manifest['question']) => Row[]}
 */
function listCorpusRows(memory, question) {
  const { metrics, groups } = memory;
  const subject = nameHeld(memory, question);
  return [
    ...metrics.map((metric) => metricRow(subject, METRICS[metric.name].label, metric)),
    ...groups
      // In brackets: the documents themselves.
      .filter(({ name }) => !name.startsWith('('))
      .map(({ name, metric }) => metricRow(subject, { code: name }, metric)),
  ];
}

/** @type {(subject: Inline, label: Inline, metric: MemoryMetric) => Row} */
function metricRow(subject, label, { unit, values, ratio, control, exact, verdict, strong }) {
  const { isDifference = false, tone = 'plain' } = MEMORY_VERDICTS[verdict] ?? {};
  const word = strong ? `${verdict}, strong` : verdict;
  return [
    subject,
    label,
    { value: isDifference ? { strong: word } : word, tone },
    formatRatio(ratio?.estimate),
    exact && ratio !== null ? 'exact' : formatInterval(ratio),
    ...formatMetricPair(unit, values.baseline, values.candidate),
    formatRatio(control?.estimate),
  ];
}

/**
 * Two figures of a metric, in the same unit.
 * @type {(unit: MemoryMetric['unit'], first: number | null, second: number | null) => [string, string]}
 */
function formatMetricPair(unit, first, second) {
  if (unit === 'ns') return formatTimePair(first, second);
  const format = unit === 'bytes' ? formatBytes : formatDecimal;
  return [format(first), format(second)];
}

/**
 * Some families' workers cannot hold documents although their operations read them.
 * @type {(verdict: Pick<Verdict, 'ended' | 'memory'>) => string} empty where nothing is missing
 */
function describeMissing({ ended, memory }) {
  if (memory === undefined || ended !== 'complete' || memory.corpora.length > 0) return '';
  if (!memory.cells.some(({ cell }) => cell.readsDocuments)) return '';
  return 'Retained memory was not measured.';
}

/**
 * One sentence on memory: the largest differences, or what the figures amount to without one.
 *
 * @param {Manifest['question']} question with one candidate
 * @param {MemoryVerdict | undefined} memory
 * @returns {Inline} `Compared with a, b retains 601 B per document instead of 745.5 B on comments
 *   (×0.806).` Empty where nothing was measured
 */
export function summarizeMemory(question, memory) {
  if (memory === undefined) return '';
  const subjects = [
    ...memory.cells.map(({ cell, metrics }) => ({
      place: [' in ', { code: sharedIdOf(cell) }],
      metrics,
    })),
    ...memory.corpora.map(({ corpus, metrics }) => ({
      place: [' on ', { code: corpus }],
      metrics,
    })),
  ];
  if (subjects.length === 0) return '';
  const findings = subjects.flatMap(({ place, metrics }) => {
    // The first causes those that follow: what is allocated is what is collected.
    const metric = metrics.find(({ verdict }) => MEMORY_VERDICTS[verdict]?.isDifference);
    return metric === undefined ? [] : [{ place, metric }];
  });
  if (findings.length === 0) {
    return summarizeEqual(
      question,
      subjects.flatMap(({ metrics }) => metrics),
    );
  }
  const named = findings
    .toSorted((a, b) => sizeOfRatio(b.metric) - sizeOfRatio(a.metric))
    .slice(0, MAX_FINDING_COUNT);
  const left = findings.length - named.length;
  const phrases = [
    ...named.map(({ metric, place }) => describeFinding(metric, place, question.alpha)),
    ...(left > 0 ? [`differs in ${countOf(left, 'other metric')}`] : []),
  ];
  const list = phrases.map((phrase, index) => {
    if (index === 0) return phrase;
    return [index === phrases.length - 1 ? ' and ' : ', ', phrase];
  });
  const { baseline, candidates } = question;
  return ['Compared with ', { code: baseline }, ', ', { code: candidates[0] }, ' ', list, '.'];
}

/** Cells and corpora that differ which a terminal shows at once. */
const MAX_MARKED = 6;

/**
 * What differs in memory, for a terminal.
 *
 * @param {Manifest} manifest
 * @param {Verdict} verdict
 * @returns {Block[]} a sentence for each candidate, and the figures that differ; none where nothing was measured
 */
export function markMemory(manifest, verdict) {
  const { memory } = verdict;
  const { question } = manifest;
  if (memory === undefined) return [];
  const sentences = listPairs(manifest, verdict).flatMap((pair) => {
    const counts = countWords(pair.verdict.memory);
    if (counts === '') return [];
    const isNamed = question.candidates.length > 1 || question.memory === 'only';
    const subject = isNamed
      ? [nameComparison(pair.manifest.question), ': memory is ']
      : 'Memory is ';
    return [paragraph([subject, counts, '.'], question.memory === 'only' ? 'lead' : 'basis')];
  });
  const entries = [
    ...memory.cells.map(({ cell, metrics }) => ({ subject: cell.id, metrics })),
    ...memory.corpora.map((corpus) => ({
      subject: plainText(nameHeld(corpus, question)),
      metrics: corpus.metrics,
    })),
  ].flatMap(({ subject, metrics }) => {
    // The first causes those that follow: what is allocated is what is collected.
    const metric = metrics.find(({ verdict: word }) => MEMORY_VERDICTS[word]?.isDifference);
    return metric === undefined ? [] : [{ subject, metric }];
  });
  const shown = entries.slice(0, MAX_MARKED);
  const names = alignNames(
    shown.map(({ subject, metric }) => [visibleText(subject), METRICS[metric.name].label]),
  );
  const left = entries.length - shown.length;
  const signs = { smaller: '▼', larger: '▲' };
  return [
    ...sentences,
    {
      kind: 'table',
      label: 'Memory that differs',
      only: ['terminal'],
      columns: [
        { title: 'memory per document', kind: 'name' },
        { title: 'baseline', align: 'right', spare: 1 },
        { title: 'candidate', align: 'right', spare: 1 },
        ...figureColumns('ratio', 'interval'),
      ],
      rows: shown.map(({ metric: { unit, values, ratio, exact, verdict: word } }, index) => [
        names[index] ?? '',
        ...formatMetricPair(unit, values.baseline, values.candidate),
        {
          value: `${signs[/** @type {keyof typeof signs} */ (word)]} ${formatRatio(ratio?.estimate)}`,
          tone: MEMORY_VERDICTS[word].tone,
        },
        exact && ratio !== null ? 'exact' : formatInterval(ratio),
      ]),
    },
    ...(left <= 0
      ? []
      : [
          /** @type {Block} */ ({
            ...paragraph(`${formatCount(left)} more in the whole report (--full).`, 'quiet'),
            only: ['terminal'],
          }),
        ]),
  ];
}

/** @type {(memory: MemoryVerdict | undefined) => string} `smaller in 6 of 9 figures, equivalent in 3`; empty where nothing was measured */
function countWords(memory) {
  const metrics = [...(memory?.cells ?? []), ...(memory?.corpora ?? [])].flatMap(
    (one) => one.metrics,
  );
  const words = /** @type {const} */ ([
    'smaller',
    'larger',
    'equivalent',
    'inconclusive',
    'untrusted',
  ]);
  return words
    .map((word) => ({ word, count: metrics.filter(({ verdict }) => verdict === word).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }, index) =>
      index === 0
        ? `${word} in ${count} of ${countOf(metrics.length, 'figure')}`
        : `${word} in ${count}`,
    )
    .join(', ');
}

/** @type {(metric: MemoryMetric) => number} of the logarithm of the ratio; 0 where there is none */
function sizeOfRatio({ ratio }) {
  return ratio === null ? 0 : Math.abs(Math.log(ratio.estimate));
}

/**
 * @param {MemoryMetric} metric
 * @param {Inline} place
 * @param {number} alpha of the interval
 * @returns {Inline} `retains 601 B per document instead of 745.5 B on comments (×0.806, 98 % interval 0.79–0.82)`
 */
function describeFinding({ name, unit, values, ratio }, place, alpha) {
  const [baseline, candidate] = formatMetricPair(unit, values.baseline, values.candidate);
  const text = METRICS[name].finding(candidate, baseline);
  if (ratio === null) return [text, place];
  const [low, high] = [ratio.low, ratio.high].map(formatRatio);
  // What is retained is often the same in every process.
  const interval =
    low === high ? '' : `, ${formatConfidence(alpha)} interval ${formatInterval(ratio)}`;
  return [text, place, ` (×${formatRatio(ratio.estimate)}${interval})`];
}

/**
 * @param {Manifest['question']} question
 * @param {MemoryMetric[]} metrics of which none differs
 * @returns {Inline} `Memory use of b and a is equivalent within 3 % in 5 of 6 metrics, inconclusive in 1.`
 */
function summarizeEqual({ baseline, candidates: [candidate], minimumEffect }, metrics) {
  const words = /** @type {const} */ (['equivalent', 'inconclusive', 'untrusted']);
  const [first, ...others] = words.flatMap((word) => {
    const count = metrics.filter(({ verdict }) => verdict === word).length;
    if (count === 0) return [];
    const text = word === 'equivalent' ? `equivalent within ${formatShare(minimumEffect)}` : word;
    return [`${text} in ${formatCount(count)}`];
  });
  const list = [`${first} of ${countOf(metrics.length, 'metric')}`, ...others].join(', ');
  return ['Memory use of ', { code: candidate }, ' and ', { code: baseline }, ` is ${list}.`];
}

/** @type {(memory: CorpusMemory, question: Manifest['question']) => Inline} */
function nameHeld(memory, question) {
  return separate([{ code: memory.corpus }, ...candidateOf(question, memory)], ' ');
}
