/** The clocks and meters of a worker, taken before a variant is loaded, which could replace those of Node. */

/** Milliseconds of a monotonic clock. */
export const nowMs = performance.now.bind(performance);

/** CPU time and context switches of all threads of the process. */
export const readResourceUsage = process.resourceUsage.bind(process);

/** CPU time of all threads of the process, in microseconds. */
export const readCpuUsage = process.cpuUsage.bind(process);

/** Resident memory of the process, in bytes. */
export const readResidentBytes = process.memoryUsage.rss.bind(process);
