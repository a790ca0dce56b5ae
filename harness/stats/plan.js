import { generatorFor, shuffle } from './random.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Arm, Cell, PlannedJob, Question } from '../formats/types.ts' */

/** The arms of every block. The control is the baseline measured under another name. */
export const ARMS = Object.freeze(/** @type {Arm[]} */ (['baseline', 'candidate', 'control']));

/**
 * @template T
 * @param {(arm: Arm) => T} make
 * @returns {Record<Arm, T>}
 */
export function forEachArm(make) {
  return { baseline: make('baseline'), candidate: make('candidate'), control: make('control') };
}

/** A mirrored block measures the candidate this often, and the baseline as often: half of its processes
 * are the control. */
export const PROCESSES_PER_BLOCK = 4;

/** Analyses, interim and final; each has twice as many processes as the one before. */
const LOOK_COUNT = 4;

/**
 * The sample sizes at which a comparison looks at its data.
 *
 * @param {number} most processes per variant, at the last look
 * @returns {number[]} 16, 32, 64, 128 for 128
 */
export function listLooks(most) {
  const looks = Array.from({ length: LOOK_COUNT }, (_, index) => {
    const share = most / 2 ** (LOOK_COUNT - 1 - index);
    return PROCESSES_PER_BLOCK * Math.ceil(share / PROCESSES_PER_BLOCK);
  });
  return [...new Set(looks)];
}

/**
 * @param {Pick<Question, 'cells' | 'shard'>} question
 * @returns {Cell[]} those of all shards of its plan
 */
export function listAllCells({ cells, shard }) {
  return shard?.cells ?? cells;
}

/** The jobs of a block in one direction. */
export const HALF_BLOCK = Object.freeze(
  /** @type {Arm[]} */ (['baseline', 'candidate', 'candidate', 'control']),
);

/**
 * @param {Record<Arm, number>} processes of each arm
 * @returns {number} of the variant that has fewer; the control's are the baseline's
 */
export function countPerVariant({ baseline, candidate, control }) {
  return Math.min(candidate, baseline + control);
}

/**
 * @param {number} processes of each variant
 * @returns {number} jobs that measure them
 */
export function countJobs(processes) {
  return 2 * processes;
}

/**
 * The timed jobs that take the given cells from one number of processes per variant to another, in the
 * order in which they run. Each round visits the cells in random order and runs one block of each: its
 * jobs in random order, then in reverse, so that a steady drift of the machine affects all arms alike.
 * Candidate and baseline have the same number of processes, the control included, so that the skewness of
 * their means cancels (decision 0025). The order depends only on the seed, the cell and the block, so a
 * resumed run has the same jobs.
 *
 * @param {Question} question
 * @param {Cell[]} cells the cells that still measure
 * @param {{ from: number, to: number }} processes per variant already planned, and wanted; multiples of
 *   four
 * @returns {PlannedJob[]}
 */
export function planJobs(question, cells, { from, to }) {
  const jobs = [];
  const allCells = listAllCells(question);
  for (let block = from / PROCESSES_PER_BLOCK; block < to / PROCESSES_PER_BLOCK; block++) {
    const order = shuffle(cells, generatorFor(question.seed, block, 0));
    for (const cell of order) {
      const cellNumber = allCells.findIndex(({ id }) => id === cell.id) + 1;
      jobs.push(...planBlock(cell.id, block, generatorFor(question.seed, block, cellNumber)));
    }
  }
  return jobs;
}

/** @type {(cellId: string, block: number, random: RandomGenerator) => PlannedJob[]} */
function planBlock(cellId, block, random) {
  const there = shuffle(HALF_BLOCK, random);
  const mirrored = [...there, ...there.toReversed()];
  return mirrored.map((arm, position) => ({
    id: `${cellId}/${String(block).padStart(3, '0')}/${position}/${arm}`,
    cellId,
    arm,
    block,
    position,
  }));
}
