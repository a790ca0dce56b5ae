import { writeFileSync } from 'node:fs';
import { openInspector } from '../open-inspector.js';

/** Fine enough to show functions of a microsecond in a third of a second, coarse enough for an overhead
 * of few percent. */
const SAMPLING_INTERVAL_US = 100;

/**
 * Starts the sampling profiler of the engine in this process.
 *
 * @param {{ observedPath: string }} path of the `.cpuprofile`
 * @returns {Promise<() => Promise<undefined>>} stops it
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
 * Makes V8 compute the line ends of every script before it logs code for the profiler. Up to V8 12 the
 * profiler does so under a lock that garbage collection needs too: a collection at that moment deadlocks
 * (nodejs/node#65140). The debugger lists scripts without that lock. Bun has no such lock, and no debugger here.
 *
 * @param {ReturnType<typeof openInspector>['post']} post
 */
async function countLines(post) {
  if ('Bun' in globalThis) return;
  await post('Debugger.enable');
  await post('Debugger.disable');
}
