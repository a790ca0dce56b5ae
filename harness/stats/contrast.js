import { BASELINE } from './contrasts/baseline.js';
import { RANKING } from './contrasts/ranking.js';

/** @import { Arm, Cell } from '../formats/types.ts' */

/**
 * What is compared with what. Each has a file in `contrasts/`; the rule that judges it is found by its name
 * (`compare.js`), and so are the parts of reports that only it has (`reports/content/`).
 *
 * @typedef {object} Contrast
 * @property {'baseline' | 'ranking'} name
 * @property {boolean} hasBaseline whether one of the variants is what the others are compared with
 * @property {'candidate' | 'variant'} role what one of those compared is called
 * @property {string} ratio what a ratio divides: `candidate ÷ baseline`
 * @property {Arm[]} half the arms of half a block, for one candidate
 * @property {Arm[]} variantArms the arms that stand for different variants
 * @property {boolean} takesPlacements whether small differences are measured in other placements
 * @property {boolean} takesResources whether what a call takes besides its figure is compared
 * @property {boolean} sharesSpeed whether all cells of a workload have one undisturbed speed, not each its own
 * @property {string} controlDiffers begins the note on a control that differs
 * @property {<T>(compared: { baseline: T, candidates: T[] }) => T[]} listVariants the variants that jobs measure
 * @property {<T>(compared: { baseline: T, candidates: T[] }, cell: Pick<Cell, 'candidate'>) => Record<Arm, T>} armsOf
 *   what each arm of a cell measures
 * @property {<T>(jobs: Record<Arm, T[]>, count: number) => Record<Arm, T[]>} take the first jobs of a cell, so many of
 *   each variant, as those of the arms to compare
 * @property {(arm: Arm) => string} nameArm names an arm in a note on its cell; empty where the cell is the variant
 */

/** @type {(question: { rank?: boolean } | undefined) => Contrast} */
export function contrastOf({ rank = false } = {}) {
  return rank ? RANKING : BASELINE;
}
