import { nameJob } from './plan.js';
import { generatorFor } from './random.js';
import { scheduleOf } from './schedule.js';

/** @import { PlannedPlacementJob, Question } from '../formats/types.ts' */

const ARMS = /** @type {const} */ (['baseline', 'candidate']);
/** Placements of each arm at the first look. */
const FIRST_PLACEMENTS = 8;

/**
 * A look at the placements of a cell.
 *
 * @typedef {object} PlacementLook
 * @property {number} from number of the first copy of each arm that is measured for it
 * @property {number} to number of the last one
 * @property {boolean} isAgain whether these were measured before
 * @property {number} share of alpha
 */

/**
 * The looks at the placements of a cell: at a few copies of each arm, at all of them, and at all of them measured again.
 * The copies are of new placements as long as there are any, because the placement is the unit.
 *
 * @param {number} placements copies of each arm
 * @returns {PlacementLook[]}
 */
export function listPlacementLooks(placements) {
  const first = Math.min(FIRST_PLACEMENTS, placements);
  const again = { from: 1, to: placements, isAgain: true, share: 0.6 };
  if (first === placements) return [{ from: 1, to: first, isAgain: false, share: 0.4 }, again];
  return [
    { from: 1, to: first, isAgain: false, share: 0.1 },
    { from: first + 1, to: placements, isAgain: false, share: 0.3 },
    again,
  ];
}

/** Separate from the streams that order timed jobs and edit sources. */
const FIRST_STREAM = 2_000_000;

/**
 * The jobs that measure copies of both variants of a cell, in the order in which they run: for each look its copies of both
 * in random order, and then in reverse. In a paired schedule positions 2n and 2n + 1 are of both variants and run at the
 * same time, and a look at new copies does without the way back. The order depends only on the seed and the cell.
 *
 * @param {Pick<Question, 'seed' | 'cells' | 'schedule'>} question
 * @param {string} cellId
 * @param {number} placements copies of each variant
 * @returns {PlannedPlacementJob[][]} for each look; its number is the block of its jobs
 */
export function planPlacements(question, cellId, placements) {
  const cellNumber = question.cells.findIndex(({ id }) => id === cellId);
  const { orderPlacements, comparesPlacedPairs } = scheduleOf(question);
  return listPlacementLooks(placements).map(({ from, to, isAgain }, block) => {
    const random = generatorFor(question.seed, block, FIRST_STREAM + cellNumber);
    const copies = Array.from({ length: to - from + 1 }, (_, index) =>
      ARMS.map((arm) => ({ arm, placement: from + index })),
    );
    const there = orderPlacements(copies, random);
    const jobs = isAgain || !comparesPlacedPairs ? [...there, ...there.toReversed()] : there;
    return jobs.map(({ arm, placement }, position) => {
      const place = { cellId, arm, placement, block, position };
      return { id: namePlacementJob(place), ...place };
    });
  });
}

/** @type {(placements: number, question: Pick<Question, 'schedule'>) => number} processes of each copy, over all looks */
export function countPerPlacement(placements, question) {
  const { comparesPlacedPairs } = scheduleOf(question);
  const rounds = listPlacementLooks(placements).filter(({ to }) => to === placements);
  return rounds.reduce((sum, { isAgain }) => sum + (isAgain || !comparesPlacedPairs ? 2 : 1), 0);
}

/** The identity of a timed job of a placement. @type {(place: Omit<PlannedPlacementJob, 'id'>) => string} */
export function namePlacementJob({ placement, ...place }) {
  return `placement/${nameJob(place)}-${placement}`;
}
