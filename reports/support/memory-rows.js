/** What the section on memory says, as texts that every renderer puts into its own tables. */

/** @import { CellMemory, CorpusMemory, GroupComparison, HeldGroup, HeldPart, MemoryMetric, Verdict } from '../../harness/formats/types.ts' */
/** @import { Tone } from '../types.ts' */

import {
  countOf,
  formatCount,
  formatInterval,
  formatRatio,
  formatShare,
  formatSize,
  formatTimePair,
  isFigure,
  NO_FIGURE,
} from '../../harness/lib/numbers.js';
import { MEMORY_VERDICTS } from '../../harness/stats/verdicts.js';

/** Less than this of a part is left out of the list of parts. */
const SMALLEST_PART_BYTES = 0.05;
/** Parts of an object that are told apart; those that differ most come in first. */
const LARGEST_PART_COUNT = 10;

const LABELS = {
  'allocated-heap': 'allocated',
  allocations: 'allocations',
  'allocated-off-heap': 'allocated off heap',
  collections: 'collections',
  'collection-time': 'collection time',
  retained: 'a document',
  'retained-slope': 'the same by slope',
};

/** @type {Record<Exclude<MemoryMetric['unit'], 'ns'>, (figure: number | null) => string>} */
const FORMATS = { bytes: formatBytes, allocations: formatAllocations, collections: formatSmall };

/**
 * A line of a table of memory.
 *
 * @typedef {object} MemoryRow
 * @property {string} label
 * @property {string} baseline
 * @property {string} candidate
 * @property {string} ratio
 * @property {string} interval
 * @property {string} control
 * @property {string} verdict
 * @property {Tone} tone
 */

/**
 * What a part of a held object takes on either side.
 *
 * @typedef {{ label: string, baseline: string, candidate: string }} PartRow
 */

/**
 * Allocation and collections of a cell.
 *
 * @param {CellMemory} cell
 * @returns {MemoryRow[]}
 */
export function listCellRows({ metrics, collections }) {
  const { baseline, candidate } = collections;
  const kinds = Object.keys({ ...baseline?.perThousand, ...candidate?.perThousand }).sort();
  const backing = kinds.map((kind) =>
    makeBackingRow(
      `– ${kind}`,
      formatSmall(baseline?.perThousand[kind] ?? 0),
      formatSmall(candidate?.perThousand[kind] ?? 0),
    ),
  );
  if (baseline !== null && candidate !== null && kinds.length > 0) {
    const shares = [formatShare(baseline.timeShare), formatShare(candidate.timeShare)];
    backing.push(makeBackingRow('share of time', shares[0], shares[1]));
  }
  return [...metrics.map((metric) => makeMetricRow(LABELS[metric.name], metric)), ...backing];
}

/**
 * What a run that came to its end did not measure although its operations read documents: not every
 * family's worker holds them.
 *
 * @param {Pick<Verdict, 'ended' | 'memory'>} verdict
 * @returns {string} empty where there is nothing to say
 */
export function describeLeftOut({ ended, memory }) {
  if (memory === undefined || ended !== 'complete' || memory.corpora.length > 0) return '';
  if (!memory.cells.some(({ cell }) => cell.readsDocuments)) return '';
  return 'What documents retain was not measured.';
}

/**
 * @param {CellMemory[]} cells
 * @returns {boolean} whether collections were counted in any
 */
export function hasCollections(cells) {
  return cells.some(({ collections: { baseline, candidate } }) => (baseline ?? candidate) !== null);
}

/**
 * What a document retains, and each constructor in it.
 *
 * @param {CorpusMemory} corpus
 * @returns {MemoryRow[]}
 */
export function listCorpusRows({ metrics, groups }) {
  return [
    ...metrics.map((metric) => makeMetricRow(LABELS[metric.name], metric)),
    ...listConstructors(groups).map(({ name, metric }) => makeMetricRow(name, metric)),
  ];
}

/**
 * @param {string} label
 * @param {MemoryMetric} metric
 * @returns {MemoryRow}
 */
function makeMetricRow(label, metric) {
  const { values, ratio, control, exact, verdict, strong } = metric;
  const [baseline, candidate] = formatMetricPair(metric.unit, values.baseline, values.candidate);
  return {
    label,
    baseline,
    candidate,
    ratio: formatRatio(ratio?.estimate),
    interval: exact && ratio !== null ? 'exact' : formatInterval(ratio),
    control: formatRatio(control?.estimate),
    verdict: strong ? `${verdict}, strong` : verdict,
    tone: MEMORY_VERDICTS[verdict]?.tone ?? 'plain',
  };
}

/**
 * @param {string} label
 * @param {string} baseline
 * @param {string} candidate
 * @returns {MemoryRow} without a verdict
 */
function makeBackingRow(label, baseline, candidate) {
  const empty = { ratio: '', interval: '', control: '', verdict: '' };
  return { label, baseline, candidate, ...empty, tone: 'quiet' };
}

/**
 * The constructors worth a table of their parts: those that differ.
 *
 * @param {CorpusMemory} corpus
 * @returns {GroupComparison[]}
 */
export function listDifferingGroups({ groups }) {
  return groups.filter(({ metric }) => metric.ratio !== null && metric.ratio.estimate !== 1);
}

/**
 * @param {GroupComparison[]} groups
 * @returns {GroupComparison[]} without the documents themselves
 */
function listConstructors(groups) {
  return groups.filter(({ name }) => !name.startsWith('('));
}

/**
 * What an instance is made of, as bytes on either side.
 *
 * @param {GroupComparison} group
 * @returns {PartRow[]} the object itself, its parts, the sum
 */
export function listPartRows({ baseline, candidate }) {
  const sides = [baseline, candidate].map(sumParts);
  const labels = new Set([...sides[0].keys(), ...sides[1].keys()]);
  const parts = [...labels]
    .map((label) => ({ label, before: sides[0].get(label), after: sides[1].get(label) }))
    .filter(({ before = 0, after = 0 }) => Math.max(before, after) >= SMALLEST_PART_BYTES);
  const telling = new Set(parts.toSorted(compareTelling).slice(0, LARGEST_PART_COUNT));
  const shown = parts.filter((part) => telling.has(part));
  const [all, allNow] = [baseline, candidate].map((side) => side.heapBytes + side.offHeapBytes);
  const rest = shown.reduce((left, { before = 0 }) => left - before, all);
  const restNow = shown.reduce((left, { after = 0 }) => left - after, allNow);
  const rows = shown.map(({ label, before, after }) => makePartRow(label, before, after));
  if (Math.max(rest, restNow) >= SMALLEST_PART_BYTES) {
    rows.push(makePartRow('the rest', Math.max(0, rest), Math.max(0, restNow)));
  }
  return [...rows, makePartRow('in all', all, allNow)];
}

/**
 * @typedef {{ label: string, before: number | undefined, after: number | undefined }} Part
 *
 * @param {Part} a
 * @param {Part} b
 * @returns {number}
 */
function compareTelling(a, b) {
  const weigh = ({ before = 0, after = 0 }) => Math.abs(before - after);
  const size = ({ before = 0, after = 0 }) => Math.max(before, after);
  return weigh(b) - weigh(a) || size(b) - size(a);
}

/**
 * @param {string} label
 * @param {number | undefined} before bytes
 * @param {number | undefined} after bytes
 * @returns {PartRow}
 */
function makePartRow(label, before, after) {
  return { label, baseline: formatBytes(before), candidate: formatBytes(after) };
}

/**
 * @param {HeldGroup} group
 * @returns {Map<string, number>} bytes by what a reader would call the part
 */
function sumParts({ shallowBytes, parts }) {
  const sums = new Map([['the object itself', shallowBytes]]);
  const add = (/** @type {string} */ label, /** @type {number} */ bytes) => {
    if (bytes > 0) sums.set(label, (sums.get(label) ?? 0) + bytes);
  };
  for (const part of parts) {
    if (part.field === '(others)') continue;
    const label = labelPart(part);
    add(label, part.heapBytes);
    add(`${label}, off heap`, part.offHeapBytes);
  }
  return sums;
}

/** @param {HeldPart} part */
function labelPart({ field, holds, shared }) {
  if (shared) return `share of ${holds}`;
  return `${field}: ${holds}`;
}

/**
 * What documents consist of, by constructor, on either side.
 *
 * @param {CorpusMemory} corpus
 * @returns {PartRow[]} shallow bytes
 */
export function listCompositionRows({ composition: { baseline, candidate } }) {
  const names = new Set([...baseline, ...candidate].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const [before, after] = [baseline, candidate].map((parts) => {
      const part = parts.find((one) => one.name === name);
      return part === undefined ? 0 : part.heapBytes + part.offHeapBytes;
    });
    if (Math.max(before, after) < SMALLEST_PART_BYTES) return [];
    return [makePartRow(name, before, after)];
  });
}

/**
 * How many documents the figures of a corpus rest on.
 *
 * @param {CorpusMemory} corpus
 * @returns {string} `51 200 documents in a snapshot, 100 000 at the end of the slope`
 */
export function describeHeldDocuments({ documents: { snapshot, slope } }) {
  const parts = [];
  if (snapshot !== null) parts.push(`${countOf(snapshot, 'document')} in a snapshot`);
  if (slope !== null) parts.push(`${formatCount(slope)} at the end of the slope`);
  return parts.join(', ');
}

/**
 * What the processes took of the machine, for context.
 *
 * @param {CorpusMemory} corpus
 * @returns {string} empty where nothing is known
 */
export function describeRss({ rssBytes, documents: { slope } }) {
  const sides = /** @type {const} */ (['baseline', 'candidate', 'control']).flatMap((arm) => {
    const rss = rssBytes[arm];
    if (rss === null) return [];
    const range = `${formatSize(rss.low)} to ${formatSize(rss.high)}`;
    return [`${arm} ${formatSize(rss.median)} (${range})`];
  });
  if (sides.length === 0) return '';
  return `For context, resident memory of a process that held ${countOf(slope, 'document')}: ${sides.join(', ')}. It depends on when the collector ran and is no measure of what is retained.`;
}

/**
 * Two figures of a metric, in the same unit.
 *
 * @param {MemoryMetric['unit']} unit
 * @param {number | null} first
 * @param {number | null} second
 * @returns {[string, string]}
 */
export function formatMetricPair(unit, first, second) {
  if (unit === 'ns') return formatTimePair(first, second);
  const format = FORMATS[unit];
  return [format(first), format(second)];
}

/**
 * @param {number | null | undefined} bytes
 * @returns {string} `56 B`, `745.6 B`, `48 304 B`
 */
export function formatBytes(bytes) {
  if (!isFigure(bytes)) return NO_FIGURE;
  const tenths = Math.round(bytes * 10) / 10;
  const digits =
    tenths >= 1000 || Number.isInteger(tenths) ? formatCount(bytes) : tenths.toFixed(1);
  return `${digits}\u00a0B`;
}

/**
 * @param {number | null} count
 * @returns {string} a whole number as such, any other as `formatSmall` has it
 */
function formatAllocations(count) {
  return Number.isInteger(count) ? formatCount(count) : formatSmall(count);
}

/**
 * @param {number | null | undefined} figure
 * @returns {string} two decimals, or three digits below one
 */
function formatSmall(figure) {
  if (!isFigure(figure)) return NO_FIGURE;
  if (figure === 0) return '0';
  return figure < 1 ? String(Number(figure.toPrecision(3))) : figure.toFixed(2);
}
