import { PAIRED, PAIRED_SEVERAL } from './schedules/paired.js';
import { SEQUENTIAL } from './schedules/sequential.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */
/** @import { Arm, PlannedJob, PlannedPlacementJob, Question } from '../formats/types.ts' */

/** @typedef {{ arm: Arm, cellId: string }} ArmJob a job without its place in the plan */

/** @typedef {Pick<PlannedPlacementJob, 'arm' | 'placement'>} PlacedArm */

/**
 * Which jobs run next to each other. Each has a file in `schedules/`.
 *
 * @typedef {object} Schedule
 * @property {'sequential' | 'paired'} name as of the option `--schedule`
 * @property {number} width jobs that run at the same time
 * @property {number} pull share by which the end of an interval that is further from zero (log scale) is moved out,
 *   because jobs that run at the same time pull the ratio of their variants towards 1
 * @property {number} pullOfGarbage the same for the part of the log ratio that is collections of garbage, besides
 * @property {boolean} comparesPairs whether each pair of timed jobs is of the candidate and of the baseline or its
 *   control, so that the differences of pairs are compared
 * @property {boolean} comparesPlacedPairs the same for the jobs of placements
 * @property {(half: ArmJob[], random: RandomGenerator) => ArmJob[]} order puts the jobs of half a block into the order
 *   in which they run
 * @property {(jobs: PlannedJob[]) => PlannedJob[][]} group splits the jobs of a plan, in their order, into groups that
 *   run at the same time; no group has two jobs of one variant. In a resumed run one job of a pair may be missing
 * @property {(copies: PlacedArm[][], random: RandomGenerator) => PlacedArm[]} orderPlacements puts pairs of copies of both
 *   variants into the order in which a look measures them once
 * @property {(jobs: PlannedPlacementJob[]) => PlannedPlacementJob[][]} groupPlacements does what `group` does for jobs of placements
 */

/** Names of the schedules. @type {readonly Schedule['name'][]} */
export const SCHEDULE_NAMES = [SEQUENTIAL.name, PAIRED.name];

/** @type {(name: Schedule['name']) => Pick<Question, 'schedule'>} what a question has that asks for this schedule */
export function askForSchedule(name) {
  return name === 'paired' ? { schedule: name } : {};
}

/**
 * @param {{ schedule?: Question['schedule'], candidates?: readonly unknown[] }} question one without a list of candidates has one candidate
 * @returns {Schedule}
 */
export function scheduleOf({ schedule, candidates = [] }) {
  if (schedule !== 'paired') return SEQUENTIAL;
  return candidates.length > 1 ? PAIRED_SEVERAL : PAIRED;
}
