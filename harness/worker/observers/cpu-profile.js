import { writeFileSync } from 'node:fs';
import { openInspector } from '../open-inspector.js';

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
  await countLines(post);
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

/**
 * Makes V8 find the line ends of every script before it logs code for the profiler. Up to V8 12 the
 * profiler does that under a lock which the collector needs too: a collection that starts just then
 * blocks the process for good (nodejs/node#65140). The debugger lists scripts without that lock.
 *
 * @param {ReturnType<typeof openInspector>['post']} post
 */
async function countLines(post) {
  await post('Debugger.enable');
  await post('Debugger.disable');
}
