import { UsageError } from '../lib/errors.js';
import { countOf } from '../lib/numbers.js';

/** @import { Cell, Manifest, Question } from '../formats/types.ts' */

/**
 * Partitions the cells of a plan into parts: each group of cells goes to the part with the fewest cells.
 * Cells are ordered by operation, so every part gets some of each.
 *
 * Cells that differ only in their Node or their candidate are compared with each other and stay on one host. If memory is
 * measured, so do all cells of a corpus, since its retained memory is measured once for all of them.
 *
 * @param {Pick<Question, 'cells' | 'memory'>} question
 * @param {number} count of parts, from 1
 * @returns {Cell[][]} one list per part, none empty, in the order of the plan
 * @throws {UsageError} when there are fewer groups than parts
 */
export function partitionCells({ cells, memory }, count) {
  const groups = groupCells(cells, ({ operation, corpus }) =>
    memory === 'none' ? `${operation} ${corpus}` : corpus,
  );
  if (count > groups.length) {
    const isEachAlone = groups.length === cells.length;
    const what = countGroups(groups.length, { isEachAlone, memory });
    throw new UsageError(`${count} shards are too many for ${what}`, {
      remedy: `use at most ${groups.length}`,
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

/** @type {(count: number, what: { isEachAlone: boolean, memory: Question['memory'] }) => string} */
function countGroups(count, { isEachAlone, memory }) {
  if (memory !== 'none') {
    return `${countOf(count, 'corpus', 'corpora')}, whose cells stay together for their memory`;
  }
  if (isEachAlone) return countOf(count, 'cell');
  const pairs = countOf(count, 'pair of operation and corpus', 'pairs of operation and corpus');
  return `${pairs}, whose cells stay together`;
}

/**
 * @param {Cell[]} cells
 * @param {(cell: Cell) => string} nameGroup
 * @returns {Cell[][]} in order of first appearance
 */
function groupCells(cells, nameGroup) {
  const names = new Set(cells.map(nameGroup));
  return [...names].map((name) => cells.filter((cell) => nameGroup(cell) === name));
}

/**
 * @param {Pick<Manifest, 'question' | 'part'>} manifest
 * @returns {Cell[]} the cells that the run measures: those of its part, or all of its question
 */
export function measuredCells({ question, part }) {
  return part === undefined ? question.cells : partitionCells(question, part.count)[part.index - 1];
}
