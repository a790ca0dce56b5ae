import { writeFileSync } from 'node:fs';
import { openInspector } from '../open-inspector.js';

/** Mean distance between samples: some thousand of them in a third of a second of work that
 * allocates a gigabyte a second. */
const SAMPLING_INTERVAL_BYTES = 32_768;

/**
 * Samples what is allocated from here on by call site, collected objects included.
 *
 * @param {{ observedPath: string }} where the `.heapprofile` is written
 * @returns {Promise<() => Promise<undefined>>} what ends it
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
