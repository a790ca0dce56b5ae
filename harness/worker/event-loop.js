/** The event loop of Node, taken before a variant is loaded, which could replace it. */

import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';

const readUtilization = performance.eventLoopUtilization.bind(performance);
const Task = Promise;

/**
 * What was put off is done then: callbacks that are due, what was queued by `setImmediate` and `process.nextTick`, and
 * promises.
 *
 * @returns {Promise<void>} fulfilled after one turn of the event loop
 */
export function turnEventLoop() {
  return new Task((resolve) => void setImmediate(resolve));
}

/** @returns {number | null} milliseconds in which the loop waited so far; null where the runtime does not tell */
export function readIdleMs() {
  const { idle, active } = readUtilization();
  return idle + active > 0 ? idle : null;
}
