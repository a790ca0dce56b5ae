import { UsageError } from '../../lib/errors.js';

/** @import { Cell, Question } from '../../formats/types.ts' */

/**
 * Deals the cells of a plan out to its shards, each cell whole: one after the other to the shard that
 * has the fewest so far. Cells come operation by operation, so every shard gets its share of each.
 *
 * Some cells stay together. Those that differ by their Node alone are read side by side, and must not
 * be told apart by their hosts. Where memory is measured it is those of one corpus, since what its
 * documents retain is measured once and belongs to all of them.
 *
 * @param {Pick<Question, 'cells' | 'memory'>} plan
 * @param {number} count of shards, from 1
 * @returns {Cell[][]} one list a shard, none empty, in the order of the plan
 * @throws {UsageError} when there is less to deal out than shards
 */
export function shareCells({ cells, memory }, count) {
  const groups = groupCells(cells, ({ operation, corpus }) =>
    memory === 'none' ? `${operation} ${corpus}` : corpus,
  );
  if (count > groups.length) {
    const what = nameGroups(groups.length === cells.length, memory);
    throw new UsageError(`${count} shards are too many for ${groups.length} ${what}`, {
      remedy: `at most ${groups.length} can be made of them`,
    });
  }
  /** @type {Cell[][]} */
  const shards = Array.from({ length: count }, () => []);
  for (const group of groups) {
    const fewest = Math.min(...shards.map(({ length }) => length));
    shards.find(({ length }) => length === fewest)?.push(...group);
  }
  const place = new Map(cells.map(({ id }, index) => [id, index]));
  /** @param {Cell} cell */
  const placeOf = ({ id }) => place.get(id) ?? 0;
  return shards.map((shard) => shard.toSorted((a, b) => placeOf(a) - placeOf(b)));
}

/**
 * @param {boolean} isEachAlone
 * @param {Question['memory']} memory
 */
function nameGroups(isEachAlone, memory) {
  if (memory !== 'none') return 'corpora, whose cells stay together for their memory';
  return isEachAlone ? 'cells' : 'pairs of operation and corpus, whose Nodes stay together';
}

/**
 * @param {Cell[]} cells
 * @param {(cell: Cell) => string} nameGroup
 * @returns {Cell[][]} in the order in which the groups first come
 */
function groupCells(cells, nameGroup) {
  const names = new Set(cells.map(nameGroup));
  return [...names].map((name) => cells.filter((cell) => nameGroup(cell) === name));
}
