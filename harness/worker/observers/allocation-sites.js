import { writeFileSync } from 'node:fs';
import { openInspector } from '../open-inspector.js';

/** Mean distance between samples: some thousands in a third of a second at a gigabyte per second. */
const SAMPLING_INTERVAL_BYTES = 32_768;

/**
 * Starts sampling allocations by call site, including collected objects.
 *
 * @param {{ observedPath: string }} path of the `.heapprofile`
 * @returns {Promise<() => Promise<undefined>>} stops it
 */
export async function observe({ observedPath }) {
  const { post, close } = openInspector();
  await post('HeapProfiler.enable');
  await post('HeapProfiler.startSampling', {
    samplingInterval: SAMPLING_INTERVAL_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  return async function stopSampling() {
    const { profile } = await post('HeapProfiler.stopSampling');
    close();
    writeFileSync(observedPath, JSON.stringify(profile));
    return undefined;
  };
}
