import { makeObservingRecorder } from './support/recording.js';

export const recorder = makeObservingRecorder({
  name: 'cpu-profile',
  summary: "V8's sampling profile: JavaScript functions, inlined ones too, source lines, collector",
  processes: 3,
  ending: '.cpuprofile',
});
