import { writeFileSync } from 'node:fs';
import { openInspector } from '../support/open-inspector.js';

/** Fine enough for functions of a microsecond to show in a third of a second, and coarse enough to
 * slow the work by few percent. */
const SAMPLING_INTERVAL_US = 100;

/**
 * Takes V8's sampling profile of this process from here on.
 *
 * @param {{ observedPath: string }} where the `.cpuprofile` is written
 * @returns {Promise<() => Promise<undefined>>} what ends it
 */
export async function observe({ observedPath }) {
  const { post, close } = openInspector();
  await post('Profiler.enable');
  await post('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
  await post('Profiler.start');
  return async function stopProfiler() {
    const { profile } = await post('Profiler.stop');
    close();
    writeFileSync(observedPath, JSON.stringify(profile));
    return undefined;
  };
}
