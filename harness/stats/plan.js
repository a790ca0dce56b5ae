import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Arm, Cell, PlannedJob, Question } from '../formats/types.ts' */

/** The arms of every block. The control is the baseline measured under another name. */
export const ARMS = Object.freeze(/** @type {Arm[]} */ (['baseline', 'candidate', 'control']));

/** A mirrored block runs each arm this often: once on the way there, once on the way back. */
export const PROCESSES_PER_BLOCK = 2;

/**
 * The timed jobs that bring the given cells from one number of processes a side to another, in the
 * order in which they run. Rounds go over the cells in random order; within a round each cell gets
 * one block: its arms in random order, then the same order backwards, so that a steady drift of the
 * machine weighs the same on every arm. The order depends on the seed, the cell and the block alone,
 * so a run that was cut off goes on with the very jobs that are missing.
 *
 * @param {Question} question
 * @param {Cell[]} cells the cells that still measure
 * @param {{ from: number, to: number }} processes a side already planned, and wanted; even numbers
 * @returns {PlannedJob[]}
 */
export function planJobs(question, cells, { from, to }) {
  const jobs = [];
  const allCells = question.shard?.cells ?? question.cells;
  for (let block = from / PROCESSES_PER_BLOCK; block < to / PROCESSES_PER_BLOCK; block++) {
    const order = shuffle(cells, generatorFor(question.seed, block, 0));
    for (const cell of order) {
      const cellNumber = allCells.findIndex(({ id }) => id === cell.id) + 1;
      jobs.push(...planBlock(cell.id, block, generatorFor(question.seed, block, cellNumber)));
    }
  }
  return jobs;
}

/**
 * @param {string} cellId
 * @param {number} block
 * @param {RandomGenerator} random
 * @returns {PlannedJob[]}
 */
function planBlock(cellId, block, random) {
  const there = shuffle(ARMS, random);
  const mirrored = [...there, ...there.toReversed()];
  return mirrored.map((arm, position) => ({
    id: `${cellId}/${String(block).padStart(3, '0')}/${position}/${arm}`,
    cellId,
    arm,
    block,
    position,
  }));
}

/**
 * A generator of its own for every (seed, block, stream), so that no order depends on which other
 * cells are still measuring. The multipliers are odd constants of good spectral quality (Steele and
 * Vigna, "Computationally easy, spectrally good multipliers", 2021).
 *
 * @param {number} seed
 * @param {number} block
 * @param {number} stream
 * @returns {RandomGenerator}
 */
export function generatorFor(seed, block, stream) {
  const mixed = Math.imul(seed, 0x2c9277b5) ^ Math.imul(block + 1, 0x5f356495);
  return xoroshiro128plus((mixed ^ Math.imul(stream + 1, 0x32c446bd)) | 0);
}

/**
 * A copy in random order (Fisher–Yates).
 *
 * @template T
 * @param {readonly T[]} items
 * @param {RandomGenerator} random advanced by the call
 * @returns {T[]}
 */
export function shuffle(items, random) {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = uniformInt(random, 0, last);
    [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
  }
  return shuffled;
}
