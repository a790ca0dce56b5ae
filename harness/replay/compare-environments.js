/** @import { Environment, Warning } from '../types.ts' */

/** Memory of two hosts of one kind differs by what their kernels keep. */
const MAX_MEMORY_SHARE = 0.1;
/** Load per CPU from which a host was not idle, as the notes of a run have it. */
const MAX_LOAD_PER_CPU = 0.5;
/** Notes of a run that tell of the host, by kind. */
const NOISE = new Map([
  ['steal', 'a hypervisor took CPU time'],
  ['other-processes', 'other processes ran'],
  ['throttled', 'a CPU limit held processes back'],
]);
const NOT_KNOWN = 'not known';

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
 * @param {Pick<Warning, 'kind'>[]} circumstances.warnings of the run made here
 * @returns {EnvironmentDifference[]}
 */
export function compareEnvironments(recorded, here, { isSameNode, warnings }) {
  const showsNode = !isSameNode || recorded.node === here.node;
  const parts = showsNode ? [...PARTS, ...NODE_PARTS] : PARTS;
  const differences = parts
    .map(([part, read]) => ({ part, recorded: read(recorded), here: read(here) }))
    .filter((difference) => difference.recorded !== difference.here);
  return [
    ...differences,
    ...compareMemory(recorded, here),
    ...compareLoad(recorded, here, warnings),
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
 * @param {Pick<Warning, 'kind'>[]} warnings
 * @returns {EnvironmentDifference[]}
 */
function compareLoad(recorded, here, warnings) {
  /** @type {EnvironmentDifference[]} */
  const differences = [];
  if (isBusy(recorded) !== isBusy(here)) {
    const [then, now] = [recorded, here].map(({ loadAverage }) => loadAverage.toFixed(1));
    differences.push({ part: 'load before the first job', recorded: then, here: now });
  }
  const noise = warnings.flatMap(({ kind }) => NOISE.get(kind) ?? []);
  if (noise.length > 0) {
    differences.push({ part: 'noise', recorded: NOT_KNOWN, here: noise.join(', ') });
  }
  return differences;
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
