/** The clocks of a worker, taken before a variant is loaded, which could replace those of Node. */

/** Milliseconds of a monotonic clock. */
export const nowMs = performance.now.bind(performance);

/** The same for all processes of the machine, as external profilers need it. @returns {number} milliseconds */
export function monotonicMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Step of that clock, where it is coarse: 0 in Node. */
export const clockStepMs = 0;

/** CPU time and context switches of all threads of the process, and the most memory it had resident. */
export const readResourceUsage = process.resourceUsage.bind(process);

/** CPU time of all threads of the process, in microseconds. */
export const readCpuUsage = process.cpuUsage.bind(process);
