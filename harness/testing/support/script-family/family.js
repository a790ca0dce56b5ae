import { BEHAVIOURS } from '../program-family/program/misbehave.js';

/** @import { Family } from '../../../formats/types.ts' */

/** The same as the family of programs, measured by the JavaScript worker. @type {Family} */
export const family = {
  name: 'script-family',
  summary: 'byte-wise work in the JavaScript worker, which can be told to misbehave',
  reference: 'once',
  packages: [],
  defaultOperations: ['reverse'],
  defaultCorpora: ['deep'],
  axes: [
    { name: 'behaviour', summary: 'how it misbehaves', values: ['none', ...BEHAVIOURS] },
    { name: 'when', summary: 'in which jobs', values: ['always', 'checked', 'timed', 'once'] },
    { name: 'where', summary: 'on which corpora', values: ['everywhere', 'deep'] },
  ],
  settings: { warmUpMs: 4, warmUpCalls: 20, maxWarmUpMs: 20, batchCount: 3, batchMs: 2 },
  memory: [],
};
