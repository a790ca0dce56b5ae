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
 * @property {'candidate' | 'variant'} role what a report calls each of those that are compared
 * @property {string} ratio what is divided by what: `candidate ÷ baseline`
 * @property {Arm[]} half the arms of the jobs in half a block that has one candidate
 * @property {Arm[]} variantArms the arms that stand for different variants
 * @property {boolean} takesPlacements whether a run measures small differences in other placements
 * @property {boolean} takesResources whether a report compares what a call takes besides its figure
 * @property {boolean} allowsForHosts whether intervals allow for effects that differ between hosts
 * @property {boolean} sharesSpeed whether the cells of a workload have one undisturbed speed together
 * @property {string} controlDiffers beginning of the note on a control that differs
 * @property {<T>(compared: { baseline: T, candidates: T[] }) => T[]} listVariants lists the variants that jobs measure
 * @property {<T>(compared: { baseline: T, candidates: T[] }, cell: Pick<Cell, 'candidate'>) => Record<Arm, T>} armsOf
 *   says what each arm of a cell measures
 * @property {<T>(jobs: Record<Arm, T[]>, count: number) => Record<Arm, T[]>} take assigns the first `count` jobs of each
 *   variant of a cell to the arms that are compared
 * @property {(arm: Arm) => string} nameArm names an arm in a note on its cell; empty where the cell is the variant
 */

/** @type {(question: { rank?: boolean } | undefined) => Contrast} */
export function contrastOf({ rank = false } = {}) {
  return rank ? RANKING : BASELINE;
}
