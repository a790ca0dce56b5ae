import { UsageError } from '../../lib/errors.js';
import { shareCells } from './share-cells.js';

/** @import { Question, Shard } from '../../formats/types.ts' */

/**
 * @param {string} text `2/3`
 * @returns {Pick<Shard, 'index' | 'count'>}
 * @throws {UsageError} when it is no such pair, or the first exceeds the second
 */
export function parseShard(text) {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text)?.map(Number) ?? [];
  if (index >= 1 && index <= count) return { index, count };
  throw new UsageError(`--shard '${text}' is not a part of a number of parts`, {
    remedy: 'write 1/3, 2/3 or 3/3 for the parts of three',
  });
}

/**
 * The part of a plan that one host measures. It knows all cells of the plan: the order of its jobs and
 * the correction for many cells are those of the whole.
 *
 * @param {Question} plan
 * @param {Pick<Shard, 'index' | 'count'>} shard
 * @returns {Question}
 * @throws {UsageError} when there are more shards than cells to deal out
 */
export function takeShard(plan, { index, count }) {
  const cells = shareCells(plan, count)[index - 1];
  return { ...plan, cells, shard: { index, count, cells: plan.cells } };
}
