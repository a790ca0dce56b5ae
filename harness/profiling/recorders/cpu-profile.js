import { makeObservingRecorder } from './support/recording.js';

export const recorder = makeObservingRecorder({
  name: 'cpu-profile',
  summary: "V8's sampling profiler: JavaScript functions, inlined ones too, source lines, GC",
  processes: 3,
  ending: '.cpuprofile',
});
