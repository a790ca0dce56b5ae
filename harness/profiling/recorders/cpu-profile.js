import { makeObservingRecorder } from './support/recording.js';

export const recorder = makeObservingRecorder({
  name: 'cpu-profile',
  summary: "V8's sampling profiler: JavaScript functions, inlined ones too, source lines, GC",
  processes: 3,
  // The stacks of perf know more; what is left are source lines.
  processesBeside: { perf: 1 },
  // Perf does not see the time that a client spends in the kernel.
  clientProcesses: 5,
  needs: ['cpu-profile'],
  ending: '.cpuprofile',
});
