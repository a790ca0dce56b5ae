/** @import { Family } from '../../../formats/types.ts' */

/** Calls of known costs, for `scripts/check-awaited-costs.js`. @type {Family} */
export const family = {
  name: 'awaited',
  summary: 'asynchronous calls of known costs',
  reference: 'costs',
  packages: [],
  defaultOperations: ['call'],
  axes: [
    { name: 'rounds', summary: 'rounds of arithmetic in a call' },
    { name: 'hops', summary: 'promises that are fulfilled already, and awaited' },
    { name: 'turns', summary: 'turns of the event loop' },
    { name: 'timers', summary: 'timers of a millisecond' },
    { name: 'iterations', summary: 'iterations of work on a thread of the pool' },
    { name: 'chunks', summary: 'chunks of an async iterable' },
  ],
};
