import { countOf, formatRoughShare } from '../../lib/numbers.js';
import {
  hasOthers,
  isBusy,
  isGoverned,
  isLoaded,
  isSlowClock,
  isWaiting,
  nameCpus,
} from './state.js';

/** @import { Environment, HostNoise, Thresholds } from '../../formats/types.ts' */
/** @import { Note } from '../notes.js' */
/** @import { HostState } from './state.js' */

/** @typedef {{ kind: string, text: (host: HostState) => string | null }} HostNote null for no note */

/** On the environment before the first job. @type {HostNote[]} */
const ENVIRONMENT_NOTES = [
  {
    kind: 'busy-host',
    text(host) {
      const { loadAverage, cpuCount, cpuPressure } = host.environment;
      if (!isBusy(host)) return null;
      const load = `load ${loadAverage.toFixed(1)} on ${countOf(cpuCount, 'CPU')}`;
      const pressure = `tasks waited for a CPU during ${formatRoughShare(cpuPressure ?? 0)} of ten seconds`;
      const signs = [...(isLoaded(host) ? [load] : []), ...(isWaiting(host) ? [pressure] : [])];
      return `The machine was busy before the first job: ${signs.join(', ')}.`;
    },
  },
  {
    kind: 'throttled-before',
    text: ({ environment: { cgroupCpuLimit: limit, throttledPeriods } }) =>
      limit !== null && throttledPeriods
        ? `The control group's limit of ${limit} ${nameCpus(limit)} held processes back in ${countOf(throttledPeriods, 'period')} before the first job, and may hold jobs back too.`
        : null,
  },
  {
    kind: 'governor',
    text: (host) =>
      isGoverned(host)
        ? `The CPU frequency governor is '${host.environment.governor}'; 'performance' gives steadier times.`
        : null,
  },
  {
    kind: 'smt',
    text: (host) =>
      host.environment.smt === true && (isBusy(host) || hasOthers(host))
        ? 'Cores run two threads each, and other processes ran: whatever shares a core with a job slows it down without any sign of waiting.'
        : null,
  },
  {
    kind: 'clock-source',
    text: (host) =>
      isSlowClock(host)
        ? `Time is read from '${host.environment.clockSource}' with a system call each time: short batches, and whatever reads the clock, take longer.`
        : null,
  },
  {
    kind: 'node-variables',
    text: ({ environment: { nodeVariables } }) =>
      nodeVariables.length > 0
        ? `Set by the user and not passed on to workers: ${nodeVariables.join(', ')}.`
        : null,
  },
];

/** @typedef {Pick<HostState, 'thresholds'> & { hostNoise: HostNoise }} NoiseState */

/** On what disturbed the timed part. @type {{ kind: string, text: (host: NoiseState) => string | null }[]} */
const NOISE_NOTES = [
  {
    kind: 'steal',
    text({ hostNoise: { stealShare }, thresholds }) {
      const share = stealShare ?? 0;
      return share > thresholds.stealShare
        ? `The hypervisor gave ${formatRoughShare(share)} of the CPU time to other machines while jobs were timed.`
        : null;
    },
  },
  {
    kind: 'other-processes',
    text: (host) =>
      hasOthers(host)
        ? `Other processes used ${formatRoughShare(host.hostNoise.othersShare ?? 0)} of the CPU time while jobs were timed.`
        : null,
  },
  {
    kind: 'throttled',
    text: ({ hostNoise: { throttledMs } }) =>
      (throttledMs ?? 0) > 0
        ? `The control group's CPU limit held processes back for ${Math.round(throttledMs ?? 0)} ms.`
        : null,
  },
];

/**
 * What a reader of figures should know about the host that measured them: first its state before the
 * first job, then what disturbed the timed part.
 *
 * @param {Environment | null} environment null where it is unknown
 * @param {HostNoise | null} hostNoise of the timed part; null where it is unknown
 * @param {Thresholds} thresholds
 * @returns {Note[]}
 */
export function noteHost(environment, hostNoise, thresholds) {
  const host = { hostNoise, thresholds, canRaisePriority: null, disturbedShare: null };
  return [
    ...(environment === null ? [] : listNotes(ENVIRONMENT_NOTES, { ...host, environment })),
    ...(hostNoise === null ? [] : listNotes(NOISE_NOTES, { hostNoise, thresholds })),
  ];
}

/**
 * @template Subject
 * @param {{ kind: string, text: (subject: Subject) => string | null }[]} kinds text null for no note
 * @param {Subject} subject
 * @returns {Note[]} of the kinds that apply to the subject
 */
export function listNotes(kinds, subject) {
  return kinds.flatMap(({ kind, text: describe }) => {
    const text = describe(subject);
    return text === null ? [] : { kind, text };
  });
}
