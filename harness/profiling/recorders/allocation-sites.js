import { makeObservingRecorder } from './support/recording.js';

export const recorder = makeObservingRecorder({
  name: 'allocation-sites',
  summary: 'bytes allocated per call site, including objects collected since',
  processes: 2,
  needs: ['heap-profile'],
  ending: '.heapprofile',
});
