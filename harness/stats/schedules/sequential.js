import { shuffle } from '../random.js';

/** @import { Schedule } from '../schedule.js' */

/** One job at a time. @type {Readonly<Schedule>} */
export const SEQUENTIAL = {
  name: 'sequential',
  width: 1,
  pull: 0,
  pullOfGarbage: 0,
  comparesPairs: false,
  comparesPlacedPairs: false,
  order: shuffle,
  group: isolate,
  orderPlacements: (copies, random) => shuffle(copies.flat(), random),
  groupPlacements: isolate,
};

/** @template T @param {T[]} jobs @returns {T[][]} each of them alone */
function isolate(jobs) {
  return jobs.map((job) => [job]);
}
