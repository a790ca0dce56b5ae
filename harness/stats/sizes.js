import { contrastOf } from './contrast.js';
import { sharedIdOf } from './plan.js';

/** @import { CellComparison, Compression, Manifest, MessageSizes, SizeComparison } from '../formats/types.ts' */

/** @type {Compression[]} */
const COMPRESSIONS = ['raw', 'gzip', 'brotli', 'zstd'];

/**
 * Adds the comparison of the sizes of messages to the cells that have messages: with the baseline
 * or, in a ranking, with the smallest of the others. Wrong messages have no size that matters.
 * @type {(cells: CellComparison[], manifest: Pick<Manifest, 'question' | 'sizes'>) => CellComparison[]}
 */
export function addSizes(cells, { question, sizes: known = {} }) {
  const { hasBaseline } = contrastOf(question);
  return cells.map((comparison) => {
    const { cell, verdict } = comparison;
    const bySpec = known[sharedIdOf(cell)];
    if (bySpec === undefined || verdict === 'refused') return comparison;
    const number = cell.candidate ?? 0;
    const rivals = hasBaseline
      ? [question.baseline]
      : cells
          .filter((other) => sharedIdOf(other.cell) === sharedIdOf(cell) && other !== comparison)
          .filter((other) => other.verdict !== 'refused')
          .map((other) => question.candidates[other.cell.candidate ?? 0]);
    const own = bySpec[question.candidates[number]];
    const sizes = COMPRESSIONS.flatMap((compression) =>
      compareSize(
        compression,
        rivals.map((spec) => bySpec[spec]),
        own,
        question.minimumEffect,
      ),
    );
    return sizes.length === 0 ? comparison : { ...comparison, sizes };
  });
}

/**
 * @param {Compression} compression
 * @param {(MessageSizes | undefined)[]} rivals the smallest of them is compared
 * @param {MessageSizes | undefined} own
 * @param {number} minimumEffect
 * @returns {SizeComparison[]} empty where either is unknown
 */
function compareSize(compression, rivals, own, minimumEffect) {
  const candidate = sizeOf(own, compression);
  const baseline = Math.min(...rivals.map((sizes) => sizeOf(sizes, compression)));
  const ratio = candidate / baseline;
  if (!Number.isFinite(candidate) || !Number.isFinite(baseline)) return [];
  const isWithin = Math.abs(Math.log(ratio)) <= Math.log1p(minimumEffect);
  const verdict = isWithin ? 'equivalent' : ratio < 1 ? 'smaller' : 'larger';
  return [{ compression, verdict, bytes: { baseline, candidate }, ratio }];
}

/** @type {(sizes: MessageSizes | undefined, compression: Compression) => number} Infinity if unknown */
function sizeOf(sizes, compression) {
  const bytes = sizes?.[compression];
  return sizes === undefined || bytes === undefined ? Infinity : bytes / sizes.messages;
}
