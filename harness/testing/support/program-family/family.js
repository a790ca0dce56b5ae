import { BEHAVIOURS } from './program/misbehave.js';

/** @import { Family } from '../../../formats/types.ts' */

/** What the tests of programs of a family's own run: it needs no toolchain but Node. @type {Family} */
export const family = {
  name: 'program-family',
  summary: 'byte-wise work in a program of its own, which can be told to misbehave',
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
  memory: ['allocation'],
};
