import { DEFAULT_WORK, probeV8 } from './support/v8-recorder.js';

/** @import { Recorder } from '../types.ts' */

/** @type {Recorder} */
export const recorder = {
  name: 'allocation-sites',
  summary: 'bytes allocated by call site, objects that were collected since included',
  processes: 2,
  probe: probeV8,
  async record({ exercise, artefactBase }) {
    const path = `${artefactBase}.heapprofile`;
    return {
      exercise: await exercise({
        work: DEFAULT_WORK,
        observer: 'allocation-sites',
        observedPath: path,
      }),
      artefacts: [path],
    };
  },
};
