import { writeFile } from 'node:fs/promises';
import { parseLog } from '../v8-log/log-reader.js';
import { probeV8, recordLog } from './support/recording.js';

/** @import { Recorder } from '../../formats/types.ts' */

/** @type {Recorder} */
export const recorder = {
  name: 'deopts',
  summary: "optimisation tier, deoptimisations and inline caches of each function, from V8's log",
  processes: 1,
  scope: 'node',
  needs: ['v8-log'],
  probe: probeV8,
  async record(context) {
    const { exercise, text } = await recordLog(context);
    const path = `${context.artefactBase}.deopts.json`;
    await writeFile(path, JSON.stringify(parseLog(text, context.sources.describe)));
    return { exercise, artefacts: [path] };
  },
};
