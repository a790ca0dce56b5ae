import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BEHAVIOURS } from './program/misbehave.js';

/** @import { Family } from '../../formats/types.ts' */

/**
 * A family whose variants do what their settings say. Its program measures it; a copy of the folder
 * without `worker.js` is measured by the JavaScript worker instead. Its name is that of its folder.
 *
 * @type {Family}
 */
export const family = {
  name: basename(fileURLToPath(new URL('.', import.meta.url))),
  summary: 'work on bytes, which can be scripted to misbehave',
  reference: 'plain',
  packages: [],
  takesModules: true,
  defaultOperations: ['reverse'],
  defaultCorpora: ['deep'],
  axes: [
    { name: 'rounds', summary: 'how often the work on a document is done' },
    {
      name: 'figures',
      summary:
        'measured, or computed from the ID of the job by a shell script; with a reference loop',
      values: ['measured', 'scripted', 'scripted-with-loop'],
    },
    { name: 'behaviour', summary: 'how it misbehaves', values: ['none', ...BEHAVIOURS] },
    { name: 'when', summary: 'in which jobs', values: ['always', 'checked', 'timed', 'once'] },
    { name: 'where', summary: 'on which corpora', values: ['everywhere', 'deep'] },
  ],
  settings: { warmUpMs: 4, warmUpCalls: 20, maxWarmUpMs: 20, batchCount: 3, batchMs: 2 },
  memory: ['allocation'],
};
