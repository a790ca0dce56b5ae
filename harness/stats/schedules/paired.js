import { shuffle } from '../random.js';

/** @import { Arm } from '../../formats/types.ts' */
/** @import { Schedule } from '../schedule.js' */

/**
 * Variants that run at the same time disturb each other, the one that allocates more the other more: their
 * ratio is closer to 1 on the log scale than that of variants that run alone, mostly by up to this part
 * (decision 0030).
 */
const MAX_PULL = 0.1;
/**
 * The same of what they differ by in collections of garbage alone, beyond `MAX_PULL`: threads of V8 collect while the partner
 * runs. Pure garbage that costs 12 % is read as 8 %.
 */
const MAX_PULL_OF_GARBAGE = 0.4;

/**
 * Two jobs at a time, each pair of the candidate and of the baseline or its control.
 *
 * @type {Readonly<Schedule>}
 */
export const PAIRED = {
  name: 'paired',
  width: 2,
  pull: MAX_PULL,
  pullOfGarbage: MAX_PULL_OF_GARBAGE,
  comparesPairs: true,
  comparesPlacedPairs: true,
  // The mirrored half of the block swaps the cores.
  order([baseline, first, second, control], random) {
    const pairs = [
      [baseline, first],
      [control, second],
    ];
    return shuffle(pairs, random).flatMap((pair) => shuffle(pair, random));
  },
  group: groupPairs,
  // As many pairs in either order of the cores.
  orderPlacements: (copies, random) =>
    shuffle(copies, random).flatMap((pair, index) => (index % 2 === 0 ? pair : pair.toReversed())),
  groupPlacements: groupPairs,
};

/**
 * The same with several candidates. A pair then seldom contains the baseline, and the arms are compared as independent
 * samples, which pairs of different variants are never less precise than.
 *
 * @type {Readonly<Schedule>}
 */
export const PAIRED_SEVERAL = {
  ...PAIRED,
  comparesPairs: false,
  order: shuffle,
  group: (jobs) => groupNeighbours(jobs, canPair),
};

/** @typedef {{ arm: Arm, cellId: string, block: number, position: number }} PlacedJob */

/** @template {PlacedJob} J @param {J[]} jobs @returns {J[][]} planned partners together */
function groupPairs(jobs) {
  return groupNeighbours(
    jobs,
    (one, other) => one.position === (other.position ^ 1) && canPair(one, other),
  );
}

/**
 * @template {PlacedJob} J
 * @param {J[]} jobs
 * @param {(one: J, other: J) => boolean} arePartners
 * @returns {J[][]}
 */
function groupNeighbours(jobs, arePartners) {
  /** @type {J[][]} */
  const groups = [];
  for (const job of jobs) {
    const last = groups.at(-1) ?? [];
    const hasRoom = last.length === 1 && last[0].block === job.block;
    if (hasRoom && arePartners(last[0], job)) last.push(job);
    else groups.push([job]);
  }
  return groups;
}

/** Whether they are of different variants. @type {(one: PlacedJob, other: PlacedJob) => boolean} */
function canPair(one, other) {
  return one.arm === 'candidate'
    ? one.cellId !== other.cellId || other.arm !== 'candidate'
    : other.arm === 'candidate';
}
