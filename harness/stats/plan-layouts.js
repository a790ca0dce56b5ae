import { generatorFor, shuffle } from './plan.js';

/** @import { PlannedLayoutJob, Question } from '../formats/types.ts' */

/** Blocks of a cell; each measures every layout once on the way there and once back. */
export const LAYOUT_BLOCKS = 6;
/** Apart from the streams that order timed jobs and edit sources. */
const FIRST_STREAM = 2_000_000;

/**
 * The jobs that measure both sides of a cell in several layouts, in the order in which they run:
 * mirrored blocks in which all layouts of both sides come in random order and then backwards. The
 * order depends on the seed, the cell and the block alone.
 *
 * @param {Pick<Question, 'seed' | 'cells' | 'shard'>} question
 * @param {string} cellId
 * @param {number} layouts edited ones a side; each side is measured as it is, too
 * @returns {PlannedLayoutJob[]}
 */
export function planLayouts({ seed, cells, shard }, cellId, layouts) {
  const cellNumber = (shard?.cells ?? cells).findIndex(({ id }) => id === cellId);
  const arms = /** @type {const} */ (['baseline', 'candidate']).flatMap((arm) =>
    Array.from({ length: layouts + 1 }, (_, layout) => ({ arm, layout })),
  );
  return Array.from({ length: LAYOUT_BLOCKS }, (_, block) => {
    const there = shuffle(arms, generatorFor(seed, block, FIRST_STREAM + cellNumber));
    return [...there, ...there.toReversed()].map(({ arm, layout }, position) => ({
      id: `layout/${cellId}/${String(block).padStart(3, '0')}/${position}/${arm}-${layout}`,
      cellId,
      arm,
      layout,
      block,
      position,
    }));
  }).flat();
}
