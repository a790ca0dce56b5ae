import { makeObservingRecorder } from './support/recording.js';

export const recorder = makeObservingRecorder({
  name: 'allocation-sites',
  summary: 'bytes allocated by call site, objects that were collected since included',
  processes: 2,
  ending: '.heapprofile',
});
