/** @import { Executor } from '../execute.js' */
/** @import { RunJob } from '../jobs.js' */

/**
 * Opens an executor that runs jobs on this host: as many groups at a time as the pass says, the jobs of a group at
 * the same time. With a function that answers jobs in this process, in place of one that starts
 * workers, it is that of the tests.
 * @type {(runJob: RunJob) => Executor}
 */
export function openLocalExecutor(runJob) {
  return {
    widthOf: ({ width = 1 }) => width,
    divide: (jobs, { group = divideIntoSingles }) => group(jobs),
    run: (tasks) => Promise.all(tasks.map(({ perform }) => perform(runJob))),
    async close() {},
  };
}

/** @template J  @param {J[]} jobs  @returns {J[][]} each on its own */
export function divideIntoSingles(jobs) {
  return jobs.map((job) => [job]);
}
