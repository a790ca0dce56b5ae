import { DEFAULT_WORK, probeV8 } from './support/v8-recorder.js';

/** @import { Recorder } from '../types.ts' */

/** @type {Recorder} */
export const recorder = {
  name: 'cpu-profile',
  summary: "V8's sampling profile: JavaScript functions, inlined ones too, source lines, collector",
  processes: 3,
  probe: probeV8,
  async record({ exercise, artefactBase }) {
    const path = `${artefactBase}.cpuprofile`;
    return {
      exercise: await exercise({
        work: DEFAULT_WORK,
        observer: 'cpu-profile',
        observedPath: path,
      }),
      artefacts: [path],
    };
  },
};
