import { noteNoise } from '../../stats/host-notes.js';
import { USUAL_THRESHOLDS } from '../../stats/thresholds.js';

/** @import { Environment, HostNoise } from '../../formats/types.ts' */

/** Memory of two hosts of one kind differs by what their kernels keep. */
const MAX_MEMORY_SHARE = 0.1;
/** Load per CPU from which a host was not idle, as the notes of a run have it. */
const MAX_LOAD_PER_CPU = 0.5;
/** What disturbs a run, by the kind of its note. */
const NOISE = new Map([
  ['steal', 'a hypervisor took CPU time'],
  ['other-processes', 'other processes ran'],
  ['throttled', 'a CPU limit held processes back'],
]);
const NOT_KNOWN = 'not known';
const QUIET = 'none';

/**
 * @typedef {object} EnvironmentDifference
 * @property {string} part of the host: `processor`, `Node`, `load`
 * @property {string} recorded
 * @property {string} here
 */

/** @type {[part: string, tell: (environment: Environment) => string][]} */
const PARTS = [
  ['processor', ({ cpuModel }) => cpuModel],
  ['architecture', ({ arch }) => arch],
  ['CPUs', ({ cpuCount }) => String(cpuCount)],
  ['CPU limit', ({ cgroupCpuLimit }) => tell(cgroupCpuLimit, 'none')],
  ['operating system', ({ os }) => os],
  ['kernel', ({ kernel }) => kernel],
  ['virtualization', ({ virtualization }) => tell(virtualization, 'none')],
  ['frequency governor', ({ governor }) => tell(governor, NOT_KNOWN)],
  ['autogroup', ({ autogroup }) => tell(autogroup, NOT_KNOWN)],
];

/** @type {typeof PARTS} */
const NODE_PARTS = [
  ['Node', ({ node }) => node],
  ['V8', ({ v8 }) => v8],
];

/**
 * In what the host of a report and this one differ, as far as figures may depend on it.
 *
 * @param {Environment} recorded
 * @param {Environment} here
 * @param {object} circumstances
 * @param {boolean} circumstances.isSameNode whether the figures come from the Node of the report,
 *   whatever runs Assay
 * @param {{ recorded: HostNoise | undefined, here: HostNoise }} circumstances.noise while jobs were
 *   timed; undefined where the report does not tell
 * @returns {EnvironmentDifference[]}
 */
export function compareEnvironments(recorded, here, { isSameNode, noise }) {
  const showsNode = !isSameNode || recorded.node === here.node;
  const parts = showsNode ? [...PARTS, ...NODE_PARTS] : PARTS;
  const differences = parts
    .map(([part, read]) => ({ part, recorded: read(recorded), here: read(here) }))
    .filter((difference) => difference.recorded !== difference.here);
  return [
    ...differences,
    ...compareMemory(recorded, here),
    ...compareLoad(recorded, here),
    ...compareNoise(noise.recorded, noise.here),
  ];
}

/**
 * @param {Environment} recorded
 * @param {Environment} here
 * @returns {EnvironmentDifference[]}
 */
function compareMemory({ memoryBytes: recorded }, { memoryBytes: here }) {
  if (Math.abs(recorded - here) <= MAX_MEMORY_SHARE * Math.max(recorded, here)) return [];
  return [{ part: 'memory', recorded: showGibibytes(recorded), here: showGibibytes(here) }];
}

/**
 * Load counts where one host was busy: a report tells of its own only from before the first job.
 *
 * @param {Environment} recorded
 * @param {Environment} here
 * @returns {EnvironmentDifference[]}
 */
function compareLoad(recorded, here) {
  if (isBusy(recorded) === isBusy(here)) return [];
  const [then, now] = [recorded, here].map(({ loadAverage }) => loadAverage.toFixed(1));
  return [{ part: 'load before the first job', recorded: then, here: now }];
}

/**
 * @param {HostNoise | undefined} recorded
 * @param {HostNoise} here
 * @returns {EnvironmentDifference[]} none where both hosts were quiet, or disturbed by the same
 */
function compareNoise(recorded, here) {
  const [then, now] = [recorded, here].map(describeNoise);
  const isNoisy = [then, now].some((text) => text !== QUIET && text !== NOT_KNOWN);
  return isNoisy && then !== now ? [{ part: 'noise', recorded: then, here: now }] : [];
}

/**
 * @param {HostNoise | undefined} noise
 * @returns {string} what would be a note in a report
 */
function describeNoise(noise) {
  if (noise === undefined || Object.values(noise).every((figure) => figure === null)) {
    return NOT_KNOWN;
  }
  const kinds = noteNoise(noise, USUAL_THRESHOLDS).flatMap(({ kind }) => NOISE.get(kind) ?? []);
  return kinds.length === 0 ? QUIET : kinds.join(', ');
}

/** @param {Environment} environment */
function isBusy({ loadAverage, cpuCount }) {
  return loadAverage > MAX_LOAD_PER_CPU * cpuCount;
}

/** @param {number} bytes */
function showGibibytes(bytes) {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/**
 * @param {string | number | boolean | null} value
 * @param {string} nothing what null means
 */
function tell(value, nothing) {
  if (value === null) return nothing;
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}
