/** What documents of a corpus retain, and what that consists of. */

/** @import { CorpusMemory, GroupComparison, HeldGroup, HeldPart } from '../../../harness/formats/types.ts' */
/** @import { Block, Cell, Inline } from '../../document/model.ts' */

import { countOf, formatBytes, formatSize } from '../../../harness/lib/numbers.js';
import { figureColumns, paragraph } from '../build.js';

/** Parts of an object below this are not listed. */
const MIN_PART_BYTES = 0.05;
/** Parts of an object that are listed: those that differ most. */
const MAX_PART_COUNT = 10;

/**
 * @param {CorpusMemory} memory
 * @param {Inline} name
 * @param {object} place
 * @param {number} place.index of the corpus, for the id of the group
 * @param {boolean} place.hasParts whether it lists what the bytes consist of
 * @returns {Block}
 */
export function describeRetained(memory, name, { index, hasParts }) {
  const documents = describeDocuments(memory);
  const rss = describeRss(memory);
  /** @type {Block} */
  const parts = {
    kind: 'group',
    title: 'What the retained bytes consist of',
    folded: ['markdown'],
    untitled: ['terminal'],
    blocks: [tabulateParts(memory), tabulateComposition(memory)],
  };
  return {
    kind: 'group',
    id: `retained-${index + 1}`,
    title: ['Retained by ', name],
    blocks: [
      ...(documents === '' ? [] : [paragraph(documents, 'quiet')]),
      ...(hasParts ? [parts] : []),
      ...(rss === '' ? [] : [paragraph(rss, 'quiet')]),
    ],
  };
}

/**
 * What instances of the constructors that differ consist of.
 * @type {(memory: CorpusMemory) => Block}
 */
function tabulateParts({ groups }) {
  return {
    kind: 'table',
    caption: 'Bytes of one instance, by part',
    columns: [
      { title: 'constructor', kind: 'group' },
      { title: 'part', kind: 'name' },
      ...figureColumns('baseline', 'candidate'),
    ],
    rows: groups
      .filter(({ metric: { ratio } }) => ratio !== null && ratio.estimate !== 1)
      .flatMap((group) => listPartRows(group).map((row) => [{ code: group.name }, ...row])),
  };
}

/** @type {(group: GroupComparison) => Cell[][]} the object itself, the parts that differ most, the rest, the total */
function listPartRows({ baseline, candidate }) {
  const [before, after] = [sumParts(baseline), sumParts(candidate)];
  const parts = [...new Set([...before.keys(), ...after.keys()])]
    .map((label) => ({ label, baseline: before.get(label), candidate: after.get(label) }))
    .filter((part) => sizeOfPart(part) >= MIN_PART_BYTES);
  const largest = new Set(parts.toSorted(compareParts).slice(0, MAX_PART_COUNT));
  const shown = parts.filter((part) => largest.has(part));
  const total = {
    baseline: baseline.heapBytes + baseline.offHeapBytes,
    candidate: candidate.heapBytes + candidate.offHeapBytes,
  };
  const rest = {
    baseline: Math.max(
      0,
      shown.reduce((left, part) => left - (part.baseline ?? 0), total.baseline),
    ),
    candidate: Math.max(
      0,
      shown.reduce((left, part) => left - (part.candidate ?? 0), total.candidate),
    ),
  };
  return [
    ...shown,
    ...(sizeOfPart(rest) < MIN_PART_BYTES ? [] : [{ label: 'other parts', ...rest }]),
    { label: 'total', ...total },
  ].map((part) => [part.label, formatBytes(part.baseline), formatBytes(part.candidate)]);
}

/** Bytes of a part; undefined where an arm does not have it. @typedef {{ baseline?: number | undefined, candidate?: number | undefined }} PartBytes */

/** @param {PartBytes} part */
function sizeOfPart({ baseline = 0, candidate = 0 }) {
  return Math.max(baseline, candidate);
}

/**
 * The largest difference first, and of equal ones the largest part.
 * @type {(a: PartBytes, b: PartBytes) => number}
 */
function compareParts(a, b) {
  const difference = (/** @type {PartBytes} */ { baseline = 0, candidate = 0 }) =>
    Math.abs(baseline - candidate);
  return difference(b) - difference(a) || sizeOfPart(b) - sizeOfPart(a);
}

/** @type {(group: HeldGroup) => Map<string, number>} bytes by label of the part */
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
  return shared ? `share of ${holds}` : `${field}: ${holds}`;
}

/** @type {(memory: CorpusMemory) => Block} */
function tabulateComposition({ composition: { baseline, candidate } }) {
  const bytesOf = (/** @type {typeof baseline} */ parts, /** @type {string} */ name) => {
    const part = parts.find((one) => one.name === name);
    return part === undefined ? 0 : part.heapBytes + part.offHeapBytes;
  };
  const names = [...new Set([...baseline, ...candidate].map(({ name }) => name))];
  return {
    kind: 'table',
    caption: 'Bytes of one document, by constructor',
    only: ['markdown', 'html'],
    columns: [{ title: 'constructor', kind: 'name' }, ...figureColumns('baseline', 'candidate')],
    rows: names
      .map((name) => ({
        name,
        baseline: bytesOf(baseline, name),
        candidate: bytesOf(candidate, name),
      }))
      .filter((part) => sizeOfPart(part) >= MIN_PART_BYTES)
      .map((part) => [
        { code: part.name },
        formatBytes(part.baseline),
        formatBytes(part.candidate),
      ]),
  };
}

/** @type {(memory: CorpusMemory) => string} how many documents the figures rest on; empty where nothing was held */
function describeDocuments({ documents: { snapshot, slope } }) {
  const parts = [
    ...(snapshot === null ? [] : [`a snapshot of ${countOf(snapshot, 'document')}`]),
    ...(slope === null ? [] : [`a slope of up to ${countOf(slope, 'document')}`]),
  ];
  return parts.length === 0 ? '' : `Measured with ${parts.join(' and ')}.`;
}

/** @type {(memory: CorpusMemory) => string} empty where nothing is known */
function describeRss({ rssBytes, documents: { slope } }) {
  const arms = /** @type {const} */ (['baseline', 'candidate', 'control']).flatMap((arm) => {
    const rss = rssBytes[arm];
    if (rss === null) return [];
    return [`${arm} ${formatSize(rss.median)} (${formatSize(rss.low)} to ${formatSize(rss.high)})`];
  });
  if (arms.length === 0) return '';
  return `For context, resident memory of a process that held ${countOf(slope, 'document')}: ${arms.join(', ')}. It depends on when the garbage collector ran and does not measure what is retained.`;
}
