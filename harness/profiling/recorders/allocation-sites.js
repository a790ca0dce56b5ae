import { makeObservingRecorder } from './support/recording.js';

export const recorder = makeObservingRecorder({
  name: 'allocation-sites',
  summary: 'bytes allocated per call site, including objects collected since',
  processes: 2,
  ending: '.heapprofile',
});
