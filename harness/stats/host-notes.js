import { countOf } from '../lib/numbers.js';
import { formatShare } from './format-share.js';
import { isSlowClock, MAX_LOAD_PER_CPU, MAX_PRESSURE } from './thresholds.js';

/** @import { Environment, HostNoise, Thresholds } from '../formats/types.ts' */
/** @import { Note } from './list-places.js' */

/**
 * What a reader of figures should know of the host that they come from, as it was before the first
 * job. `just doctor` tells more, and what to do about it.
 *
 * @param {Environment} environment
 * @param {HostNoise | null} hostNoise of the timed part
 * @param {Thresholds} thresholds
 * @returns {Note[]}
 */
export function noteHost(environment, hostNoise, { othersShare }) {
  const { governor, smt, clockSource, nodeVariables } = environment;
  const busy = tellBusy(environment);
  const hasNeighbours = busy !== null || (hostNoise?.othersShare ?? 0) > othersShare;
  const notes = [
    busy === null ? [] : { kind: 'busy-host', text: busy },
    noteThrottling(environment),
    governor === null || governor === 'performance'
      ? []
      : {
          kind: 'governor',
          text: `The CPU frequency governor is '${governor}'; 'performance' gives steadier times.`,
        },
    smt === true && hasNeighbours
      ? {
          kind: 'smt',
          text: 'Cores run two threads each and other processes ran: what shares a core with a job slows it without waiting showing.',
        }
      : [],
    isSlowClock(clockSource)
      ? {
          kind: 'clock-source',
          text: `Time is read from '${clockSource}', which asks the kernel each time: short batches and whatever reads the clock take longer.`,
        }
      : [],
    nodeVariables.length > 0
      ? {
          kind: 'node-variables',
          text: `Set by the user and not passed on to workers: ${nodeVariables.join(', ')}.`,
        }
      : [],
  ];
  return notes.flat();
}

/**
 * What disturbed the timed part.
 *
 * @param {HostNoise} noise
 * @param {Thresholds} thresholds
 * @returns {Note[]}
 */
export function noteNoise({ stealShare, othersShare, throttledMs }, thresholds) {
  const notes = [];
  if (stealShare !== null && stealShare > thresholds.stealShare) {
    const text = `The hypervisor gave ${formatShare(stealShare)} of the CPU time to other machines while jobs were timed.`;
    notes.push({ kind: 'steal', text });
  }
  if (othersShare !== null && othersShare > thresholds.othersShare) {
    const text = `Other processes used ${formatShare(othersShare)} of the CPU time while jobs were timed.`;
    notes.push({ kind: 'other-processes', text });
  }
  if (throttledMs !== null && throttledMs > 0) {
    const text = `The control group's CPU limit held processes back for ${Math.round(throttledMs)} ms.`;
    notes.push({ kind: 'throttled', text });
  }
  return notes;
}

/** @param {Environment} environment */
function tellBusy({ loadAverage, cpuCount, cpuPressure }) {
  const isLoaded = loadAverage > MAX_LOAD_PER_CPU * cpuCount;
  const waits =
    cpuPressure !== null && cpuPressure > MAX_PRESSURE
      ? `tasks waited for a CPU during ${formatShare(cpuPressure)} of ten seconds`
      : null;
  const load = isLoaded ? `load ${loadAverage.toFixed(1)} on ${countOf(cpuCount, 'CPU')}` : null;
  const signs = [load, waits].filter((sign) => sign !== null);
  if (signs.length === 0) return null;
  return `The machine was busy before the first job: ${signs.join(', ')}.`;
}

/**
 * @param {Environment} environment
 * @returns {Note[]}
 */
function noteThrottling({ cgroupCpuLimit, throttledPeriods }) {
  if (cgroupCpuLimit === null || throttledPeriods === null || throttledPeriods === 0) return [];
  const text = `The control group's limit of ${cgroupCpuLimit} ${cgroupCpuLimit === 1 ? 'CPU' : 'CPUs'} held processes back in ${countOf(throttledPeriods, 'period')} before the first job, and may hold jobs back too.`;
  return [{ kind: 'throttled-before', text }];
}
