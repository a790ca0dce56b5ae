/** @import { Family } from '../../../formats/types.ts' */

/** What the tests of interrupted runs measure: what a job brings follows from its name, so runs of one
 * seed can be compared figure by figure, and a process lives for a few milliseconds. @type {Family} */
export const family = {
  name: 'steady-family',
  summary: 'figures that follow from the name of the job, from a program that does no work',
  reference: 'plain',
  packages: [],
  defaultOperations: ['apart', 'alike', 'noisy'],
  defaultCorpora: ['deep'],
  axes: [],
  settings: { batchCount: 2 },
  memory: ['allocation'],
};
